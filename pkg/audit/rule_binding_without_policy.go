package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// bindingWithoutPolicy: a binding acts only through its policy. What the missing policy would do is not known, so a
// dangling binding counts as the guard's by what it is called: it is where
//
//   - its name, its policyName, a label or its Helm release speaks of the downscaler;
//   - it is of the same Helm release as a policy of the guard;
//   - a policy of the guard has the policyName but is of the other kind, or a name alike: at least two leading words the same.
//
// Other tools' dangling bindings are no finding of their own; `no-policy` names them where nothing else is there.
var bindingWithoutPolicy = rule{
	Rule: Rule{ID: "binding-without-policy", Severity: High, Title: "A binding of the guard names a policy that does not exist"},
	find: findBindingWithoutPolicy,
}

func findBindingWithoutPolicy(ctx context.Context, v *view) ([]Finding, error) {
	shown, found := v.showing()
	dangling := v.dangling()
	if !found || len(dangling) == 0 {
		return nil, nil
	}
	guards, err := v.guards(ctx)
	if err != nil {
		return nil, err
	}
	var findings []Finding
	for _, b := range dangling {
		if !speaksOfDownscaler(b) && !slices.ContainsFunc(guards, func(p guardPolicy) bool { return belongsTo(b, p) }) {
			continue
		}
		findings = append(findings, Finding{
			Subject: Subject{Kind: b.kind, Name: b.object.GetName(), Field: "spec.policyName"}, Distinct: b.policy.name,
			Message:  fmt.Sprintf("There is no %s %q, which the binding names. The binding does nothing.", b.policy.kind, b.policy.name),
			Evidence: v.danglingEvidence(shown),
			Remedy:   fmt.Sprintf("Create the %s %q, or correct spec.policyName, or delete the binding.", b.policy.kind, b.policy.name),
		})
	}
	return findings, nil
}

// danglingEvidence is a change that passes, or the list of the policies where other policies prevent every change: it names the bindings that
// have none.
func (v *view) danglingEvidence(shown example) string {
	if v.total.open == nil {
		return commandLine([]string{"policies", "list"}, v.flags)
	}
	return v.evidence(shown, "")
}

// dangling are the bindings whose policy does not exist; none where not all policies could be read.
func (v *view) dangling() []guardBinding {
	if len(v.simulator.Policies().Unread) > 0 {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(v.bindings), func(b guardBinding) bool {
		return slices.ContainsFunc(v.policies, func(p guardPolicy) bool { return p.policyName == b.policy })
	})
}

func bindingNames(bindings []guardBinding) string {
	var list []string
	for _, b := range bindings {
		list = append(list, fmt.Sprintf("%s %s (to %s)", b.kind, b.object.GetName(), b.policy.name))
	}
	return enumerate(list)
}

// Helm writes these (helm.sh/helm/v3/pkg/action, validate.go).
const (
	releaseName      = "meta.helm.sh/release-name"
	releaseNamespace = "meta.helm.sh/release-namespace"
)

func speaksOfDownscaler(b guardBinding) bool {
	words := []string{b.object.GetName(), b.policy.name, b.object.GetAnnotations()[releaseName]}
	for _, value := range b.object.GetLabels() {
		words = append(words, value)
	}
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(strings.ToLower(word), "downscale") })
}

func belongsTo(b guardBinding, p guardPolicy) bool {
	return p.name == b.policy.name || sameRelease(b.object, p.object) || namedAlike(b.policy.name, p.name)
}

func sameRelease(a, b metav1.Object) bool {
	x, y := a.GetAnnotations(), b.GetAnnotations()
	return x[releaseName] != "" && x[releaseName] == y[releaseName] && x[releaseNamespace] == y[releaseNamespace]
}

func namedAlike(a, b string) bool {
	x, y := strings.Split(a, "-"), strings.Split(b, "-")
	return len(x) > 2 && len(y) > 2 && x[0] == y[0] && x[1] == y[1]
}
