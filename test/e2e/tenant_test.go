package e2e

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/audit"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

const tenantRights = `
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: tenant, namespace: team-a}
rules:
- {apiGroups: [apps], resources: [deployments], verbs: [get, list, patch]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: tenant, namespace: team-a}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: tenant}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: tenant}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: auditor}
rules:
- {apiGroups: [admissionregistration.k8s.io], resources: ["*"], verbs: [get, list]}
- {apiGroups: [""], resources: [namespaces, services, configmaps], verbs: [get, list]}
- {apiGroups: [apps, batch, argoproj.io, networking.k8s.io, policy], resources: ["*"], verbs: [get, list]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: auditor}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: auditor}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: auditor}]
`

// TestTenant: who may not read the policies is told so, and gets no "allowed".
func TestTenant(t *testing.T) {
	apply(t, "testdata/cluster.yaml")
	guard(t, "testdata/validating.yaml")
	if err := server.Apply(t.Context(), []byte(tenantRights)); err != nil {
		t.Fatal(err)
	}
	tenant, err := server.AddUser("tenant")
	if err != nil {
		t.Fatal(err)
	}
	out := kubectl(t, tenant.Kubeconfig, "", "downscaler-compliance", "simulate", "as-me", "deploy/annotated", "-n", "team-a", "--remove", "exclude", "-o", "json")
	var report simulate.Report
	if err := json.Unmarshal([]byte(out.Stdout), &report); err != nil {
		t.Fatalf("%v\n%s", err, out.Stderr)
	}
	if out.Code != 2 || len(report.Results) != 1 || report.Results[0].Outcome != simulate.Unknown {
		t.Errorf("exit %d, results %+v", out.Code, report.Results)
	}
	if !mentions(report, "validatingadmissionpolicies") {
		t.Errorf("incomplete %v does not name the policies", report.Incomplete)
	}
	if !strings.Contains(out.Stdout+out.Stderr, "--from") {
		t.Errorf("no way on is shown:\n%s\n%s", out.Stdout, out.Stderr)
	}
}

func mentions(report simulate.Report, what string) bool {
	for _, gap := range report.Incomplete {
		if strings.Contains(gap.What+gap.Why, what) {
			return true
		}
	}
	return false
}

// TestKindThatMayNotBeListed: the rest is still audited, and the exit code says that it isn't all.
func TestKindThatMayNotBeListed(t *testing.T) {
	apply(t, "testdata/cluster.yaml")
	guard(t, "testdata/validating.yaml")
	if err := server.Apply(t.Context(), []byte(tenantRights)); err != nil {
		t.Fatal(err)
	}
	auditor, err := server.AddUser("auditor")
	if err != nil {
		t.Fatal(err)
	}
	out := kubectl(t, auditor.Kubeconfig, "", "downscaler-compliance", "audit", "-A", "-o", "json")
	var report audit.Report
	if err := json.Unmarshal([]byte(out.Stdout), &report); err != nil {
		t.Fatalf("%v\n%s", err, out.Stderr)
	}
	// The auditor may not list roles and bindings either.
	if out.Code != 2 || len(report.Incomplete) != 2 || !strings.Contains(report.Incomplete[0].What, "horizontalpodautoscalers") || !strings.Contains(report.Incomplete[1].Why, "roles") {
		t.Errorf("exit %d, incomplete %v", out.Code, report.Incomplete)
	}
	// Whoever leaves out the rules that need them is told of the kind alone.
	out = kubectl(t, auditor.Kubeconfig, "", "downscaler-compliance", "audit", "-A", "--skip-rule", "privileged-path,policy-editable", "-o", "json")
	if err := json.Unmarshal([]byte(out.Stdout), &report); err != nil {
		t.Fatalf("%v\n%s", err, out.Stderr)
	}
	if len(report.Incomplete) != 1 {
		t.Errorf("incomplete %v", report.Incomplete)
	}
	for _, o := range report.Objects {
		if o.Object.Kind == "Deployment" && o.Object.Name == "annotated" && o.Guard.Edit == audit.ProtectionBlocked {
			return
		}
	}
	t.Errorf("the Deployment was not audited: %+v", report.Objects)
}
