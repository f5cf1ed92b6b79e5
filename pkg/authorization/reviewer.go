package authorization

import (
	"context"
	"fmt"
	"sync/atomic"

	authorizationv1 "k8s.io/api/authorization/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	authorizationclient "k8s.io/client-go/kubernetes/typed/authorization/v1"
)

// reviewer sends access reviews of one kind until the API server refuses them. A review is created but never
// stored: it changes nothing.
type reviewer struct {
	create  func(context.Context, authorizationv1.SubjectAccessReviewSpec) (authorizationv1.SubjectAccessReviewStatus, error)
	refused atomic.Pointer[refusedError]
}

// refusedError says that the API server takes no such reviews from us.
type refusedError struct{ err error }

func (e *refusedError) Error() string { return e.err.Error() }
func (e *refusedError) Unwrap() error { return e.err }

// send returns a *refusedError without asking where an earlier review was refused.
func (r *reviewer) send(ctx context.Context, spec authorizationv1.SubjectAccessReviewSpec) (answer, error) {
	if refused := r.refused.Load(); refused != nil {
		return answer{}, refused
	}
	status, err := r.create(ctx, spec)
	switch {
	case err == nil:
		return answerOf(status), nil
	case apierrors.IsForbidden(err), apierrors.IsNotFound(err), apierrors.IsMethodNotSupported(err):
		refused := &refusedError{err}
		r.refused.Store(refused)
		return answer{}, refused
	}
	return answer{}, fmt.Errorf("the API server doesn't answer an access review: %w", err)
}

// aboutOthers asks about anyone.
func aboutOthers(client authorizationclient.SubjectAccessReviewsGetter) *reviewer {
	return &reviewer{create: func(ctx context.Context, spec authorizationv1.SubjectAccessReviewSpec) (authorizationv1.SubjectAccessReviewStatus, error) {
		review := &authorizationv1.SubjectAccessReview{Spec: spec}
		answered, err := client.SubjectAccessReviews().Create(ctx, review, metav1.CreateOptions{})
		if err != nil {
			return authorizationv1.SubjectAccessReviewStatus{}, err
		}
		return answered.Status, nil
	}}
}

// aboutSelf asks about whoever asks, which everyone may.
func aboutSelf(client authorizationclient.SelfSubjectAccessReviewsGetter) *reviewer {
	return &reviewer{create: func(ctx context.Context, spec authorizationv1.SubjectAccessReviewSpec) (authorizationv1.SubjectAccessReviewStatus, error) {
		review := &authorizationv1.SelfSubjectAccessReview{Spec: authorizationv1.SelfSubjectAccessReviewSpec{
			ResourceAttributes: spec.ResourceAttributes, NonResourceAttributes: spec.NonResourceAttributes,
		}}
		answered, err := client.SelfSubjectAccessReviews().Create(ctx, review, metav1.CreateOptions{})
		if err != nil {
			return authorizationv1.SubjectAccessReviewStatus{}, err
		}
		return answered.Status, nil
	}}
}
