package inventory

import (
	"errors"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// The API server's words are kept only where they say more than that a right is missing.
func TestForbiddenError(t *testing.T) {
	pods := schema.GroupResource{Resource: "pods"}
	for _, test := range []struct{ verb, namespace, reason, want string }{
		{"list", "", `User "a" cannot list resource "pods" in API group "" at the cluster scope`, "no right to list them"},
		{"list", "x", `User "a" cannot list resource "pods" in API group "" in the namespace "x"`, "no right to list them in namespace x"},
		{"get", "x", `User "a" cannot get resource "pods" in API group "" in the namespace "x": RBAC: role.rbac.authorization.k8s.io "r" not found`,
			`no right to get it: RBAC: role.rbac.authorization.k8s.io "r" not found`},
		{"get", "x", "the moon is full", `no right to get it: pods "p" is forbidden: the moon is full`},
	} {
		l := &live{}
		err := l.forbidden(apierrors.NewForbidden(pods, "p", errors.New(test.reason)), Right{test.verb, pods, test.namespace})
		if err.Error() != test.want || !apierrors.IsForbidden(err) {
			t.Errorf("%s: %q, want %q", test.reason, err, test.want)
		}
		again := l.forbidden(err, Right{"watch", pods, ""})
		if rights := MissingRights(l); again.Error() != test.want || len(rights) != 1 || rights[0].Verb != test.verb {
			t.Error(again, rights)
		}
	}
	l := &live{}
	if err := l.forbidden(apierrors.NewNotFound(pods, "p"), Right{}); errors.As(err, new(*ForbiddenError)) || len(l.missing) > 0 {
		t.Error("every error is taken for a missing right:", err)
	}
}
