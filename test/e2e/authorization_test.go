package e2e

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// authorizationCases are requests, and whether it is RBAC that refuses them.
var authorizationCases = map[string]struct {
	stdin  string
	args   []string
	denied bool
}{
	"no right at all":               {"", []string{"as-user", "powerless", "deploy/annotated", "-n", "team-a", "--set", "exclude=false"}, true},
	"a role that is gone":           {"", []string{"as-user", "bound-to-nothing", "deploy/annotated", "-n", "team-a", "--remove", "exclude"}, true},
	"patch":                         {"", []string{"as-user", "patcher", "deploy/annotated", "-n", "team-a", "--set", "exclude=false"}, false},
	"patch of another kind":         {"", []string{"as-user", "patcher", "cronjob/annotated", "-n", "team-a", "--set", "exclude=false"}, true},
	"patch of a status":             {"", []string{"as-user", "patcher", "deploy/annotated", "-n", "team-a", "--subresource", "status", "--set", "exclude=false"}, true},
	"deletion":                      {"", []string{"as-user", "patcher", "deploy/annotated", "-n", "team-a", "--operation", "delete"}, true},
	"replacement":                   {annotatedManifest, []string{"as-user", "patcher", "-f", "-", "--via", "replace"}, true},
	"creation":                      {subjects["Deployment"].manifest, []string{"as-user", "patcher", "-f", "-", "--via", "create"}, true},
	"creation by apply":             {subjects["Deployment"].manifest, []string{"as-user", "patcher", "-f", "-", "--via", "server-side-apply"}, true},
	"creation with a made-up name":  {generatedJob, []string{"as-user", "patcher", "-f", "-", "--via", "create"}, true},
	"an annotation at creation":     {subjects["Deployment"].manifest, []string{"as-user", "patcher", "-f", "-", "--via", "server-side-apply", "--set", "exclude=true"}, true},
	"by name":                       {"", []string{"as-user", "named", "deploy/annotated", "-n", "team-a", "--remove", "exclude"}, false},
	"creation by name":              {subjects["Deployment"].manifest, []string{"as-user", "named", "-f", "-", "--via", "create"}, true},
	"one's own namespace":           {"", []string{"as-user", "owner", "namespace/annotated", "--set", "exclude=false"}, false},
	"another namespace":             {"", []string{"as-user", "owner", "namespace/plain", "--set", "exclude=false"}, true},
	"a namespace's creation":        {subjects["Namespace"].manifest, []string{"as-user", "owner", "-f", "-", "--via", "create"}, true},
	"in a namespace that isn't":     {strings.Replace(subjects["Deployment"].manifest, "namespace: team-a", "namespace: nowhere", 1), []string{"as-user", "patcher", "-f", "-", "--via", "create"}, true},
	"a custom resource":             {"", []string{"as-user", "patcher", "rollout/annotated", "-n", "team-a", "--remove", "exclude"}, true},
	"a service account's groups":    {"", []string{"as-serviceaccount", "annotated:any", "deploy/annotated", "-n", "team-a", "--remove", "exclude"}, false},
	"another's service account":     {"", []string{"as-serviceaccount", "plain:any", "deploy/annotated", "-n", "team-a", "--remove", "exclude"}, true},
	"the group that may everything": {"", []string{"as-user", "root", "--user-group", "system:masters", "deploy/annotated", "-n", "team-a", "--remove", "exclude"}, false},
}

const annotatedManifest = `{apiVersion: apps/v1, kind: Deployment, metadata: {name: annotated, namespace: team-a}, spec: {selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: main, image: web}]}}}}`

// TestAuthorization compares the whole Status of a simulation, by every source there is, with the one of an impersonated dry run.
func TestAuthorization(t *testing.T) {
	apply(t, "testdata/cluster.yaml")
	apply(t, "testdata/rights.yaml")
	guard(t, "testdata/validating.yaml")
	ways := sources(t)
	for name, c := range authorizationCases {
		t.Run(name, func(t *testing.T) {
			compared, out := verified(t, server.Admin.Kubeconfig, c.stdin, c.args...)
			mustAgree(t, compared, out)
			want := compared.Results[0].Server.Status
			if want == nil || strings.Contains(want.Message, `" cannot `) != c.denied {
				t.Fatalf("the API server says %+v, denied by RBAC should be %t", want, c.denied)
			}
			for way, source := range ways {
				report, out := source.simulate(t, c.stdin, c.args...)
				got := report.Results[0]
				if diff := cmp.Diff(want, got.Status, cmpopts.IgnoreTypes(metav1.TypeMeta{})); diff != "" {
					t.Errorf("%s: the API server (-) and the plugin (+) differ:\n%s", way, diff)
				}
				if out.Code != 1 || got.Outcome != simulate.Blocked || len(report.Incomplete) > 0 {
					t.Errorf("%s: exit %d, outcome %s, incomplete %v", way, out.Code, got.Outcome, report.Incomplete)
				}
				if s := got.Steps[0]; s.Phase != policy.PhaseAuthorization || (s.Decision == policy.Denied) != c.denied || c.denied && s.Message != want.Message {
					t.Errorf("%s: step %+v", way, s)
				}
			}
		})
	}
}

// TestAuthorizationUnknown: one who can neither ask nor list is told which right is missing, and never that a request passes.
func TestAuthorizationUnknown(t *testing.T) {
	apply(t, "testdata/cluster.yaml")
	apply(t, "testdata/rights.yaml")
	unknowing := source{kubeconfig: addUser(t, "unknowing").Kubeconfig}
	args := []string{"deploy/annotated", "-n", "team-a", "--set", "example.com/other=x"}
	for _, who := range [][]string{{"as-user", "patcher"}, {"as-user", "powerless"}, {"as-serviceaccount", "annotated:any"}} {
		report, out := unknowing.simulate(t, "", append(who, args...)...)
		if out.Code != 2 || report.Results[0].Outcome != simulate.Unknown || !mentions(report, `resources: [subjectaccessreviews], verbs: [create]`) {
			t.Errorf("%v: exit %d, outcome %s, incomplete %v", who, out.Code, report.Results[0].Outcome, report.Incomplete)
		}
		if !strings.Contains(out.Stderr, "roles, rolebindings") {
			t.Errorf("no hint which rights are missing:\n%s", out.Stderr)
		}
	}
	report, out := unknowing.simulate(t, "", append([]string{"as-user", "root", "--user-group", "system:masters"}, args...)...)
	if out.Code != 0 || report.Results[0].Outcome != simulate.Allowed {
		t.Errorf("system:masters: exit %d, incomplete %v", out.Code, report.Incomplete)
	}
	report, out = unknowing.simulate(t, "", append([]string{"as-me"}, args...)...)
	if out.Code != 1 || report.Results[0].Outcome != simulate.Blocked {
		t.Errorf("about itself anyone may ask: exit %d, incomplete %v", out.Code, report.Incomplete)
	}
}
