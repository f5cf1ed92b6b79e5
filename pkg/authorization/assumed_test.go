package authorization

import (
	"errors"
	"testing"

	"k8s.io/apiserver/pkg/admission"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
)

const editor = `{apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, metadata: {name: dev, namespace: a}, roleRef: {kind: ClusterRole, name: edit}, subjects: [{kind: User, name: dev}]}`

func patchOf(t *testing.T, inv inventory.Inventory, u string, resource string) request.Request {
	t.Helper()
	kind, err := inv.Kinds().Resolve(resource)
	if err != nil {
		t.Fatal(err)
	}
	return request.Request{
		Requester: request.NewRequester(u, nil, "", nil), Kind: kind, ObjectKind: kind.Kind,
		Operation: admission.Update, Verb: "patch", Namespace: "a", Name: "web",
	}
}

func check(t *testing.T, inv inventory.Inventory, r request.Request) (Decision, error) {
	t.Helper()
	z, err := New(inv, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return z.Check(t.Context(), r)
}

// TestDefaultRoles: manifests bind roles that every API server makes, and add to them.
func TestDefaultRoles(t *testing.T) {
	inv := files(t, editor+`
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: more, labels: {rbac.authorization.k8s.io/aggregate-to-edit: "true"}}, rules: [{apiGroups: [""], resources: [namespaces], verbs: [patch]}]}`)
	for resource, want := range map[string]bool{"deployments": true, "roles": false, "namespaces": true, "nodes": false} {
		decision, err := check(t, inv, patchOf(t, inv, "dev", resource))
		if decision.Allowed != want || err != nil {
			t.Error(resource, decision, err)
		}
	}
}

// TestFilesWithoutRole: a role that is not among the manifests allows nothing, and that is said.
func TestFilesWithoutRole(t *testing.T) {
	inv := files(t, `{apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, metadata: {name: dev, namespace: a}, roleRef: {kind: Role, name: gone}, subjects: [{kind: User, name: dev}]}`)
	decision, err := check(t, inv, patchOf(t, inv, "dev", "deployments"))
	if err != nil || decision.Allowed || len(decision.Assumptions) != 1 || decision.Source != SourceRBAC {
		t.Fatal(decision, err)
	}
	if want := (inventory.Gap{
		What: "Role gone",
		Why:  `RoleBinding "dev/a" of Role "gone" to User "dev", and that role is not among the manifests; it is taken to allow nothing`,
	}); decision.Assumptions[0] != want {
		t.Error(decision.Assumptions)
	}
}

// TestFilesWithoutRBAC: files that say nothing of rights give no answer, except for whom nothing can stop.
func TestFilesWithoutRBAC(t *testing.T) {
	inv := files(t, `{apiVersion: v1, kind: Namespace, metadata: {name: a}}`)
	if _, err := check(t, inv, patchOf(t, inv, "dev", "deployments")); !errors.Is(err, ErrNoRBAC) {
		t.Error(err)
	}
	z, err := New(inv, Options{})
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = z.Authorize(t.Context(), ask(dev(), "patch deployments.apps a/web"))
	if unknown := (*UnknownError)(nil); !errors.As(err, &unknown) || !errors.Is(err, ErrNoRBAC) {
		t.Error("an expression of a policy takes it for a no:", err)
	}
	r := patchOf(t, inv, "dev", "deployments")
	r.Requester.Groups = append(r.Requester.Groups, "system:masters")
	if decision, err := check(t, inv, r); err != nil || !decision.Allowed {
		t.Error(decision, err)
	}
}
