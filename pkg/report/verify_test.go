package report

import (
	"bytes"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/verify"
)

func verification(ref simulate.ObjectRef, agreement verify.Agreement, why string) verify.Result {
	return verify.Result{
		Object: ref, Operation: "UPDATE", Verb: "patch", Agreement: agreement, Why: why,
		Changes:   []verify.Change{{Key: "downscaler/exclude", Change: simulate.Added, Proposed: ptr("true")}},
		Simulated: verify.Answer{Outcome: simulate.Blocked, Status: denial(ref.Name)},
		Server:    &verify.Answer{Outcome: simulate.Blocked, Status: denial(ref.Name)},
		Steps:     []policy.Step{denied()},
	}
}

// everyAgreement has one object of each agreement.
func everyAgreement() *verify.Report {
	differs := verification(deployment("team-a", "web"), verify.Disagrees, "")
	differs.Server = &verify.Answer{Outcome: simulate.Altered, Annotations: map[string]string{"downscaler/exclude": "false"}}
	differs.Differences = []verify.Difference{
		{What: "outcome", Simulated: ptr("Blocked"), Server: ptr("Altered")}, {What: "status.message", Simulated: ptr(denial("web").Message)},
	}
	unknown := verification(deployment("team-a", "cache"), verify.NotCompared, "the server says allowed; that was not compared, since the simulation could not be certain")
	unknown.Simulated, unknown.Server = verify.Answer{Outcome: simulate.Unknown}, &verify.Answer{Outcome: simulate.Allowed}
	const missing = `authorization stops dev before admission; what RBAC is missing for dev: {apiGroups: ["apps"], resources: ["deployments"], verbs: ["patch"]} in the namespace team-b`
	report := verifyOf(differs, unknown, verification(deployment("team-a", "api"), verify.Agrees, ""),
		verification(deployment("team-b", "one"), verify.NotAsked, missing), verification(deployment("team-b", "two"), verify.NotAsked, missing))
	report.Assumptions = []inventory.Gap{{What: "ValidatingWebhookConfiguration hook", Why: "its webhook hook.example.com would be called, and what it does is not known"}}
	return report
}

func verifyOf(results ...verify.Result) *verify.Report {
	report := &verify.Report{
		APIVersion: simulate.APIVersion, Kind: "VerifyReport", Server: inventory.Server{Version: "v1.37.1", Source: inventory.SourceCluster},
		Requester: request.NewRequester("dev", nil, "", nil), Results: results,
	}
	for _, r := range results {
		report.Summary.Requests++
		*map[verify.Agreement]*int{
			verify.Agrees: &report.Summary.Agrees, verify.Disagrees: &report.Summary.Disagrees,
			verify.NotAsked: &report.Summary.NotAsked, verify.NotCompared: &report.Summary.NotCompared,
		}[r.Agreement]++
		if gap, open := r.Gap(); open {
			report.Incomplete = append(report.Incomplete, gap)
		}
	}
	return report
}

func TestVerifyGolden(t *testing.T) {
	for name, options := range map[string]Options{"": {}, "-all": {ShowAll: true}, "-width80": {Width: 80}, "-color": {Color: true}} {
		golden(t, "verify-table"+name+".txt", printed(t, Verify, "table", everyAgreement(), options))
	}
	golden(t, "verify-wide.txt", printed(t, Verify, "wide", everyAgreement(), Options{}))
	golden(t, "verify.json", printed(t, Verify, "json", everyAgreement(), Options{}))
	golden(t, "verify.yaml", printed(t, Verify, "yaml", everyAgreement(), Options{}))
	golden(t, "verify-empty.json", printed(t, Verify, "json", &verify.Report{}, Options{}))
}

func TestVerifyQuiet(t *testing.T) {
	agreed := verification(deployment("team-a", "api"), verify.Agrees, "")
	for _, c := range []struct {
		report *verify.Report
		want   string
	}{
		{verifyOf(), "No requests by dev: nothing was asked.\n"},
		{verifyOf(agreed), "1 request by dev: 1 agrees with the API server (--show-all lists them).\n"},
		{verifyOf(agreed, agreed), "2 requests by dev: 2 agree with the API server (--show-all lists them).\n"},
	} {
		if got := string(printed(t, Verify, "table", c.report, Options{})); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

func TestVerifyNames(t *testing.T) {
	if got := string(printed(t, Verify, "name", everyAgreement(), Options{})); got != "deployment.apps/web\ndeployment.apps/cache\ndeployment.apps/one\ndeployment.apps/two\n" {
		t.Error(got)
	}
	if got := string(printed(t, Verify, "name", everyAgreement(), Options{ShowAll: true})); strings.Count(got, "\n") != 5 {
		t.Error(got)
	}
	if got := string(printed(t, Verify, "jsonpath={.results[?(@.agreement==\"Disagrees\")].object.name}", everyAgreement(), Options{})); got != "web" {
		t.Error(got)
	}
}

func TestVerifyHostile(t *testing.T) {
	result := verification(simulate.ObjectRef{APIVersion: hostile, Kind: hostile, Namespace: hostile, Name: hostile}, verify.Disagrees, "")
	result.Operation, result.Verb, result.Subresource = hostile, hostile, hostile
	result.Changes = []verify.Change{{Key: hostile, Change: simulate.ChangeKind(hostile), Proposed: ptr(hostile)}}
	result.Differences = []verify.Difference{{What: hostile, Simulated: ptr(hostile), Server: ptr(hostile)}}
	result.Server = &verify.Answer{Outcome: simulate.Outcome(hostile), Status: &metav1.Status{Message: hostile}, Warnings: []string{hostile}, Annotations: map[string]string{hostile: hostile}}
	why := verification(result.Object, verify.NotCompared, hostile)
	report := verifyOf(result, why)
	report.Results[1].Agreement = verify.Agreement(hostile)
	report.Requester.Username = hostile
	report.Assumptions = []inventory.Gap{{What: hostile, Why: hostile}}
	for _, format := range []string{"table", "wide", "json", "yaml", "name"} {
		for _, width := range []int{0, 80} {
			data := printed(t, Verify, format, report, Options{Terminal: true, ShowAll: true, Width: width, Explain: format != "name"})
			assertHarmless(t, data)
			if format == "table" && bytes.ContainsRune(data, '\x1b') {
				t.Error("colour")
			}
		}
	}
}
