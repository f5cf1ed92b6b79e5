package inventory

import (
	"context"
	"fmt"
	"slices"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/downscaler"
)

// discover asks for the server's version and kinds, past every cache. Group versions that the server
// can't tell of become gaps.
func (l *live) discover(ctx context.Context, config *rest.Config) error {
	client, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		return err
	}
	groups, lists, err := client.ServerGroupsAndResourcesWithContext(ctx)
	failed, partial := discovery.GroupDiscoveryFailedErrorGroups(err)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil && !partial:
		return l.unreachable(err)
	}
	l.kinds = NewKinds(groupResources(groups, lists))
	l.kinds.unread = map[schema.GroupVersion]string{}
	for gv, err := range failed {
		l.undiscovered(gv, err)
	}
	return l.askVersion(ctx, client)
}

func (l *live) unreachable(err error) error {
	return fmt.Errorf("the API server at %s does not say which kinds it serves: %w", l.host, explain(err))
}

// groupResources puts each group's resources under their versions.
func groupResources(groups []*metav1.APIGroup, lists []*metav1.APIResourceList) []*restmapper.APIGroupResources {
	byVersion := map[string][]metav1.APIResource{}
	for _, list := range lists {
		byVersion[list.GroupVersion] = list.APIResources
	}
	var all []*restmapper.APIGroupResources
	for _, group := range groups {
		resources := &restmapper.APIGroupResources{Group: *group, VersionedResources: map[string][]metav1.APIResource{}}
		for _, version := range group.Versions {
			if served, found := byVersion[version.GroupVersion]; found {
				resources.VersionedResources[version.Version] = served
			}
		}
		all = append(all, resources)
	}
	return all
}

// undiscovered records a group version of which it isn't known what it serves. That is a gap only in groups
// that are looked at anyway: an aggregated API that is down, such as metrics.k8s.io, takes nothing from
// the answers unless they ask for its kinds, and then Kinds says why they are not known.
func (l *live) undiscovered(gv schema.GroupVersion, err error) {
	why := fmt.Sprintf("the API server could not say which they are, perhaps as what serves them is down: %v", err)
	gap := Gap{What: fmt.Sprintf("the kinds of %s", gv), Why: why}
	l.kinds.unread[gv] = why
	if gv.Group == admissionregistrationv1.GroupName {
		l.policies.Unread = append(l.policies.Unread, gap)
	}
	if gv.Group == admissionregistrationv1.GroupName || isScaled(gv.Group) {
		l.incomplete = append(l.incomplete, gap)
	}
}

// isScaled says whether the downscaler scales kinds of a group.
func isScaled(group string) bool {
	return slices.ContainsFunc(downscaler.Kinds(), func(k downscaler.Kind) bool { return k.Resource.Group == group })
}

// askVersion asks for the server's version. Without an answer the newest one known is taken, and a gap says so.
func (l *live) askVersion(ctx context.Context, client *discovery.DiscoveryClient) error {
	l.server = Server{Version: builtin().Server.Version, Source: SourceCluster}
	info, err := client.ServerVersionWithContext(ctx)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		why := fmt.Sprintf("%v; %s is assumed", explain(err), l.server.Version)
		l.incomplete = append(l.incomplete, Gap{What: "the API server's version", Why: why})
	default:
		l.server.Version = info.GitVersion
	}
	return nil
}
