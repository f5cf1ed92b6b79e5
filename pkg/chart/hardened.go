package chart

import (
	"fmt"
	"slices"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// The hardened policies' names, before their scope's.
const (
	guardPrefix = "downscaler-annotations-"
	stripPrefix = "downscaler-annotations-strip-"
)

// Hardened returns the guard that holds, for what the values name: whoever may set the annotations, and the kinds. What it closes is said
// in its comments. It guards workloads and namespaces, additions, edits and removals, whatever the values enable: each of them left out is a
// way round the others.
func (v *Values) Hardened(r Release) []Manifest {
	var all []Manifest
	for _, s := range v.scopes() {
		if v.Compliance.Mutate {
			all = append(all, v.hardenedMutation(r, s)...)
		}
		all = append(all, v.hardenedValidation(r, s)...)
	}
	return all
}

const (
	hardenedOld = `oldObject == null ? {} : oldObject.metadata.?annotations.orValue({})`
	hardenedNew = `object.metadata.?annotations.orValue({})`
)

func (v *Values) hardenedValidation(r Release, s scope) []Manifest {
	name, fail := guardPrefix+s.name, admissionregistrationv1.Fail
	policy := &admissionregistrationv1.ValidatingAdmissionPolicy{
		TypeMeta:   typeMeta("ValidatingAdmissionPolicy"),
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: admissionregistrationv1.ValidatingAdmissionPolicySpec{
			FailurePolicy:    &fail,
			MatchConstraints: &admissionregistrationv1.MatchResources{ResourceRules: s.rules},
			MatchConditions:  v.requesterConditions(r, s),
			Variables: []admissionregistrationv1.Variable{
				{Name: "old", Expression: hardenedOld},
				{Name: "new", Expression: hardenedNew},
			},
			Validations: []admissionregistrationv1.Validation{
				forbidden("add or edit", `variables.new.all(key, !key.startsWith("downscaler/") || (key in variables.old && variables.old[key] == variables.new[key]))`),
				forbidden("remove", `variables.old.all(key, !key.startsWith("downscaler/") || key in variables.new)`),
			},
		},
	}
	binding := &admissionregistrationv1.ValidatingAdmissionPolicyBinding{
		TypeMeta:   typeMeta("ValidatingAdmissionPolicyBinding"),
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec:       admissionregistrationv1.ValidatingAdmissionPolicyBindingSpec{PolicyName: name, ValidationActions: v.hardenedActions()},
	}
	return []Manifest{
		{Object: policy, About: s.about, Comments: v.hardenedComments(s, true)},
		{Object: binding, Comments: map[string]string{
			"spec.validationActions": "Whatever else happens, the request is refused: Warn or Audit alone would let it pass. No selector: a label would be a way out.",
		}},
	}
}

func (v *Values) hardenedMutation(r Release, s scope) []Manifest {
	name, fail := stripPrefix+s.name, admissionregistrationv1.Fail
	policy := &admissionregistrationv1.MutatingAdmissionPolicy{
		TypeMeta:   typeMeta("MutatingAdmissionPolicy"),
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: admissionregistrationv1.MutatingAdmissionPolicySpec{
			FailurePolicy: &fail, ReinvocationPolicy: admissionregistrationv1.IfNeededReinvocationPolicy,
			MatchConstraints: &admissionregistrationv1.MatchResources{ResourceRules: s.rules},
			MatchConditions:  v.requesterConditions(r, s),
			Mutations:        slices.Concat(jsonPatch(stripAndRevert), jsonPatch(restore)),
		},
	}
	binding := &admissionregistrationv1.MutatingAdmissionPolicyBinding{
		TypeMeta:   typeMeta("MutatingAdmissionPolicyBinding"),
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec:       admissionregistrationv1.MutatingAdmissionPolicyBindingSpec{PolicyName: name},
	}
	comments := v.hardenedComments(s, false)
	comments["spec.reinvocationPolicy"] = "Once more where another mutation changes the object behind this one."
	about := "Takes additions out and puts edited and removed values back, of the same as " + guardPrefix + s.name +
		",\nwhich stands behind it: a webhook can add an annotation after this policy ran."
	return []Manifest{{Object: policy, About: about, Comments: comments}, {Object: binding}}
}

// hardenedActions always deny; an audit that the values ask for stays.
func (v *Values) hardenedActions() []admissionregistrationv1.ValidationAction {
	actions := []admissionregistrationv1.ValidationAction{admissionregistrationv1.Deny}
	if slices.Contains(v.actions(), admissionregistrationv1.Audit) {
		actions = append(actions, admissionregistrationv1.Audit)
	}
	return actions
}

func (v *Values) hardenedComments(s scope, validating bool) map[string]string {
	comments := map[string]string{
		"spec.failurePolicy":    "What can't be evaluated, or costs too much, is refused and not let through.",
		"spec.matchConditions":  "Only the requester decides whether the policy applies. Every pattern has both its ends, so that it matches no name that merely contains it.",
		"spec.matchConstraints": "Every version, and every subresource that can carry annotations.",
	}
	if len(s.exempt) > 0 {
		comments["spec.matchConditions"] += " The controllers of Deployments are exempt here: they copy what is guarded on the Deployment."
	}
	if groups := v.affordableGroups(); groups < manyGroups {
		comments["spec.matchConditions"] += fmt.Sprintf(" Matching costs something for each group of the requester: who is in more than about %d is refused every change here.", groups)
	}
	if validating {
		comments["spec.variables"] = "The annotations are read once, however many patterns there are: the cost budget holds."
	}
	return comments
}
