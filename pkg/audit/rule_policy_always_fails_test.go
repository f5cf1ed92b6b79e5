package audit

import (
	"strings"
	"testing"
)

func TestPolicyAlwaysFails(t *testing.T) {
	objects := []any{teamA, deployment("team-a", "web", "")}
	for name, test := range map[string]struct {
		guard comparing
		field string
	}{
		"a condition":  {comparing{condition: `!("free" in namespaceObject.metadata.labels)`}, "spec.matchConditions[0].expression"},
		"a validation": {comparing{validation: `object.metadata.labels["team"] == "platform" ? true : ` + denying(`k.startsWith("downscaler/")`)}, "spec.validations[0].expression"},
	} {
		t.Run(name, func(t *testing.T) {
			report := auditOf(t, append(objects, test.guard)...)
			f := one(t, report, "policy-always-fails", "namespaces/team-a --set downscaler/exclude=true")
			if f.Subject.Field != test.field || f.Severity != High || !strings.Contains(f.Message, "failurePolicy Fail refuses them, whoever makes them") || !strings.Contains(f.Message, "no such key") {
				t.Errorf("%+v", f)
			}
			if len(report.Incomplete) > 0 || web(t, report).Guard.Add != ProtectionBlocked {
				t.Errorf("incomplete %+v, %+v", report.Incomplete, web(t, report).Guard)
			}
		})
	}
}

func TestPolicyAlwaysFailsSilent(t *testing.T) {
	objects := []any{teamA, deployment("team-a", "web", "")}
	for name, manifests := range map[string][]any{
		"hardened":            {hardened(t)},
		"holds":               {comparing{}},
		"by the annotation":   {comparing{validation: `!object.metadata.?annotations.orValue({}).exists(k, k.startsWith("downscaler/") && oldObject.spec.nothing == "")`}},
		"ignored":             {comparing{condition: `!("free" in namespaceObject.metadata.labels)`, failure: "Ignore"}},
		"does not compile":    {comparing{condition: "nothing"}},
		"a policy of its own": {comparing{}, requireLabels + "---" + bindingOf("require-labels", "[Deny]")},
	} {
		t.Run(name, func(t *testing.T) {
			report := auditOf(t, append(manifests, objects...)...)
			silent(t, report, "policy-always-fails")
			if len(report.Incomplete) > 0 {
				t.Errorf("incomplete %+v", report.Incomplete)
			}
		})
	}
}
