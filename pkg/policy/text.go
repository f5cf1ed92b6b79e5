package policy

import (
	"slices"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/downscaler"
)

// Text is what a policy says by itself, whatever the request: its CEL expressions, and whether there are parameters, in which anything may
// stand that these do not say.
type Text struct {
	Expressions []string
	Params      bool
}

// TextOf is the text of a validating policy.
func TextOf(p *admissionregistrationv1.ValidatingAdmissionPolicy) Text {
	t := sharedText(p.Spec.MatchConditions, p.Spec.Variables, p.Spec.ParamKind)
	for _, v := range p.Spec.Validations {
		t.Expressions = append(t.Expressions, v.Expression, v.MessageExpression)
	}
	for _, a := range p.Spec.AuditAnnotations {
		t.Expressions = append(t.Expressions, a.ValueExpression)
	}
	return t
}

// MutatingText is the text of a mutating policy.
func MutatingText(p *admissionregistrationv1.MutatingAdmissionPolicy) Text {
	t := sharedText(p.Spec.MatchConditions, p.Spec.Variables, p.Spec.ParamKind)
	for _, m := range p.Spec.Mutations {
		if m.ApplyConfiguration != nil {
			t.Expressions = append(t.Expressions, m.ApplyConfiguration.Expression)
		}
		if m.JSONPatch != nil {
			t.Expressions = append(t.Expressions, m.JSONPatch.Expression)
		}
	}
	return t
}

func sharedText(conditions []admissionregistrationv1.MatchCondition, variables []admissionregistrationv1.Variable, params *admissionregistrationv1.ParamKind) Text {
	t := Text{Params: params != nil}
	for _, c := range conditions {
		t.Expressions = append(t.Expressions, c.Expression)
	}
	for _, v := range variables {
		t.Expressions = append(t.Expressions, v.Expression)
	}
	return t
}

// NamesPrefix says whether some expression names the downscaler's prefix.
func (t Text) NamesPrefix() bool { return t.contains(downscaler.Prefix) }

// MayConcernPrefix says whether the policy may be about annotations with the prefix: where it names that, or annotations at all and not only
// others by their keys, or where it has parameters, which may name them.
func (t Text) MayConcernPrefix() bool {
	return t.Params || slices.ContainsFunc(t.Expressions, mayReadPrefix) || t.NamesPrefix()
}

func (t Text) contains(words string) bool {
	return slices.ContainsFunc(t.Expressions, func(e string) bool { return strings.Contains(e, words) })
}
