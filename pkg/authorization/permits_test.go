package authorization

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	authorizationv1 "k8s.io/api/authorization/v1"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// namedPatcher may patch one Deployment.
const namedPatcher = `
{apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: {name: r, namespace: a}, rules: [{apiGroups: [apps], resources: [deployments], resourceNames: [web7], verbs: [patch]}]}
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, metadata: {name: b, namespace: a}, roleRef: {kind: Role, name: r}, subjects: [{kind: User, name: dev}]}
`

// TestPermits: how many requests it costs to ask about a thousand objects, and that names count.
func TestPermits(t *testing.T) {
	onlyByName := func(r *authorizationv1.SubjectAccessReview) {
		r.Status.Allowed = r.Spec.ResourceAttributes.Name == "web7"
	}
	for name, c := range map[string]struct {
		inventory inventory.Inventory
		decide    func(*authorizationv1.SubjectAccessReview)
		requests  int
		allowed   int
	}{
		"all":                     {whole{files(t, patcher)}, allowAll, 1, 1000},
		"none, and no role names": {whole{files(t, strings.ReplaceAll(patcher, "name: dev", "name: other"))}, allowNone, 1, 0},
		"one, which a role names": {whole{files(t, namedPatcher)}, onlyByName, 2, 1},
		"a role names it in vain": {whole{files(t, namedPatcher)}, allowNone, 2, 0},
		"roles can't be read":     {noRBAC{files(t, patcher)}, onlyByName, 1001, 1},
		`a role names ""`:         {whole{files(t, strings.ReplaceAll(namedPatcher, "web7", `""`))}, onlyNoName, 1, 0},
	} {
		f := &fakeServer{decide: c.decide}
		z := f.start(t, c.inventory, nil)
		allowed := 0
		for i := range 1000 {
			may, assumptions, err := z.Permits(t.Context(), ask(dev(), fmt.Sprintf("patch deployments.apps a/web%d", i)))
			if err != nil || len(assumptions) > 0 {
				t.Fatal(name, assumptions, err)
			}
			if may {
				allowed++
			}
		}
		if len(f.asked) != c.requests || allowed != c.allowed {
			t.Errorf("%s: %d requests, %d allowed", name, len(f.asked), allowed)
		}
	}
}

func TestPermitsByFiles(t *testing.T) {
	z, err := New(files(t, namedPatcher), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for asked, want := range map[string]bool{
		"patch deployments.apps a/web7": true, "patch deployments.apps a/web8": false,
		"update deployments.apps a/web7": false, "create deployments.apps a/": false, "patch deployments.apps a/": false,
	} {
		if may, _, err := z.Permits(t.Context(), ask(dev(), asked)); may != want || err != nil {
			t.Error(asked, may, err)
		}
	}
}

// TestPermitsUnknown: a failure is no refusal.
func TestPermitsUnknown(t *testing.T) {
	f := &fakeServer{decide: func(r *authorizationv1.SubjectAccessReview) { r.Status.EvaluationError = "webhook is down" }}
	_, _, err := f.start(t, whole{files(t, patcher)}, nil).Permits(t.Context(), ask(dev(), "patch deployments.apps a/web"))
	if unknown := (*UnknownError)(nil); !errors.As(err, &unknown) {
		t.Error(err)
	}
}
