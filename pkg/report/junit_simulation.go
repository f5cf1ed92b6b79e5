package report

import (
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// simulationJUnit is a test suite a namespace with a test case a request: it fails where the request is blocked or altered, and is an
// error where the outcome is not known.
func simulationJUnit(report *simulate.Report, _ Options) ([]byte, error) {
	style := simulationStyle{valueLimit: 200, messageLimit: 1000, reasons: 10}
	var order []string
	cases := map[string][]junitCase{}
	for _, result := range report.Results {
		namespace := suiteName(result.Object)
		if cases[namespace] == nil {
			order = append(order, namespace)
		}
		cases[namespace] = append(cases[namespace], style.testCase(result))
	}
	var suites []junitSuite
	for _, namespace := range order {
		suites = append(suites, newJUnitSuite(namespace, cases[namespace]))
	}
	return printJUnit("downscaler-compliance simulation", append(suites, incompleteSuite(report.Incomplete)...))
}

func suiteName(ref simulate.ObjectRef) string {
	if ref.Namespace == "" {
		return "cluster-scoped"
	}
	return escape(ref.Namespace)
}

func (s simulationStyle) testCase(result simulate.Result) junitCase {
	name := operationWord(result) + " " + fullName(result.Object)
	if result.Subresource != "" {
		name += "/" + escape(result.Subresource)
	}
	c := junitCase{Name: name, ClassName: suiteName(result.Object) + "." + escape(result.Object.Kind)}
	message := &junitMessage{Message: outcomeWord(result.Outcome, Options{}), Text: s.reasonOf(result)}
	switch result.Outcome {
	case simulate.Allowed:
	case simulate.Blocked, simulate.Altered:
		c.Failure = message
	default:
		c.Error = message
	}
	return c
}

// reasonOf says in one line why a result came out as it did, over all its annotations.
func (s simulationStyle) reasonOf(result simulate.Result) string {
	if result.Outcome != simulate.Altered {
		return s.reason(result, nil)
	}
	var reasons []string
	for _, annotation := range shownAnnotations(result) {
		if annotation != nil && annotation.Effect != simulate.EffectKept {
			reasons = append(reasons, escape(annotation.Key)+" "+s.effect(*annotation))
		}
	}
	return firstOf(reasons, s.reasons, "; ")
}
