package chart

import (
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// The chart's names of its policies.
const (
	blockAdditions   = "block-downscaler-reserved-annotations"
	blockRemovals    = "block-removal-downscaler-reserved-annotations"
	preventAdditions = "prevent-downscaler-reserved-annotations"
	preventRemovals  = "prevent-removal-downscaler-reserved-annotations"
)

// What the chart's matchConditions ask of the objects, each of them again: they share one cost budget, so that how often the
// annotations are walked is part of what the policies decide.
const (
	addsOrEdits = `has(object.metadata.annotations) && object.metadata.annotations.exists(key, key.startsWith("downscaler/") &&` +
		` !(oldObject != null && has(oldObject.metadata.annotations) && key in oldObject.metadata.annotations &&` +
		` oldObject.metadata.annotations[key] == object.metadata.annotations[key]))`
	removes = `object != null && oldObject != null && has(oldObject.metadata.annotations) &&` +
		` oldObject.metadata.annotations.exists(key, key.startsWith("downscaler/")) &&` +
		` !(has(object.metadata.annotations) && object.metadata.annotations.exists(key, key.startsWith("downscaler/")) &&` +
		` oldObject.metadata.annotations.all(key, !key.startsWith("downscaler/") || key in object.metadata.annotations))`
)

var (
	createOrUpdate = []admissionregistrationv1.OperationType{admissionregistrationv1.Create, admissionregistrationv1.Update}
	update         = []admissionregistrationv1.OperationType{admissionregistrationv1.Update}
)

// Plain returns the policies as the chart deploys them in a release, with the API server's defaults. Where the chart makes something of the values that
// can't be deployed, see Mistake.Mended, they are what was meant.
func (v *Values) Plain(r Release) *inventory.Policies {
	policies := v.plain(r)
	setDefaults(policies)
	return policies
}

func (v *Values) plain(r Release) *inventory.Policies {
	policies := &inventory.Policies{}
	c := v.Compliance
	removal := c.OnWorkloads.PreventRemoval || c.OnNamespace.PreventRemoval
	if c.OnWorkloads.Enabled || c.OnNamespace.Enabled {
		if c.Mutate {
			v.prevent(policies, r, preventAdditions, preventAdditions+"-binding", createOrUpdate, addsOrEdits, stripAndRevert)
		} else {
			v.block(policies, r, blockAdditions, createOrUpdate, addsOrEdits, additionValidations())
		}
		if removal {
			v.block(policies, r, blockRemovals, update, removes, removalValidations())
		}
		if removal && c.Mutate {
			v.prevent(policies, r, preventRemovals, "prevent-remove-downscaler-reserved-annotations-binding", update, removes, restore)
		}
	}
	return policies
}

// block adds a validating policy and its binding.
func (v *Values) block(policies *inventory.Policies, r Release, name string, operations []admissionregistrationv1.OperationType, change string, validations []admissionregistrationv1.Validation) {
	ignore := admissionregistrationv1.Ignore
	policies.Validating = append(policies.Validating, &admissionregistrationv1.ValidatingAdmissionPolicy{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: admissionregistrationv1.ValidatingAdmissionPolicySpec{
			FailurePolicy: &ignore, MatchConstraints: v.constraints(operations),
			MatchConditions: v.conditions(r, change), Validations: validations,
		},
	})
	policies.ValidatingBindings = append(policies.ValidatingBindings, &admissionregistrationv1.ValidatingAdmissionPolicyBinding{
		ObjectMeta: metav1.ObjectMeta{Name: name + "-binding"},
		Spec: admissionregistrationv1.ValidatingAdmissionPolicyBindingSpec{
			PolicyName: name, ValidationActions: v.actions(), MatchResources: everyNamespace(),
		},
	})
}

// prevent adds a mutating policy and its binding.
func (v *Values) prevent(policies *inventory.Policies, r Release, name, binding string, operations []admissionregistrationv1.OperationType, change, patches string) {
	ignore := admissionregistrationv1.Ignore
	policies.Mutating = append(policies.Mutating, &admissionregistrationv1.MutatingAdmissionPolicy{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: admissionregistrationv1.MutatingAdmissionPolicySpec{
			FailurePolicy: &ignore, ReinvocationPolicy: admissionregistrationv1.IfNeededReinvocationPolicy,
			MatchConstraints: v.constraints(operations), MatchConditions: v.conditions(r, change), Mutations: jsonPatch(patches),
		},
	})
	policies.MutatingBindings = append(policies.MutatingBindings, &admissionregistrationv1.MutatingAdmissionPolicyBinding{
		ObjectMeta: metav1.ObjectMeta{Name: binding},
		Spec:       admissionregistrationv1.MutatingAdmissionPolicyBindingSpec{PolicyName: name, MatchResources: everyNamespace()},
	})
}

// constraints match what is enabled: the removals' policies, too, have rules only where the additions are guarded. The operations are those for namespaces;
// for workloads they are always both, though nothing is removed by a creation.
func (v *Values) constraints(operations []admissionregistrationv1.OperationType) *admissionregistrationv1.MatchResources {
	constraints := &admissionregistrationv1.MatchResources{}
	if v.Compliance.OnNamespace.Enabled {
		constraints.ResourceRules = append(constraints.ResourceRules, rule(operations, "", "namespaces"))
	}
	if v.Compliance.OnWorkloads.Enabled {
		for _, w := range v.workloads() {
			constraints.ResourceRules = append(constraints.ResourceRules, rule(createOrUpdate, w.Group, w.Resource))
		}
	}
	return constraints
}

func (v *Values) conditions(r Release, change string) []admissionregistrationv1.MatchCondition {
	var conditions []admissionregistrationv1.MatchCondition
	for _, p := range v.parties(r) {
		conditions = append(conditions, admissionregistrationv1.MatchCondition{Name: p.condition, Expression: change + " && " + p.isNot})
	}
	return conditions
}

func (v *Values) actions() []admissionregistrationv1.ValidationAction {
	var actions []admissionregistrationv1.ValidationAction
	for _, name := range v.Compliance.ValidationActions.Names {
		actions = append(actions, admissionregistrationv1.ValidationAction(name))
	}
	return actions
}

func everyNamespace() *admissionregistrationv1.MatchResources {
	return &admissionregistrationv1.MatchResources{NamespaceSelector: &metav1.LabelSelector{
		MatchExpressions: []metav1.LabelSelectorRequirement{{Key: corev1.LabelMetadataName, Operator: metav1.LabelSelectorOpExists}},
	}}
}
