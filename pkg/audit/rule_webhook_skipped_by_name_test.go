package audit

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// The webhook of a release, after the description of the chart's.
const (
	skipsDownscaler = `request.name != "go-kube-downscaler"`
	skipsWebhook    = `request.name != "go-kube-downscaler-webhook"`
	skipsAccount    = `request.userInfo.username != "system:serviceaccount:scaling:go-kube-downscaler"`
)

// downscalersOwn is the downscaler's webhook as the chart names it, with matchConditions.
func downscalersOwn(conditions ...string) string {
	return mutatingWebhook(downscalerWebhook, downscalerWebhook, "service: {namespace: scaling, name: go-kube-downscaler-webhook, path: /validate-workloads}", conditions...)
}

func mutatingWebhook(configuration, name, client string, conditions ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: %s}
webhooks:
- name: %s
  admissionReviewVersions: [v1]
  sideEffects: None
  clientConfig: {%s}
  rules: [{apiGroups: [apps], apiVersions: ["*"], operations: [CREATE, UPDATE], resources: [deployments]}]
  matchConditions:
`, configuration, name, client)
	for i, c := range conditions {
		fmt.Fprintf(&b, "  - {name: c%d, expression: %q}\n", i, c)
	}
	return b.String()
}

func namespaceNamed(name string) string { return strings.ReplaceAll(teamA, "team-a", name) }

func TestWebhookSkippedByName(t *testing.T) {
	own := func(name string) string { return deployment("scaling", name, "") }
	for name, test := range map[string]struct {
		webhook   string
		manifests []any
		want      map[string]string // field: what the message says
	}{
		"the chart's": {
			webhook: downscalersOwn(skipsDownscaler, skipsWebhook, skipsAccount),
			want: map[string]string{
				"webhooks[0].matchConditions[0].expression": "leaves out what is named go-kube-downscaler. It was evaluated for an ordinary user's deployments.apps in team-a: about one named compliance-probe the webhook is called, ",
				"webhooks[0].matchConditions[1].expression": "leaves out what is named go-kube-downscaler-webhook. ",
			},
		},
		"the first object is the downscaler": {
			webhook: downscalersOwn(skipsDownscaler), manifests: []any{own("go-kube-downscaler")},
			want: map[string]string{"webhooks[0].matchConditions[0].expression": "in team-a: "},
		},
		"another condition has the name, too": {
			webhook: downscalersOwn(skipsDownscaler, `request.name == "go-kube-downscaler" || request.userInfo.username != "dev"`),
			want:    map[string]string{"webhooks[0].matchConditions[0].expression": ""},
		},
		"by the object": {
			webhook: downscalersOwn(`object.metadata.name != "go-kube-downscaler"`),
			want:    map[string]string{"webhooks[0].matchConditions[0].expression": "named go-kube-downscaler. "},
		},
		"by a list": {
			webhook: downscalersOwn(`!(request.name in ["one", "two"])`),
			want:    map[string]string{"webhooks[0].matchConditions[0].expression": "named one and two. "},
		},
		"by a beginning": {
			webhook: downscalersOwn(`!request.name.startsWith("kube-down-")`),
			want:    map[string]string{"webhooks[0].matchConditions[0].expression": "named kube-down-x. "},
		},
		"in other namespaces": {
			webhook: downscalersOwn(`request.namespace == "scaling" || request.name != "go-kube-downscaler"`),
			want:    map[string]string{"webhooks[0].matchConditions[0].expression": "in team-a"},
		},
		"in another namespace only": {
			webhook: downscalersOwn(`request.namespace != "team-b" || request.name != "go-kube-downscaler"`), manifests: []any{namespaceNamed("team-b")},
			want: map[string]string{"webhooks[0].matchConditions[0].expression": "in team-b"},
		},
		"renamed": {
			webhook: mutatingWebhook("ours", "scale.example.com", "service: {namespace: scaling, name: my-downscaler-webhook, path: /validate-workloads}", skipsDownscaler),
			want:    map[string]string{"webhooks[0].matchConditions[0].expression": "webhook scale.example.com"},
		},
		"by a URL": {
			webhook: mutatingWebhook("ours", downscalerWebhook, `url: "https://downscaler.example/validate-workloads"`, skipsDownscaler),
			want:    map[string]string{"webhooks[0].matchConditions[0].expression": ""},
		},
		"beside a hardened guard": {
			webhook: downscalersOwn(skipsDownscaler), manifests: []any{hardened(t)},
			want: map[string]string{"webhooks[0].matchConditions[0].expression": ""},
		},
	} {
		t.Run(name, func(t *testing.T) {
			manifests := slices.Concat(test.manifests, []any{test.webhook, teamA, namespaceNamed("scaling"), deployment("team-a", "web", "")})
			findings := found(auditOf(t, manifests...), "webhook-skipped-by-name")
			if len(findings) != len(test.want) {
				t.Fatalf("%+v", findings)
			}
			for _, f := range findings {
				if want, is := test.want[f.Subject.Field]; !is || !strings.Contains(f.Message, want) || f.Subject.Kind != "MutatingWebhookConfiguration" || f.Severity != Medium {
					t.Errorf("%+v", f)
				}
			}
		})
	}
}

func TestWebhookSkippedByNameSilent(t *testing.T) {
	const mended = `request.namespace != "scaling" || request.name != "go-kube-downscaler"`
	service := "service: {namespace: scaling, name: %s, path: %s}"
	for name, manifests := range map[string][]any{
		"no webhook":                   {hardened(t)},
		"no condition":                 {downscalersOwn()},
		"requesters only":              {downscalersOwn(skipsAccount, `request.userInfo.username != "web-admin"`)},
		"in its own namespace":         {downscalersOwn(mended, skipsAccount)},
		"mended beside the guard":      {downscalersOwn(mended), hardened(t)},
		"other names are called":       {downscalersOwn(`request.name == "web" || request.name == "go-kube-downscaler"`)},
		"by a label":                   {downscalersOwn(`object.metadata.?labels["sleep"].orValue("on") != "off"`)},
		"does not parse":               {downscalersOwn(`request.name != "x`)},
		"never called":                 {downscalersOwn(skipsDownscaler, "false")},
		"somebody else's":              {mutatingWebhook("istio", "sidecar.example.com", fmt.Sprintf(service, "istiod", "/inject"), skipsDownscaler)},
		"somebody else's, that path":   {mutatingWebhook("checks", "checks.example.com", fmt.Sprintf(service, "checks", downscalerWebhookPath), `request.name != "checks"`)},
		"beside the downscaler":        {mutatingWebhook("checks", "checks.example.com", fmt.Sprintf(service, "downscaler-checks", "/check"), `request.name != "checks"`)},
		"other kinds":                  {strings.Replace(downscalersOwn(skipsDownscaler), "[deployments]", "[statefulsets]", 1)},
		"a validating one":             {strings.Replace(downscalersOwn(skipsDownscaler), "kind: Mutating", "kind: Validating", 1)},
		"a namespace that isn't there": {downscalersOwn(`request.namespace != "team-b" || request.name != "go-kube-downscaler"`)},
	} {
		t.Run(name, func(t *testing.T) {
			report := auditOf(t, append(manifests, teamA, namespaceNamed("scaling"), deployment("team-a", "web", ""))...)
			silent(t, report, "webhook-skipped-by-name")
			if len(report.Incomplete) > 0 {
				t.Errorf("incomplete: %+v", report.Incomplete)
			}
		})
	}
}

// What the API server fills into a manifest is not known. Where a condition looks at that, it is left open whether names matter, as far as one reads them.
func TestWebhookSkippedByNameUnknown(t *testing.T) {
	manifest := strings.Replace(deployment("team-a", "web", ""), ", "+stored, "", 1)
	const filledIn = `object.spec.?progressDeadlineSeconds.orValue(0) != 600`
	for name, test := range map[string]struct {
		conditions []string
		open       bool
	}{
		"beside a name":      {[]string{filledIn, skipsDownscaler}, true},
		"together with it":   {[]string{filledIn + " || " + skipsDownscaler}, true},
		"beside a requester": {[]string{filledIn, `request.userInfo.username != "dev"`}, false},
	} {
		t.Run(name, func(t *testing.T) {
			report := auditOf(t, downscalersOwn(test.conditions...), teamA, namespaceNamed("scaling"), manifest)
			silent(t, report, "webhook-skipped-by-name")
			open := slices.ContainsFunc(report.Incomplete, func(gap inventory.Gap) bool {
				return gap.What == "whether MutatingWebhookConfiguration webhook.kube-downscaler.k8s skips objects by their names"
			})
			if open != test.open {
				t.Errorf("incomplete: %+v", report.Incomplete)
			}
		})
	}
}

func TestWebhookSkippedByNameEvidence(t *testing.T) {
	webhook := []any{downscalersOwn(skipsDownscaler), teamA, namespaceNamed("scaling"), deployment("team-a", "web", "")}
	f := one(t, auditOf(t, webhook...), "webhook-skipped-by-name", "simulate as-user", `"name":"compliance-probe"`, `"name":"go-kube-downscaler"`)
	if !strings.Contains(f.Remedy, `request.namespace != "scaling" || request.name != "go-kube-downscaler"`) {
		t.Error(f.Remedy)
	}
	// Standard input is taken.
	one(t, auditWith(t, Options{Flags: []string{"--from", "-"}}, webhook...), "webhook-skipped-by-name", "audit -n team-a -o wide --from -")
	// The webhook is not called about creations.
	updates := strings.Replace(webhook[0].(string), "CREATE, UPDATE", "UPDATE", 1)
	one(t, auditOf(t, updates, teamA, deployment("team-a", "web", "")), "webhook-skipped-by-name", "audit -n team-a -o wide")
}

// A condition that is put before it makes no other finding of it, and another expression does.
func TestWebhookSkippedByNameFingerprint(t *testing.T) {
	fingerprint := func(conditions ...string) string {
		return one(t, auditOf(t, downscalersOwn(conditions...), teamA, deployment("team-a", "web", "")), "webhook-skipped-by-name").Fingerprint()
	}
	first := fingerprint(skipsDownscaler)
	if fingerprint(skipsAccount, skipsDownscaler) != first || fingerprint(skipsWebhook) == first {
		t.Error("a finding is known by the expression")
	}
}
