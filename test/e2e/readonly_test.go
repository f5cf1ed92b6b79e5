package e2e

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	auditv1 "k8s.io/apiserver/pkg/apis/audit/v1"
)

// reader is a user of its own, so that its requests can be told from the tests' in the audit log.
const reader = "reader"

// mayPost are the resources that the plugin creates: reviews, which nothing stores.
var mayPost = []string{"selfsubjectreviews", "selfsubjectaccessreviews", "subjectaccessreviews", "selfsubjectrulesreviews"}

// TestReadOnly proves from the API server's own audit log that no command writes.
func TestReadOnly(t *testing.T) {
	apply(t, "testdata/cluster.yaml")
	guard(t, "testdata/validating.yaml")
	user, err := server.AddUser(reader, "system:masters")
	if err != nil {
		t.Fatal(err)
	}
	commands := [][]string{
		{"audit", "-A"},
		{"audit", "-n", "team-a", "-o", "json"},
		{"simulate", "as-user", "dev", "deploy/annotated", "-n", "team-a", "--set", "exclude=false"},
		{"simulate", "as-user", "dev", "deploy/annotated", "-n", "team-a", "--operation", "delete"},
		{"simulate", "as-serviceaccount", "team-a:default", "cronjobs", "--all", "-n", "team-a", "--remove", "exclude"},
		{"simulate", "as-me", "-f", "-", "--set", "exclude=true"},
		{"snapshot", "--to", filepath.Join(t.TempDir(), "snapshot.yaml")},
		{"version"},
	}
	for _, c := range commands {
		out := kubectl(t, user.Kubeconfig, subjects["Deployment"].manifest, append([]string{"downscaler-compliance"}, c...)...)
		if out.Code > 1 {
			t.Errorf("%v: exit %d\n%s", c, out.Code, out.Stderr)
		}
	}
	events := requestsOf(t, reader)
	if len(events) < 20 {
		t.Fatalf("%d requests in the audit log: this can't be all", len(events))
	}
	for _, e := range events {
		if !readsOnly(e) {
			t.Errorf("%s %s by %s", e.Verb, e.RequestURI, e.UserAgent)
		}
	}
}

func requestsOf(t *testing.T, user string) []auditv1.Event {
	t.Helper()
	events, err := server.AuditEvents()
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(events, func(e auditv1.Event) bool { return e.User.Username != user })
}

func readsOnly(e auditv1.Event) bool {
	switch e.Verb {
	case "get", "list":
		return true
	case "create":
		return e.ObjectRef != nil && strings.HasSuffix(e.ObjectRef.APIGroup, ".k8s.io") && slices.Contains(mayPost, e.ObjectRef.Resource)
	}
	return false
}
