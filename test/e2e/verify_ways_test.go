package e2e

import (
	"strings"
	"testing"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/verify"
)

const generatedJob = `{apiVersion: batch/v1, kind: Job, metadata: {generateName: load-, namespace: team-a}, spec: {template: {spec: {restartPolicy: Never, containers: [{name: main, image: load}]}}}}`

const jobGuard = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: no-jobs}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [batch], apiVersions: [v1], resources: [jobs], operations: [CREATE]}]}
  validations:
  - {expression: "!has(object.metadata.annotations) || !('downscaler/exclude' in object.metadata.annotations)", message: not excluded}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: no-jobs}
spec: {policyName: no-jobs, validationActions: [Deny]}
`

// TestVerifyGeneratedName: the API server makes a name up, and both sides still say the same.
func TestVerifyGeneratedName(t *testing.T) {
	apply(t, "testdata/cluster.yaml")
	if err := server.Apply(t.Context(), []byte(jobGuard)); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := server.Delete(t.Context(), []byte(jobGuard)); err != nil {
			t.Error(err)
		}
	}()
	if err := server.WaitForPolicies(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, set := range []string{"exclude=true", "uptime=never"} {
		report, out := verified(t, server.Admin.Kubeconfig, generatedJob, "as-user", "dev", "-f", "-", "--via", "create", "--set", set)
		mustAgree(t, report, out)
		if status := report.Results[0].Server.Status; (status != nil) != (set == "exclude=true") || status != nil && !strings.Contains(status.Message, `"<generated>"`) {
			t.Errorf("%s: %+v", set, status)
		}
	}
}

// TestVerifyMigration: of the requests of kubectl apply --server-side only the first can be a dry run.
func TestVerifyMigration(t *testing.T) {
	apply(t, "testdata/cluster.yaml")
	manifest := strings.ReplaceAll(subjects["Deployment"].manifest, "name: new,", "name: migrate,")
	if out := kubectl(t, server.Admin.Kubeconfig, manifest, "apply", "-f", "-"); out.Code != 0 {
		t.Fatal(out.Stderr)
	}
	args := []string{"as-user", "dev", "-f", "-", "--via", "server-side-apply"}
	report, out := verified(t, server.Admin.Kubeconfig, manifest, args...)
	if out.Code != 2 || len(report.Results) != 1 || report.Results[0].Agreement != verify.Agrees || len(report.Incomplete) != 1 || !strings.Contains(report.Incomplete[0].Why, "a dry run stores nothing") {
		t.Errorf("exit %d, %+v, incomplete %v", out.Code, report.Summary, report.Incomplete)
	}
	report, out = verified(t, server.Admin.Kubeconfig, manifest, "as-user", "dev", "-f", "-")
	mustAgree(t, report, out)
	if report.Results[0].Server != nil {
		t.Error("kubectl apply of what is applied sends nothing; the server was asked")
	}
}

// TestVerifyPutOfWhatIsMissing: a few kinds are created by it, with the right to create, and the others not found.
func TestVerifyPutOfWhatIsMissing(t *testing.T) {
	apply(t, "testdata/cluster.yaml")
	for name, test := range map[string]struct {
		manifest string
		created  bool
	}{
		"Lease":         {"apiVersion: coordination.k8s.io/v1\nkind: Lease\nmetadata: {name: put, namespace: team-a}\nspec: {}\n", true},
		"LimitRange":    {"apiVersion: v1\nkind: LimitRange\nmetadata: {name: put, namespace: team-a}\nspec: {limits: []}\n", true},
		"Role":          {"apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: put, namespace: team-a}\nrules: []\n", true},
		"ConfigMap":     {"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: put, namespace: team-a}\n", false},
		"PriorityClass": {"apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: put}\nvalue: 1\n", false},
	} {
		t.Run(name, func(t *testing.T) {
			report, out := verified(t, server.Admin.Kubeconfig, test.manifest, "as-user", "root", "--user-group", "system:masters", "-f", "-", "--via", "replace")
			mustAgree(t, report, out)
			if status := report.Results[0].Server.Status; (status == nil) != test.created {
				t.Errorf("the API server: %+v", status)
			}
		})
	}
}
