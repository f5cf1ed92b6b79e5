package policy

import (
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"
)

// shape is the part of a policy that is no expression.
type shape struct {
	failurePolicy *admissionregistrationv1.FailurePolicyType
	paramKind     *admissionregistrationv1.ParamKind
	paramRef      *admissionregistrationv1.ParamRef
	actions       []admissionregistrationv1.ValidationAction
	reinvocation  admissionregistrationv1.ReinvocationPolicyType
	match         *admissionregistrationv1.MatchResources
}

// newShape makes choices by bits, and parses matchConstraints, where the text is some.
func newShape(match string, bits uint16) shape {
	s := shape{reinvocation: admissionregistrationv1.NeverReinvocationPolicy, match: &admissionregistrationv1.MatchResources{}}
	choose := func(n uint16) uint16 {
		chosen := bits % n
		bits /= n
		return chosen
	}
	fail, ignore := admissionregistrationv1.Fail, admissionregistrationv1.Ignore
	s.failurePolicy = []*admissionregistrationv1.FailurePolicyType{&fail, &ignore, nil}[choose(3)]
	allow, deny := admissionregistrationv1.AllowAction, admissionregistrationv1.DenyAction
	s.paramRef = []*admissionregistrationv1.ParamRef{
		nil, {Name: "one", ParameterNotFoundAction: &allow}, {Selector: &metav1.LabelSelector{}, ParameterNotFoundAction: &deny},
		{Name: "gone", ParameterNotFoundAction: &allow}, {Name: "gone", ParameterNotFoundAction: &deny},
	}[choose(5)]
	if s.paramRef != nil {
		s.paramKind = &admissionregistrationv1.ParamKind{APIVersion: "v1", Kind: []string{"ConfigMap", "Missing"}[choose(2)]}
	}
	s.actions = [][]admissionregistrationv1.ValidationAction{
		{admissionregistrationv1.Deny}, {admissionregistrationv1.Warn}, {admissionregistrationv1.Audit}, {admissionregistrationv1.Deny, admissionregistrationv1.Audit},
	}[choose(4)]
	if choose(2) == 1 {
		s.reinvocation = admissionregistrationv1.IfNeededReinvocationPolicy
	}
	if yaml.UnmarshalStrict([]byte(match), s.match) != nil {
		s.match = &admissionregistrationv1.MatchResources{}
	}
	if len(s.match.ResourceRules) == 0 {
		rule := admissionregistrationv1.NamedRuleWithOperations{}
		rule.Operations = []admissionregistrationv1.OperationType{admissionregistrationv1.OperationAll}
		rule.APIGroups, rule.APIVersions, rule.Resources = []string{"*"}, []string{"*"}, []string{"*"}
		s.match.ResourceRules = []admissionregistrationv1.NamedRuleWithOperations{rule}
	}
	defaultConstraints(s.match)
	return s
}

func parseConditions(lines string) []admissionregistrationv1.MatchCondition {
	var all []admissionregistrationv1.MatchCondition
	for line := range strings.Lines(lines) {
		all = append(all, admissionregistrationv1.MatchCondition{Name: "condition-" + string(rune('a'+len(all)%26)), Expression: strings.TrimSuffix(line, "\n")})
	}
	return all
}

func conditionLines(conditions []admissionregistrationv1.MatchCondition) string {
	var lines []string
	for _, c := range conditions {
		lines = append(lines, oneLine(c.Expression))
	}
	return strings.Join(lines, "\n")
}

func parseVariables(lines string) []admissionregistrationv1.Variable {
	var all []admissionregistrationv1.Variable
	for line := range strings.Lines(lines) {
		name, expression, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
		all = append(all, admissionregistrationv1.Variable{Name: name, Expression: expression})
	}
	return all
}

func variableLines(variables []admissionregistrationv1.Variable) string {
	var lines []string
	for _, v := range variables {
		lines = append(lines, v.Name+"="+oneLine(v.Expression))
	}
	return strings.Join(lines, "\n")
}

func oneLine(expression string) string { return strings.Join(strings.Fields(expression), " ") }

func jsonPatch(expression string) admissionregistrationv1.Mutation {
	return admissionregistrationv1.Mutation{PatchType: admissionregistrationv1.PatchTypeJSONPatch, JSONPatch: &admissionregistrationv1.JSONPatch{Expression: expression}}
}

func applyConfiguration(expression string) admissionregistrationv1.Mutation {
	return admissionregistrationv1.Mutation{PatchType: admissionregistrationv1.PatchTypeApplyConfiguration, ApplyConfiguration: &admissionregistrationv1.ApplyConfiguration{Expression: expression}}
}
