package findings

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/audit"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/verify"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/test/plugin"
)

// situation is what one finding is about. Every NS in its texts is the test's own namespace, which holds the Deployment web.
type situation struct {
	rule string
	// world are objects that are there before and after it is mended, beside the namespace, its Deployment and the rights of tenant, who may write
	// everything and whom no policy should let through.
	world string
	// open makes the situation, closed mends it: each is applied before the questions are asked, and deleted again.
	open, closed string
	// ask are the arguments of verify for the request that shows the leak, made as tenant unless they name somebody: it passes unaltered where the
	// situation is open, and is blocked or altered where it is closed. In place of it, leaks says whether the leak is there.
	ask   []string
	leaks func(t *testing.T, namespace string) bool
	// audit are the arguments of the audit that finds it; -A where there are none.
	audit []string
	// subject is part of the finding's subject, as subjectOf writes it.
	subject string
	// says is part of the finding's message.
	says string
}

const basics = `
apiVersion: v1
kind: Namespace
metadata: {name: NS}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: NS}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: main, image: web}]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: tenant}
rules: [{apiGroups: ["*"], resources: ["*"], verbs: ["*"]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: tenant}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: tenant}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: tenant}]
`

// try makes the situation and mends it.
func (s situation) try(t *testing.T) {
	t.Helper()
	namespace := strings.ToLower(strings.ReplaceAll(t.Name(), "/", "-"))
	namespace = strings.Trim(strings.ReplaceAll(namespace, "_", "-"), "-")
	in := func(text string) string { return strings.ReplaceAll(text, "NS", namespace) }
	apply(t, in(basics))
	if s.world != "" {
		apply(t, in(s.world))
		t.Cleanup(func() { remove(t, in(s.world)) })
	}
	t.Cleanup(func() { remove(t, in(basics)) })

	for _, side := range []struct {
		name, manifests string
		open            bool
	}{{"open", s.open, true}, {"closed", s.closed, false}} {
		t.Run(side.name, func(t *testing.T) {
			if side.manifests != "" {
				apply(t, in(side.manifests))
				t.Cleanup(func() { remove(t, in(side.manifests)) })
			}
			if err := server.WaitForPolicies(t.Context()); err != nil {
				t.Fatal(err)
			}
			if leaks := s.isThere(t, namespace, in); leaks != side.open {
				t.Errorf("the leak is there: %v", leaks)
			}
			s.checkFinding(t, in, side.open)
		})
	}
}

// isThere puts the request to the API server, by dry run.
func (s situation) isThere(t *testing.T, namespace string, in func(string) string) bool {
	t.Helper()
	if s.leaks != nil {
		return s.leaks(t, namespace)
	}
	args := []string{"verify", "-o", "json"}
	if len(s.ask) > 0 && !strings.HasPrefix(s.ask[0], "as-") {
		args = append(args, "as-user", "tenant")
	}
	for _, arg := range s.ask {
		args = append(args, in(arg))
	}
	out := administer(t, args...)
	var report verify.Report
	if err := json.Unmarshal([]byte(out.Stdout), &report); err != nil {
		t.Fatalf("exit %d: %v\n%s", out.Code, err, out.Stderr)
	}
	if report.Summary.Requests != 1 || report.Summary.Agrees != 1 {
		t.Fatalf("simulation and API server: %+v, incomplete %v", report.Summary, report.Incomplete)
	}
	return report.Results[0].Server.Outcome == "Allowed"
}

// checkFinding audits: a finding is there exactly where it should be, and its evidence is a command that runs.
func (s situation) checkFinding(t *testing.T, in func(string) string, want bool) {
	t.Helper()
	args := []string{"audit", "-o", "json"}
	for _, arg := range s.audit {
		args = append(args, in(arg))
	}
	if len(s.audit) == 0 {
		args = append(args, "-A")
	}
	out := administer(t, args...)
	var report audit.Report
	if err := json.Unmarshal([]byte(out.Stdout), &report); err != nil {
		t.Fatalf("exit %d: %v\n%s", out.Code, err, out.Stderr)
	}
	var found []audit.Finding
	for _, f := range report.Findings {
		if f.ID == s.rule && strings.Contains(subjectOf(f), in(s.subject)) {
			found = append(found, f)
		}
	}
	if got := len(found) > 0; got != want {
		t.Errorf("found: %v; all findings:", got)
		for _, f := range report.Findings {
			t.Errorf("  %s %s: %s", f.ID, subjectOf(f), f.Message)
		}
	}
	for _, f := range found {
		if !strings.Contains(f.Message, in(s.says)) {
			t.Errorf("the message lacks %q: %s", in(s.says), f.Message)
		}
		again, err := built.Shell(t.Context(), server.Admin.Kubeconfig, f.Evidence)
		if err != nil || again.Code == 2 {
			t.Errorf("the evidence can't be repeated: %v, exit %d: %s\n%s", err, again.Code, f.Evidence, again.Stderr)
		}
	}
}

// subjectOf writes a subject in one line: ValidatingAdmissionPolicy block spec.matchConditions[0].
func subjectOf(f audit.Finding) string {
	return strings.Join(strings.Fields(strings.Join([]string{f.Subject.Kind, f.Subject.Namespace, f.Subject.Name, f.Subject.Field}, " ")), " ")
}

func apply(t *testing.T, manifests string) {
	t.Helper()
	if err := server.Apply(t.Context(), []byte(manifests)); err != nil {
		t.Fatal(err)
	}
}

func remove(t *testing.T, manifests string) {
	t.Helper()
	if err := server.Delete(context.WithoutCancel(t.Context()), []byte(manifests)); err != nil {
		t.Error(err)
	}
}

// administer runs the plugin as the administrator.
func administer(t *testing.T, args ...string) plugin.Output {
	t.Helper()
	out, err := built.Run(t.Context(), server.Admin.Kubeconfig, "", args...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
