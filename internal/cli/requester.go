package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/pflag"
	authenticationv1 "k8s.io/api/authentication/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/authentication/serviceaccount"
	authentication "k8s.io/client-go/kubernetes/typed/authentication/v1"
	"k8s.io/client-go/rest"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
)

// requesterFlags are what a requester has besides the name.
type requesterFlags struct {
	groups []string
	uid    string
	extra  []string
}

func (f *requesterFlags) add(flags *pflag.FlagSet) {
	flags.StringArrayVar(&f.groups, "user-group", nil, "A `GROUP` of the requester, besides those that the API server adds; repeatable")
	flags.StringVar(&f.uid, "user-uid", "", "The `UID` of the requester")
	flags.StringArrayVar(&f.extra, "user-extra", nil, "Something else that the API server knows of the requester, as `KEY=VALUE`; repeatable")
}

// requester is the named one with what the flags say.
func (f *requesterFlags) requester(name string) (request.Requester, error) {
	extra := map[string][]string{}
	for _, argument := range f.extra {
		key, value, found := strings.Cut(argument, "=")
		if !found || key == "" {
			return request.Requester{}, usageErrorf("--user-extra %s: write --user-extra KEY=VALUE", argument)
		}
		extra[key] = append(extra[key], value)
	}
	for _, group := range f.groups {
		if group == "" {
			return request.Requester{}, usageErrorf("--user-group names no group")
		}
	}
	return request.NewRequester(name, f.groups, f.uid, extra), nil
}

// userArgument is the requester that "as-user NAME" means.
func (f *requesterFlags) userArgument(name string) (request.Requester, error) {
	if name == "" {
		return request.Requester{}, usageErrorf("the user's NAME is empty")
	}
	return f.requester(name)
}

// serviceAccountArgument is the requester that "as-serviceaccount NAMESPACE:NAME" means.
func (f *requesterFlags) serviceAccountArgument(argument string) (request.Requester, error) {
	namespace, name, found := strings.Cut(argument, ":")
	username := serviceaccount.MakeUsername(namespace, name)
	if _, _, err := serviceaccount.SplitUsername(username); !found || err != nil {
		return request.Requester{}, usageErrorf("%q is no service account; write NAMESPACE:NAME", argument)
	}
	return f.requester(username)
}

// whoami asks the API server whom it takes the kubeconfig's credentials for. --as has no part in it: it is about
// who reads the cluster.
func whoami(ctx context.Context, config *rest.Config) (request.Requester, error) {
	config = rest.CopyConfig(config)
	config.Impersonate = rest.ImpersonationConfig{}
	client, err := authentication.NewForConfig(config)
	if err != nil {
		return request.Requester{}, err
	}
	review, err := client.SelfSubjectReviews().Create(ctx, &authenticationv1.SelfSubjectReview{}, metav1.CreateOptions{})
	switch {
	case apierrors.IsNotFound(err):
		return request.Requester{}, fmt.Errorf("the API server can't say who you are (it serves no SelfSubjectReview); name yourself with as-user and --user-group")
	case apierrors.IsForbidden(err):
		return request.Requester{}, fmt.Errorf("the API server does not say who you are: %w; name yourself with as-user and --user-group", err)
	case err != nil:
		return request.Requester{}, explainServer(config.Host, err)
	}
	return requesterOf(review.Status.UserInfo), nil
}

func requesterOf(user authenticationv1.UserInfo) request.Requester {
	extra := map[string][]string{}
	for key, values := range user.Extra {
		extra[key] = values
	}
	return request.NewRequester(user.Username, user.Groups, user.UID, extra)
}

func (f *requesterFlags) given() bool { return len(f.groups) > 0 || f.uid != "" || len(f.extra) > 0 }
