package verify

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	authorizationv1 "k8s.io/api/authorization/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/authentication/serviceaccount"
	"k8s.io/client-go/rest"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
)

// rights finds out which rights to impersonate the requester are missing. The API server's answer tells one at most, and
// since constrained impersonation (KEP-5284) one of those that nobody needs who has these.
type rights struct {
	own       rest.Interface // without impersonation
	requester request.Requester
}

// missing names the RBAC rules; there are none where that can't be found out.
func (r rights) missing(ctx context.Context) string {
	var rules []string
	for _, right := range impersonationRights(r.requester) {
		if allowed, err := r.review(ctx, right); err == nil && !allowed {
			rules = append(rules, ruleOf(right))
		}
	}
	return strings.Join(rules, ", ")
}

// impersonationRights are what it takes to impersonate somebody.
func impersonationRights(r request.Requester) []authorizationv1.ResourceAttributes {
	const verb, authentication = "impersonate", "authentication.k8s.io"
	rights := []authorizationv1.ResourceAttributes{{Verb: verb, Resource: "users", Name: r.Username}}
	if namespace, name, err := serviceaccount.SplitUsername(r.Username); err == nil {
		rights[0] = authorizationv1.ResourceAttributes{Verb: verb, Resource: "serviceaccounts", Namespace: namespace, Name: name}
	}
	if r.UID != "" {
		rights = append(rights, authorizationv1.ResourceAttributes{Verb: verb, Group: authentication, Resource: "uids", Name: r.UID})
	}
	for _, group := range groupsToName(r) {
		rights = append(rights, authorizationv1.ResourceAttributes{Verb: verb, Resource: "groups", Name: group})
	}
	for _, key := range slices.Sorted(maps.Keys(r.Extra)) {
		for _, value := range r.Extra[key] {
			rights = append(rights, authorizationv1.ResourceAttributes{
				Verb: verb, Group: authentication, Resource: "userextras", Subresource: strings.ToLower(key), Name: value,
			})
		}
	}
	return rights
}

func ruleOf(right authorizationv1.ResourceAttributes) string {
	d := denial{verb: right.Verb, group: right.Group, resource: right.Resource, namespace: right.Namespace, name: right.Name}
	if right.Subresource != "" {
		d.resource += "/" + right.Subresource
	}
	return d.rule()
}

// review asks whether the config's own identity has a right. Nothing stores a review, and it is sent as a dry run like all else.
func (r rights) review(ctx context.Context, right authorizationv1.ResourceAttributes) (allowed bool, err error) {
	review := authorizationv1.SelfSubjectAccessReview{
		TypeMeta: metav1.TypeMeta{APIVersion: authorizationv1.SchemeGroupVersion.String(), Kind: "SelfSubjectAccessReview"},
		Spec:     authorizationv1.SelfSubjectAccessReviewSpec{ResourceAttributes: &right},
	}
	body, err := json.Marshal(review)
	if err != nil {
		return false, err
	}
	w, err := asDryRun(request.Wire{
		Method: http.MethodPost, Path: "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", ContentType: runtime.ContentTypeJSON, Body: body,
	})
	if err != nil {
		return false, err
	}
	got, err := send(ctx, r.own, w)
	if err != nil {
		return false, err
	}
	if got.code >= http.StatusBadRequest {
		return false, fmt.Errorf("HTTP %d", got.code)
	}
	err = json.Unmarshal(got.body, &review)
	return review.Status.Allowed, err
}
