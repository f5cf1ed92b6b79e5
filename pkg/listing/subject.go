package listing

import (
	"slices"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
)

// The kinds of policies, and what their bindings' end in.
const (
	kindValidating = "ValidatingAdmissionPolicy"
	kindMutating   = "MutatingAdmissionPolicy"
	bindingSuffix  = "Binding"
)

// subject is a policy of either kind with its bindings.
type subject struct {
	kind               string
	object             metav1.Object
	constraints        *admissionregistrationv1.MatchResources
	failurePolicy      string
	reinvocationPolicy string
	paramKind          *ParamKind
	parties            policy.Parties
	text               policy.Text
	bindings           []bound
}

// bound is a binding of either kind.
type bound struct {
	kind, policy string
	object       metav1.Object
	actions      []string
	paramRef     *admissionregistrationv1.ParamRef
	resources    *admissionregistrationv1.MatchResources
}

// subjects lists the policies, the validating ones first, each by name.
func subjects(all *inventory.Policies) []subject {
	var found []subject
	for _, p := range all.Validating {
		found = append(found, subject{
			kind: kindValidating, object: p, constraints: p.Spec.MatchConstraints, failurePolicy: textOf(p.Spec.FailurePolicy),
			paramKind: paramKindOf(p.Spec.ParamKind), parties: policy.PartiesOf(p), text: policy.TextOf(p),
		})
	}
	for _, p := range all.Mutating {
		found = append(found, subject{
			kind: kindMutating, object: p, constraints: p.Spec.MatchConstraints, failurePolicy: textOf(p.Spec.FailurePolicy),
			reinvocationPolicy: string(p.Spec.ReinvocationPolicy), paramKind: paramKindOf(p.Spec.ParamKind),
			parties: policy.MutatingParties(p), text: policy.MutatingText(p),
		})
	}
	bindings := bindingsOf(all)
	for i := range found {
		for _, b := range bindings {
			if b.names(found[i]) {
				found[i].bindings = append(found[i].bindings, b)
			}
		}
	}
	slices.SortStableFunc(found, func(a, b subject) int {
		if a.kind != b.kind {
			return strings.Compare(b.kind, a.kind)
		}
		return strings.Compare(a.object.GetName(), b.object.GetName())
	})
	return found
}

// bindingsOf lists the bindings of both kinds, each by name.
func bindingsOf(all *inventory.Policies) []bound {
	var found []bound
	for _, b := range all.ValidatingBindings {
		var actions []string
		for _, action := range b.Spec.ValidationActions {
			actions = append(actions, string(action))
		}
		found = append(found, bound{
			kind: kindValidating + bindingSuffix, policy: b.Spec.PolicyName, object: b, actions: actions,
			paramRef: b.Spec.ParamRef, resources: b.Spec.MatchResources,
		})
	}
	for _, b := range all.MutatingBindings {
		found = append(found, bound{
			kind: kindMutating + bindingSuffix, policy: b.Spec.PolicyName, object: b, actions: []string{ActionMutate},
			paramRef: b.Spec.ParamRef, resources: b.Spec.MatchResources,
		})
	}
	slices.SortStableFunc(found, func(a, b bound) int { return strings.Compare(a.object.GetName(), b.object.GetName()) })
	return found
}

// names says whether a binding is a policy's.
func (b bound) names(s subject) bool {
	return b.kind == s.kind+bindingSuffix && b.policy == s.object.GetName()
}

func paramKindOf(kind *admissionregistrationv1.ParamKind) *ParamKind {
	if kind == nil {
		return nil
	}
	return &ParamKind{APIVersion: kind.APIVersion, Kind: kind.Kind}
}

func textOf[T ~string](value *T) string {
	if value == nil {
		return ""
	}
	return string(*value)
}
