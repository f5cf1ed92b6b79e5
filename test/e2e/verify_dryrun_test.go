package e2e

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	auditv1 "k8s.io/apiserver/pkg/apis/audit/v1"
)

// verifier is a user of its own, so that its requests can be told from the tests' in the audit log.
const verifier = "verifier"

// TestVerifySendsDryRunsOnly proves from the API server's own audit log that verify writes nothing: whatever it sends
// is a read, a review, or a dry run, whoever it sends it as.
func TestVerifySendsDryRunsOnly(t *testing.T) {
	apply(t, "testdata/cluster.yaml")
	guard(t, "testdata/mutating.yaml")
	user, err := server.AddUser(verifier, "system:masters")
	if err != nil {
		t.Fatal(err)
	}
	deployment := []string{"as-user", "dev", "deploy/annotated", "-n", "team-a"}
	file := []string{"as-user", "dev", "-f", "-", "--set", "exclude=true"}
	for _, c := range [][]string{
		{"-A"}, {"-A", "--as-user", "dev"}, {"deploy/annotated", "-n", "team-a", "--user-group", "system:masters"},
		with(deployment, "--set", "exclude=false"), with(deployment, "--operation", "delete"), with(deployment, "--operation", "create"),
		with(deployment, "--set", "a=b", "--subresource", "status"), with(deployment, "--set", "a=b", "--subresource", "scale"),
		{"as-user", "dev", "namespace/annotated", "--operation", "delete"},
		{"as-user", "dev", "namespace/annotated", "--set", "a=b", "--subresource", "finalize"},
		{"as-me", "rollouts", "--all", "-A", "--operation", "delete"},
		{"as-serviceaccount", "team-a:default", "cronjobs", "--all", "-n", "team-a", "--remove", "exclude"},
		file, with(file, "--via", "server-side-apply"), with(file, "--via", "replace"), with(file, "--via", "create"),
		append(file[:4:4], "--operation", "delete"),
	} {
		out := kubectl(t, user.Kubeconfig, subjects["Deployment"].manifest, append([]string{"downscaler-compliance", "verify"}, c...)...)
		if strings.Contains(out.Stderr, "error:") {
			t.Errorf("%v: exit %d\n%s", c, out.Code, out.Stderr)
		}
	}
	methods := map[string]int{}
	for _, e := range requestsOf(t, verifier) {
		if readsOnly(e) {
			continue
		}
		methods[e.Verb]++
		if !onlyDryRun(t, e) {
			t.Errorf("%s %s by %s", e.Verb, e.RequestURI, e.UserAgent)
		}
	}
	for _, verb := range []string{"create", "update", "patch", "delete"} {
		if methods[verb] == 0 {
			t.Errorf("no %s among %v: this can't be all", verb, methods)
		}
	}
	if report, out := verified(t, user.Kubeconfig, "", deployment[0], "dev", "deploy/annotated", "-n", "team-a", "--set", "x=y"); report.Summary.Requests != 1 {
		t.Errorf("the Deployment is gone: exit %d\n%s", out.Code, out.Stderr)
	}
}

// with is a list of its own with further arguments.
func with(args []string, more ...string) []string { return slices.Concat(args, more) }

// onlyDryRun says whether nothing of a write can have been stored.
func onlyDryRun(t *testing.T, e auditv1.Event) bool {
	t.Helper()
	uri, err := url.Parse(e.RequestURI)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(e.RequestURI, "dryRun=All") || uri.Query().Get("dryRun") != "All" {
		return false
	}
	return e.Verb != "delete" || e.RequestObject != nil && strings.Contains(string(e.RequestObject.Raw), `"dryRun":["All"]`)
}
