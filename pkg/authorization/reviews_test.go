package authorization

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	authorizationv1 "k8s.io/api/authorization/v1"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"
)

// TestReviewsSaved: how many requests a thousand objects cost.
func TestReviewsSaved(t *testing.T) {
	onlyByName := func(r *authorizationv1.SubjectAccessReview) {
		r.Status.Allowed = r.Spec.ResourceAttributes.Name == "web7"
	}
	cases := map[string]struct {
		decide  func(*authorizationv1.SubjectAccessReview)
		objects int
		want    int
		allowed int
	}{
		"one object":          {allowAll, 1, 1, 1},
		"all names":           {allowAll, 1000, 2, 1000},
		"no name":             {allowNone, 1000, 1001, 0},
		"one name":            {onlyByName, 1000, 1001, 1},
		"one object, refused": {allowNone, 1, 1, 0},
		`a rule for ""`:       {onlyNoName, 1000, 1001, 0},
	}
	for name, c := range cases {
		f := &fakeServer{decide: c.decide}
		z := f.start(t, nil, nil)
		allowed := 0
		for range 2 { // the second time everything is known
			allowed = 0
			for i := range c.objects {
				if allows(t, z, ask(dev(), fmt.Sprintf("patch deployments.apps a/web%d", i))) {
					allowed++
				}
			}
		}
		if len(f.asked) != c.want || allowed != c.allowed {
			t.Errorf("%s: %d requests, %d allowed", name, len(f.asked), allowed)
		}
	}
}

// TestReviewsTellQuestionsApart: whatever an authorizer may look at makes another question.
func TestReviewsTellQuestionsApart(t *testing.T) {
	f := &fakeServer{decide: allowAll}
	z := f.start(t, nil, nil)
	extra := &user.DefaultInfo{Name: "dev", Groups: []string{user.AllAuthenticated}, Extra: map[string][]string{"k": {"v"}}}
	questions := []authorizer.AttributesRecord{
		ask(dev(), "patch deployments.apps a/web"), ask(dev("devs"), "patch deployments.apps a/web"), ask(extra, "patch deployments.apps a/web"),
		ask(dev(), "update deployments.apps a/web"), ask(dev(), "patch deployments a/web"), ask(dev(), "patch deployments.apps b/web"),
		ask(dev(), "patch deployments.apps/status a/web"), ask(dev(), "patch deployments.apps web"), ask(dev(), "get /x"), ask(dev(), "get /y"),
	}
	for range 2 {
		for _, asked := range questions {
			if !allows(t, z, asked) {
				t.Error(asked)
			}
		}
	}
	if len(f.asked) != len(questions) {
		t.Error(f.asked)
	}
}

// TestReviewsAtOnce: many callers make few requests at a time, and one for each question.
func TestReviewsAtOnce(t *testing.T) {
	f := &fakeServer{decide: allowAll, hold: make(chan struct{})}
	z := f.start(t, nil, nil)
	var callers sync.WaitGroup
	for i := range 100 {
		callers.Go(func() {
			if !allows(t, z, ask(dev(), fmt.Sprintf("patch things%d a/", i%20))) {
				t.Error(i)
			}
		})
	}
	for range 20 {
		select {
		case f.hold <- struct{}{}:
		case <-time.After(10 * time.Second):
			t.Fatal("a request is missing")
		}
	}
	callers.Wait()
	if len(f.asked) != 20 || f.most > parallelReviews {
		t.Error(len(f.asked), f.most)
	}
}

// TestReviewsEnd: a context that ends is no answer, and others still get theirs.
func TestReviewsEnd(t *testing.T) {
	f := &fakeServer{decide: allowAll, hold: make(chan struct{})}
	z := f.start(t, nil, nil)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	asked := ask(dev(), "patch deployments.apps a/web")
	if _, _, err := z.Authorize(ctx, asked); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	close(f.hold)
	if !allows(t, z, asked) {
		t.Error("an ended context was remembered")
	}
}

// TestSelf: one's own rights are asked as oneself; those of anyone else, or of oneself in more groups, are not.
func TestSelf(t *testing.T) {
	f := &fakeServer{decide: allowAll}
	z := f.start(t, nil, dev("a", "b"))
	for u, want := range map[user.Info]string{
		dev("b", "a"):                  "selfsubjectaccessreviews ",
		dev("b", "a", "c"):             "subjectaccessreviews ",
		&user.DefaultInfo{Name: "dev"}: "subjectaccessreviews ",
	} {
		f.asked = nil
		if !allows(t, z, ask(u, "create deployments.apps a/")) || len(f.asked) != 1 || f.asked[0] != want {
			t.Error(u, f.asked)
		}
	}
}

// TestReviewWords: the API server's reason comes out word for word, and its authorizers' error as an error.
func TestReviewWords(t *testing.T) {
	asked := ask(dev(), "patch deployments.apps a/web")
	f := &fakeServer{decide: allowNone}
	if decision, reason, err := f.start(t, nil, nil).Authorize(t.Context(), asked); decision != authorizer.DecisionNoOpinion || reason != "rbac: because" || err != nil {
		t.Error(decision, reason, err)
	}
	f = &fakeServer{decide: func(r *authorizationv1.SubjectAccessReview) { r.Status.Denied = true }}
	if decision, _, err := f.start(t, nil, nil).Authorize(t.Context(), asked); decision != authorizer.DecisionDeny || err != nil {
		t.Error(decision, err)
	}
	f = &fakeServer{decide: func(r *authorizationv1.SubjectAccessReview) { r.Status.EvaluationError = "webhook is down" }}
	z := f.start(t, nil, nil)
	if _, _, err := z.Authorize(t.Context(), asked); err == nil || err.Error() != "webhook is down" {
		t.Error(err)
	}
}
