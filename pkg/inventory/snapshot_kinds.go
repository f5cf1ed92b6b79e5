package inventory

import (
	"cmp"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/downscaler"
)

// SnapshotOptions say what else a snapshot holds, or what not.
type SnapshotOptions struct {
	// Kinds are held besides those that Snapshot tells of, such as pods or secrets.
	Kinds []schema.GroupResource
	// Without are not held, such as configmaps, or a custom kind with too many objects.
	Without []schema.GroupResource
	// Progress is told of each kind before it is read: which one it is of how many. It may be nil.
	Progress func(nth, all int)
}

// snapshotKinds are the kinds that every snapshot holds where the server serves them: what the decision on a
// request depends on besides the object itself. ReplicaSets and ControllerRevisions are what a rollback brings back.
var snapshotKinds = []schema.GroupResource{
	{Group: "", Resource: "namespaces"},
	{Group: "", Resource: "serviceaccounts"},
	{Group: "admissionregistration.k8s.io", Resource: "mutatingadmissionpolicies"},
	{Group: "admissionregistration.k8s.io", Resource: "mutatingadmissionpolicybindings"},
	{Group: "admissionregistration.k8s.io", Resource: "mutatingwebhookconfigurations"},
	{Group: "admissionregistration.k8s.io", Resource: "validatingadmissionpolicies"},
	{Group: "admissionregistration.k8s.io", Resource: "validatingadmissionpolicybindings"},
	{Group: "admissionregistration.k8s.io", Resource: "validatingwebhookconfigurations"},
	{Group: "apiextensions.k8s.io", Resource: "customresourcedefinitions"},
	{Group: "apps", Resource: "controllerrevisions"},
	{Group: "apps", Resource: "replicasets"},
	{Group: "rbac.authorization.k8s.io", Resource: "clusterrolebindings"},
	{Group: "rbac.authorization.k8s.io", Resource: "clusterroles"},
	{Group: "rbac.authorization.k8s.io", Resource: "rolebindings"},
	{Group: "rbac.authorization.k8s.io", Resource: "roles"},
}

// leftOut are kinds that the cluster itself writes over and over, that hold what nobody's policies and manifests are
// about, or secrets. A group without a resource is left out as a whole.
var leftOut = map[schema.GroupResource]bool{
	{Resource: "endpoints"}:                                     true,
	{Resource: "events"}:                                        true,
	{Resource: "nodes"}:                                         true,
	{Resource: "persistentvolumes"}:                             true,
	{Resource: "pods"}:                                          true,
	{Resource: "secrets"}:                                       true,
	{Group: "certificates.k8s.io"}:                              true,
	{Group: "coordination.k8s.io"}:                              true,
	{Group: "discovery.k8s.io"}:                                 true,
	{Group: "events.k8s.io"}:                                    true,
	{Group: "internal.apiserver.k8s.io"}:                        true,
	{Group: "networking.k8s.io", Resource: "ipaddresses"}:       true,
	{Group: "resource.k8s.io", Resource: "resourceslices"}:      true,
	{Group: "storage.k8s.io", Resource: "csinodes"}:             true,
	{Group: "storage.k8s.io", Resource: "csistoragecapacities"}: true,
	{Group: "storage.k8s.io", Resource: "volumeattachments"}:    true,
	{Group: "acme.cert-manager.io"}:                             true,
	{Group: "aquasecurity.github.io"}:                           true,
	{Group: "cilium.io", Resource: "ciliumendpoints"}:           true,
	{Group: "cilium.io", Resource: "ciliumendpointslices"}:      true,
	{Group: "cilium.io", Resource: "ciliumidentities"}:          true,
	{Group: "cilium.io", Resource: "ciliumnodes"}:               true,
	{Group: "kyverno.io", Resource: "updaterequests"}:           true,
	{Group: "oauth.openshift.io"}:                               true,
	{Group: "openreports.io"}:                                   true,
	{Group: "reports.kyverno.io"}:                               true,
	{Group: "wgpolicyk8s.io"}:                                   true,
}

// askedKinds are those whose absence makes a snapshot incomplete for every use.
func askedKinds(inventory Inventory, options SnapshotOptions) map[schema.GroupResource]bool {
	asked := map[schema.GroupResource]bool{}
	for _, resource := range slices.Concat(snapshotKinds, options.Kinds, paramKinds(inventory)) {
		asked[resource] = true
	}
	for _, kind := range downscaler.Kinds() {
		asked[kind.Resource.GroupResource()] = true
	}
	for _, resource := range options.Without {
		delete(asked, resource)
	}
	return asked
}

// kindsToHold returns each kind once, in the version that the server prefers, sorted by group and resource.
func kindsToHold(inventory Inventory, options SnapshotOptions) []Kind {
	asked := askedKinds(inventory, options)
	seen := map[schema.GroupResource]bool{}
	var kinds []Kind
	for _, kind := range inventory.Kinds().All() {
		resource := kind.Resource.GroupResource()
		if seen[resource] || slices.Contains(options.Without, resource) || !slices.Contains(kind.Verbs, "list") {
			continue
		}
		if asked[resource] || isHeld(kind) {
			seen[resource] = true
			kinds = append(kinds, kind)
		}
	}
	slices.SortFunc(kinds, func(a, b Kind) int {
		return cmp.Or(cmp.Compare(a.Resource.Group, b.Resource.Group), cmp.Compare(a.Resource.Resource, b.Resource.Resource))
	})
	return kinds
}

// isHeld says whether a kind is held though nobody asked for it. What can't be written is computed anew for
// every list, as metrics are.
func isHeld(kind Kind) bool {
	resource := kind.Resource.GroupResource()
	return slices.Contains(kind.Verbs, "create") && !leftOut[resource] && !leftOut[schema.GroupResource{Group: resource.Group}]
}

// notHeld says what can be done about a kind that a snapshot has not.
func notHeld(resource schema.GroupResource) string {
	return fmt.Sprintf("the snapshot doesn't hold %[1]s; take the snapshot again with --include %[1]s, or ask the cluster itself", resource)
}

// paramKinds are the parameter kinds that the policies name.
func paramKinds(inventory Inventory) []schema.GroupResource {
	var kinds []schema.GroupVersionKind
	for _, policy := range inventory.Policies().Validating {
		if kind := policy.Spec.ParamKind; kind != nil {
			kinds = append(kinds, schema.FromAPIVersionAndKind(kind.APIVersion, kind.Kind))
		}
	}
	for _, policy := range inventory.Policies().Mutating {
		if kind := policy.Spec.ParamKind; kind != nil {
			kinds = append(kinds, schema.FromAPIVersionAndKind(kind.APIVersion, kind.Kind))
		}
	}
	var resources []schema.GroupResource
	for _, gvk := range kinds {
		if kind, served := inventory.Kinds().ForKind(gvk); served {
			resources = append(resources, kind.Resource.GroupResource())
		}
	}
	return resources
}
