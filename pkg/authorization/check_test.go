package authorization

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/admission"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
)

// patcher may patch deployments and namespaces in a, and create nothing.
const patcher = `
{apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: {name: r, namespace: a}, rules: [{apiGroups: [apps, ""], resources: [deployments, namespaces], verbs: [patch, update]}]}
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, metadata: {name: b, namespace: a}, roleRef: {kind: Role, name: r}, subjects: [{kind: User, name: dev}]}
`

func TestCheckDenied(t *testing.T) {
	inv := files(t, patcher)
	r := patchOf(t, inv, "dev", "deployments")
	r.Subresource = "status"
	decision, err := check(t, inv, r)
	if err != nil {
		t.Fatal(err)
	}
	want := Decision{Verb: "patch", Source: SourceRBAC, Status: &metav1.Status{
		Status: metav1.StatusFailure, Code: 403, Reason: metav1.StatusReasonForbidden,
		Message: `deployments.apps "web" is forbidden: User "dev" cannot patch resource "deployments/status" in API group "apps" in the namespace "a"`,
		Details: &metav1.StatusDetails{Group: "apps", Kind: "deployments", Name: "web"},
	}}
	if diff := cmp.Diff(want, decision); diff != "" {
		t.Error(diff)
	}
}

// TestCheckMayCreate: server-side apply of a new object is asked for patch, then for create with its name.
func TestCheckMayCreate(t *testing.T) {
	inv := files(t, patcher)
	r := patchOf(t, inv, "dev", "deployments")
	r.Operation, r.MayCreate = admission.Create, true
	decision, err := check(t, inv, r)
	if err != nil {
		t.Fatal(err)
	}
	if decision.Allowed || !decision.AfterMutation || decision.Verb != "create" {
		t.Error(decision)
	}
	if want := `deployments.apps "web" is forbidden: User "dev" cannot create resource "deployments" in API group "apps" in the namespace "a"`; decision.Status.Message != want {
		t.Error(decision.Status.Message)
	}
	r.MayCreate = false
	if decision, err := check(t, inv, r); err != nil || !decision.Allowed {
		t.Error(decision, err)
	}
}

// TestCheckNamespace: a Namespace lies in itself, except while it is created by POST.
func TestCheckNamespace(t *testing.T) {
	inv := files(t, patcher)
	r := patchOf(t, inv, "dev", "namespaces")
	r.Namespace, r.Name = "a", "a"
	if decision, err := check(t, inv, r); err != nil || !decision.Allowed {
		t.Error(decision, err)
	}
	r.Verb, r.Operation = "create", admission.Create
	decision, err := check(t, inv, r)
	if want := `namespaces is forbidden: User "dev" cannot create resource "namespaces" in API group "" at the cluster scope`; err != nil || decision.Status.Message != want {
		t.Error(decision, err)
	}
}

// TestCheckNoRequest: what kubectl doesn't send is not refused.
func TestCheckNoRequest(t *testing.T) {
	inv := files(t, patcher)
	r := request.Request{NoRequest: true}
	if decision, err := check(t, inv, r); err != nil || !decision.Allowed {
		t.Error(decision, err)
	}
}

// TestCheckGrants: what the API server asks about grants of rights is said not to be simulated.
func TestCheckGrants(t *testing.T) {
	inv := files(t, roleWith(`{apiGroups: ["*"], resources: ["*"], verbs: ["*"]}`))
	for resource, want := range map[string]int{"roles": 1, "validatingadmissionpolicies": 1, "validatingwebhookconfigurations": 0, "deployments": 0} {
		decision, err := check(t, inv, patchOf(t, inv, "dev", resource))
		if err != nil || !decision.Allowed || len(decision.Assumptions) != want {
			t.Error(resource, decision, err)
		}
	}
	if decision, err := check(t, inv, patchOf(t, inv, "nobody", "roles")); err != nil || len(decision.Assumptions) != 0 {
		t.Error("a denial needs no assumption:", decision, err)
	}
}
