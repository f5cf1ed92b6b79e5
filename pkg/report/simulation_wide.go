package report

import (
	"slices"
	"strings"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

var simulationWideHeaders = []string{
	"VERB", "SUBRESOURCE", "ANNOTATION", "OUTCOME", "EFFECT", "CHANGE",
	"POLICY", "BINDING", "PARAM", "MATCHCONDITION", "REASON",
}

// simulationWide has the table's rows, with what the request was and who decided it in columns of
// their own.
func simulationWide(report *simulate.Report, options Options) ([]byte, error) {
	style := simulationStyle{Options: options, valueLimit: 200, messageLimit: 1000, reasons: 10, origins: true}
	table := objectTable{headers: simulationWideHeaders, name: fullName}
	shown, _ := shownResults(report, options)
	for _, result := range shown {
		for _, annotation := range shownAnnotations(result) {
			table.rows = append(table.rows, objectRow{ref: result.Object, cells: style.wideCells(result, annotation)})
		}
	}
	return simulationDocument(report, table, options)
}

func (s simulationStyle) wideCells(result simulate.Result, annotation *simulate.Annotation) []string {
	steps := decidingSteps(result)
	effect := none
	if annotation != nil {
		effect = effectWord(annotation.Effect)
	}
	return []string{
		orNone(escape(result.Verb)),
		orNone(escape(result.Subresource)),
		annotationKey(annotation),
		outcomeWord(result.Outcome, s.Options),
		effect,
		s.change(result, annotation),
		distinct(steps, func(step policy.Step) string { return step.Policy }),
		distinct(steps, func(step policy.Step) string { return step.Binding }),
		distinct(steps, func(step policy.Step) string { return step.Param }),
		distinct(steps, func(step policy.Step) string { return step.Because.MatchCondition }),
		s.reason(result, annotation),
	}
}

func orNone(text string) string {
	if text == "" {
		return none
	}
	return text
}

// distinct joins what several steps say of one thing.
func distinct(steps []policy.Step, of func(policy.Step) string) string {
	var values []string
	for _, step := range steps {
		if value := escape(of(step)); value != "" && !slices.Contains(values, value) {
			values = append(values, value)
		}
	}
	return orNone(strings.Join(values, ","))
}
