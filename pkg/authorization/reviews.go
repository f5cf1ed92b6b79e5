package authorization

import (
	"context"
	"errors"

	"github.com/go-logr/logr"
	authorizationv1 "k8s.io/api/authorization/v1"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	authorizationclient "k8s.io/client-go/kubernetes/typed/authorization/v1"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"
)

// How many reviews are under way at the same time.
const parallelReviews = 4

// reviews asks the API server, each question once.
type reviews struct {
	others *reviewer
	own    *reviewer
	isSelf func(user.Info) bool

	slots   chan struct{}
	names   names
	answers once[answer]
}

func newReviews(config *rest.Config, self user.Info) (*reviews, error) {
	config = rest.CopyConfig(config)
	config.WarningHandler = rest.NoWarnings{}
	config.WarningHandlerWithContext = nil
	if config.QPS == 0 && config.RateLimiter == nil {
		config.QPS, config.Burst = 50, 300 // kubectl's
	}
	client, err := authorizationclient.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	return &reviews{
		others: aboutOthers(client),
		own:    aboutSelf(client),
		isSelf: func(u user.Info) bool { return self != nil && sameUser(u, self) },
		slots:  make(chan struct{}, parallelReviews),
	}, nil
}

// ask returns the API server's answer. A *refusedError says that it takes no such questions from us.
func (r *reviews) ask(ctx context.Context, a authorizer.Attributes) (answer, error) {
	if r.names.several(a) {
		all, err := r.askOnce(ctx, allNames{a})
		if err != nil || all.allowed() {
			return all, err
		}
	}
	return r.askOnce(ctx, a)
}

func (r *reviews) askOnce(ctx context.Context, a authorizer.Attributes) (answer, error) {
	spec := question(a)
	key, err := key(spec)
	if err != nil {
		return answer{}, err
	}
	return r.answers.get(ctx, key, func() (answer, error) {
		select {
		case r.slots <- struct{}{}:
			defer func() { <-r.slots }()
		case <-ctx.Done():
			return answer{}, ctx.Err()
		}
		return r.send(klog.NewContext(ctx, logr.Discard()), a.GetUser(), spec)
	})
}

// send asks about oneself as oneself where that is allowed, which takes no right.
func (r *reviews) send(ctx context.Context, u user.Info, spec authorizationv1.SubjectAccessReviewSpec) (answer, error) {
	if u != nil && r.isSelf(u) {
		answered, err := r.own.send(ctx, spec)
		if refused := (*refusedError)(nil); !errors.As(err, &refused) {
			return answered, err
		}
	}
	return r.others.send(ctx, spec)
}
