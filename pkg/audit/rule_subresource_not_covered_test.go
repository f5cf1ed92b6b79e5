package audit

import (
	"strings"
	"testing"
)

func TestSubresourceNotCovered(t *testing.T) {
	objects := []any{teamA, deployment("team-a", "web", ""), nightly, scaledObject}
	for _, mutating := range []bool{false, true} {
		report := auditOf(t, append([]any{chartLike(mutating)}, objects...)...)
		f := one(t, report, "subresource-not-covered", "simulate as-user", "--subresource status", "--set downscaler/exclude=true")
		for _, resource := range []string{"cronjobs.batch/status (add, edit, remove)", "deployments.apps/status (add, edit, remove)", "namespaces/status (add, edit, remove)", "namespaces/finalize (add, edit, remove)"} {
			if !strings.Contains(f.Message, resource) {
				t.Errorf("%s is missing in %s", resource, f.Message)
			}
		}
		if strings.Contains(f.Message, "scaledobjects") || f.Severity != High {
			t.Errorf("%+v", f)
		}
	}
}

func TestSubresourceNotCoveredForRemovals(t *testing.T) {
	additions, removals := chartLike(false)[0], chartLike(false)[1]
	additions.resources = []string{"apps/deployments", "apps/deployments/status"}
	removals.resources = []string{"apps/deployments"}
	report := auditOf(t, additions, removals, teamA, deployment("team-a", "web", `downscaler/exclude: "true"`))
	f := one(t, report, "subresource-not-covered", "--subresource status --remove downscaler/exclude")
	if f.Subject.Name != removals.name || !strings.Contains(f.Message, "deployments.apps/status (remove)") {
		t.Errorf("%+v", f)
	}
}

func TestSubresourceNotCoveredSilent(t *testing.T) {
	var listed []string
	for _, r := range everyResource {
		listed = append(listed, r, r+"/status")
	}
	listed = append(listed, "/namespaces/finalize")
	objects := []any{teamA, deployment("team-a", "web", `downscaler/exclude: "true"`), nightly}
	for name, manifests := range map[string][]any{
		"listed":                {over(listed...)},
		"with a wildcard":       {over("apps/deployments", "apps/deployments/*", "batch/cronjobs/*", "/namespaces/*")},
		"custom resources only": {over("keda.sh/scaledobjects"), scaledObject},
		"no guard":              {},
		"warning":               {guard{name: "g", resources: everyResource, actions: "[Warn]"}},
	} {
		t.Run(name, func(t *testing.T) {
			silent(t, auditOf(t, append(manifests, objects...)...), "subresource-not-covered")
		})
	}
}

// Two policies share the work by namespace, and only one of them lists the subresource.
func TestSubresourceNotCoveredInOneNamespace(t *testing.T) {
	const policy = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: NAME}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [RESOURCES]}]
  variables:
  - {name: new, expression: "has(object.metadata.annotations) ? object.metadata.annotations : {}"}
  - {name: old, expression: "oldObject != null && has(oldObject.metadata.annotations) ? oldObject.metadata.annotations : {}"}
  validations:
  - expression: "variables.new.all(k, !k.startsWith('downscaler/') || k in variables.old && variables.old[k] == variables.new[k])"
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: NAME}
spec: {policyName: NAME, validationActions: [Deny], matchResources: {namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: NAME}}}}`
	report := auditOf(t,
		"apiVersion: v1\nkind: Namespace\nmetadata: {name: one}", "apiVersion: v1\nkind: Namespace\nmetadata: {name: two}",
		deployment("one", "web", `downscaler/exclude: "true"`), deployment("two", "web", `downscaler/exclude: "true"`),
		strings.NewReplacer("NAME", "one", "RESOURCES", "deployments, deployments/status").Replace(policy),
		strings.NewReplacer("NAME", "two", "RESOURCES", "deployments").Replace(policy),
	)
	f := one(t, report, "subresource-not-covered", "deployments.apps/web -n two --subresource status")
	if f.Subject.Name != "two" {
		t.Errorf("%+v", f)
	}
}
