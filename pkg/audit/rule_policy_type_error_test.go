package audit

import (
	"strings"
	"testing"
)

// ofVersion makes a guard list its rules with a version, as type checking needs it.
func ofVersion(g guard) string {
	return strings.ReplaceAll(g.String(), "apiVersions: ['*']", "apiVersions: [v1]")
}

func TestPolicyTypeError(t *testing.T) {
	both := []string{"apps/deployments", "/namespaces"}
	g := guard{name: "g", resources: both, validation: "object.spec.replicas < 0"}
	wrong := guard{name: "g", resources: both, validation: "object.metadata.annotation['downscaler/exclude'] != ''"}
	// The cluster's own check saw a schema that isn't known here.
	ofCluster := ofVersion(guard{name: "g", resources: both}) + `---
`
	ofCluster = strings.Replace(ofCluster, "metadata: {name: g}", `metadata: {name: g, generation: 3}
status: {observedGeneration: 3, typeChecking: {expressionWarnings: [{fieldRef: "spec.validations[0].expression", warning: "example.com/v1, Kind=Odd: ERROR: no such field"}]}}`, 1)
	for name, test := range map[string]struct {
		policies, field string
		message         []string
	}{
		"a field of one kind": {ofVersion(g), "spec.validations[0].expression", []string{"undefined field 'replicas'", "v1, Kind=Namespace", "run here"}},
		"a misspelt field":    {ofVersion(wrong), "spec.validations[0].expression", []string{"undefined field 'annotation'"}},
		"the cluster's check": {strings.TrimSuffix(ofCluster, "---\n"), "spec.validations[0].expression", []string{"status.typeChecking", "no such field"}},
	} {
		t.Run(name, func(t *testing.T) {
			f := one(t, auditOf(t, test.policies, teamA, deployment("team-a", "web", "")), "policy-type-error", "policies list")
			if f.Subject.Field != test.field || f.Severity != Medium || strings.Contains(f.Message, "\n") {
				t.Errorf("%+v", f)
			}
			for _, part := range test.message {
				if !strings.Contains(f.Message, part) {
					t.Errorf("%q lacks %q", f.Message, part)
				}
			}
		})
	}
}

func TestPolicyTypeErrorSilent(t *testing.T) {
	wrong := guard{name: "g", resources: []string{"apps/deployments"}, condition: "true", validation: "object.metadata.annotation['example.com/cost'] != ''"}
	stale := strings.Replace(ofVersion(guard{name: "g", resources: everyResource}), "metadata: {name: g}", `metadata: {name: g, generation: 3}
status: {observedGeneration: 2, typeChecking: {expressionWarnings: [{fieldRef: "spec.validations[0].expression", warning: "mended since"}]}}`, 1)
	for name, manifests := range map[string][]any{
		"no warning":          {ofVersion(chartLike(false)[0])},
		"not checked":         {guard{name: "g", resources: everyResource, condition: touched + " && has(object.spec.replicas)"}},
		"hardened":            {hardened(t)},
		"mutating":            {ofVersion(chartLike(true)[0])},
		"an earlier warning":  {stale},
		"another tool's":      {ofVersion(wrong)},
		"it does not compile": {ofVersion(guard{name: "g", resources: everyResource, validation: "'downscaler/' + 1 == ''"})},
	} {
		t.Run(name, func(t *testing.T) {
			report := auditOf(t, append(manifests, teamA, deployment("team-a", "web", ""))...)
			silent(t, report, "policy-type-error")
			if len(report.Incomplete) > 0 && name != "it does not compile" {
				t.Error(report.Incomplete)
			}
		})
	}
}
