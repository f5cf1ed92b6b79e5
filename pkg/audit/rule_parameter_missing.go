package audit

import (
	"context"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// parameterMissing: a binding's paramRef finds nothing for objects that there are. With parameterNotFoundAction Allow the guard then does nothing, and with Deny it is
// an error: failurePolicy Ignore lets everything through, and Fail refuses every request, whatever is in it. There is one finding a binding.
var parameterMissing = rule{
	Rule: Rule{ID: "parameter-missing", Severity: Medium, Title: "A binding of the guard finds no parameter"},
	find: findParameterMissing,
}

func findParameterMissing(ctx context.Context, v *view) ([]Finding, error) {
	var findings []Finding
	for _, p := range v.policies {
		all := v.missing(p.policyName)
		if len(all) == 0 {
			continue
		}
		is, err := v.isGuard(ctx, p)
		if err != nil {
			return nil, err
		}
		for _, m := range all {
			if is && (m.decision == policy.Error || v.enforcedBy(p, m.binding)) {
				findings = append(findings, v.missingFinding(p, m))
			}
		}
	}
	return findings, nil
}

// enforcedBy says whether a binding of the policy enforces it; any does where none is named.
func (v *view) enforcedBy(p guardPolicy, binding string) bool {
	for _, b := range p.bindings {
		if b.enforces && (binding == "" || binding == b.object.GetName()) {
			return true
		}
	}
	return false
}

func (v *view) missingFinding(p guardPolicy, m missing) Finding {
	where := v.gathered.missing[m]
	f := Finding{
		Subject:  Subject{Kind: p.kind, Name: p.name, Field: "spec." + m.field},
		Evidence: v.evidence(*where.shown, ""),
	}
	f.Reach = v.extentBy(simulate.By{Kind: p.kind, Policy: p.name, Binding: m.binding}, where)
	f.Distinct = distinct(m.binding, p.param.APIVersion, p.param.Kind)
	what := fmt.Sprintf("The server has no %s of %s, which the policy takes its parameters from", p.param.Kind, p.param.APIVersion)
	f.Remedy = fmt.Sprintf("Install what serves %s of %s, or correct spec.paramKind.", p.param.Kind, p.param.APIVersion)
	action := "that"
	if m.field == "paramRef" {
		f.Subject.Kind, f.Subject.Name = p.kind+"Binding", m.binding
		sought := v.soughtBy(p, m.binding)
		f.Distinct = distinct(sought)
		what = fmt.Sprintf("The binding finds no %s for %s", sought, where.where())
		f.Remedy = fmt.Sprintf("Create the %s, or correct spec.paramRef.", sought)
		action = "parameterNotFoundAction Deny"
	}
	switch m.decision {
	case policy.Skipped:
		f.Message = fmt.Sprintf("%s, and with parameterNotFoundAction Allow the guard then does nothing: %s pass.", what, where.changes())
		f.Remedy += " With parameterNotFoundAction: Deny and failurePolicy: Fail a parameter that is missing lets nothing through."
	case policy.ErrorIgnored:
		f.Message = fmt.Sprintf("%s; %s makes it an error, and failurePolicy Ignore lets %s pass.", what, action, where.changes())
		f.Remedy += " With failurePolicy: Fail a parameter that is missing lets nothing through."
	default:
		f.Message = fmt.Sprintf("%s; %s and failurePolicy Fail refuse every such request then, with or without an annotation.", what, action)
	}
	f.Message += fmt.Sprintf(" For example %s.", *where.shown)
	return f
}

// soughtBy says what a binding looks for: ConfigMap "guard" in the object's namespace.
func (v *view) soughtBy(p guardPolicy, binding string) string {
	text := p.param.Kind
	for _, b := range p.bindings {
		ref := b.paramRef
		if b.object.GetName() != binding || ref == nil {
			continue
		}
		if ref.Name != "" {
			text += fmt.Sprintf(" %q", ref.Name)
		} else {
			text += fmt.Sprintf(" with the labels %q", metav1.FormatLabelSelector(ref.Selector))
		}
		if ref.Namespace != "" {
			return text + " in namespace " + ref.Namespace
		}
		if kind, found := v.paramKindOf(p); found && kind.Namespaced {
			return text + " in the object's namespace"
		}
	}
	return text
}
