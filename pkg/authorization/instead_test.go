package authorization

import (
	"context"
	"errors"
	"iter"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// noRBAC may not be listed for roles and bindings.
type noRBAC struct{ inventory.Inventory }

// Objects implements inventory.Inventory.
func (noRBAC) Objects(_ context.Context, query inventory.Query) iter.Seq2[inventory.Object, error] {
	return func(yield func(inventory.Object, error) bool) {
		for _, kind := range query.Kinds {
			err := apierrors.NewForbidden(kind.Resource.GroupResource(), "", errors.New("no"))
			if !yield(inventory.Object{}, &inventory.ListError{Kind: kind, Err: err}) {
				return
			}
		}
	}
}

var refusesAll = map[string]bool{"subjectaccessreviews": true, "selfsubjectaccessreviews": true}

// TestInsteadOfReviews: a server that takes no reviews is asked once, and its roles and bindings decide.
func TestInsteadOfReviews(t *testing.T) {
	f := &fakeServer{refuses: refusesAll}
	inv := whole{files(t, patcher)}
	z := f.start(t, inv, dev())
	r := patchOf(t, inv, "dev", "deployments")
	decision, err := z.Check(t.Context(), r)
	if err != nil || !decision.Allowed || decision.Source != SourceRBAC || len(decision.Assumptions) != 1 || decision.Assumptions[0].What != RBACFirst {
		t.Error(decision, err)
	}
	r.Requester.Username = "other"
	decision, err = z.Check(t.Context(), r)
	if err != nil || decision.Allowed || len(decision.Assumptions) != 1 || decision.Assumptions[0].What != RBACAlone {
		t.Error(decision, err)
	}
	if len(f.asked) != 2 {
		t.Error(f.asked)
	}
}

// TestNobodyCanTell: the error says what is missing.
func TestNobodyCanTell(t *testing.T) {
	f := &fakeServer{refuses: refusesAll}
	z := f.start(t, noRBAC{files(t, patcher)}, nil)
	_, _, err := z.Authorize(t.Context(), ask(dev(), "patch deployments.apps a/web"))
	unknown := (*UnknownError)(nil)
	if !errors.As(err, &unknown) || len(unknown.Needed) != 2 {
		t.Fatal(err)
	}
	const want = `whether dev may patch deployments.apps in namespace a is not known: subjectaccessreviews.authorization.k8s.io is forbidden: no; ` +
		`and the roles and bindings can't be read instead: listing roles.rbac.authorization.k8s.io: roles.rbac.authorization.k8s.io is forbidden: no (and 3 more); ` +
		`it takes a ClusterRole with the rule {apiGroups: [authorization.k8s.io], resources: [subjectaccessreviews], verbs: [create]}, ` +
		`or one with {apiGroups: [rbac.authorization.k8s.io], resources: [roles, clusterroles, rolebindings, clusterrolebindings], verbs: [list]}`
	if err.Error() != want {
		t.Errorf("%s\n%s", err, want)
	}
}

// TestServerFails: an answer that doesn't come is not replaced by a guess from the roles.
func TestServerFails(t *testing.T) {
	f := &fakeServer{fails: true}
	_, _, err := f.start(t, whole{files(t, patcher)}, nil).Authorize(t.Context(), ask(dev(), "patch deployments.apps a/web"))
	if unknown := (*UnknownError)(nil); !errors.As(err, &unknown) || len(unknown.Needed) != 0 || !strings.Contains(err.Error(), "broken") {
		t.Error(err)
	}
}

// TestSelectors: a list request's selectors are asked about as they stand.
func TestSelectors(t *testing.T) {
	asked := ask(dev(), "list pods a/")
	parsed, err := metav1.ParseToLabelSelector("a in (b,c),!d")
	if err != nil {
		t.Fatal(err)
	}
	selector, err := metav1.LabelSelectorAsSelector(parsed)
	if err != nil {
		t.Fatal(err)
	}
	asked.LabelSelectorRequirements, _ = selector.Requirements()
	asked.FieldSelectorRequirements = fieldsOf(t, "spec.nodeName=n,status.phase!=a\\,b")
	attributes := question(asked).ResourceAttributes
	if attributes.LabelSelector.RawSelector != "a in (b,c),!d" || attributes.FieldSelector.RawSelector != "spec.nodeName=n,status.phase!=a\\,b" {
		t.Error(attributes.LabelSelector, attributes.FieldSelector)
	}
}

// TestInsteadOfReviewsForPolicies: what a policy makes of RBAC's word may be the opposite of it.
func TestInsteadOfReviewsForPolicies(t *testing.T) {
	f := &fakeServer{refuses: refusesAll}
	z := f.start(t, whole{files(t, patcher)}, nil)
	for _, asked := range []string{"patch deployments.apps a/web", "delete deployments.apps a/web"} {
		_, _, assumptions, err := z.AuthorizeAssuming(t.Context(), ask(dev(), asked))
		if err != nil || len(assumptions) != 1 || assumptions[0].What != RBACTellsIt {
			t.Error(asked, assumptions, err)
		}
	}
}
