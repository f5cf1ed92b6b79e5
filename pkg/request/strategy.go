package request

import (
	"k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// bump says which changes raise metadata.generation.
type bump int

const (
	never bump = iota
	onSpec
	onSpecOrAnnotations
	onAnything // but metadata: custom resources
	sinceSome  // on the spec, in newer API servers only
)

// strategy is what the API server does with an object of a kind between mutating and validating
// admission, as far as policies can see it, and what it asks of the object's metadata.
type strategy struct {
	generation bump
	// status says that the main resource can't write the status, and /status can't write the spec.
	status bool
	// statusKeepsLabels says that /status can't write the labels either.
	statusKeepsLabels bool
	// unconditional says that an update needs no resourceVersion.
	unconditional bool
	name          validation.ValidateNameFunc
	// prepareCreate and prepareUpdate do what is the kind's alone, and return the paths of what they can't know.
	prepareCreate func(object runtime.Object) []string
	prepareUpdate func(object, old runtime.Object) []string
}

// strategies are those of k8s.io/kubernetes v1.37 pkg/registry/<group>/<resource>/strategy.go, the
// names' rules those of pkg/apis/<group>/validation. autoscaling: generation came with 1.37 (HPAGeneration).
var strategies = map[schema.GroupKind]strategy{
	{Group: "apps", Kind: "Deployment"}: {
		generation: onSpecOrAnnotations, status: true, statusKeepsLabels: true, unconditional: true, name: validation.NameIsDNSSubdomain,
	},
	{Group: "apps", Kind: "StatefulSet"}: {generation: onSpec, status: true, unconditional: true, name: validation.NameIsDNSLabel},
	{Group: "apps", Kind: "DaemonSet"}: {
		generation: onSpec, status: true, unconditional: true, name: validation.NameIsDNSSubdomain,
		prepareCreate: prepareDaemonSet, prepareUpdate: updateDaemonSet,
	},
	{Group: "apps", Kind: "ReplicaSet"}: {generation: onSpec, status: true, unconditional: true, name: validation.NameIsDNSSubdomain},
	{Group: "batch", Kind: "CronJob"}:   {generation: onSpec, status: true, unconditional: true, name: cronJobName},
	{Group: "batch", Kind: "Job"}: {
		generation: onSpec, status: true, unconditional: true, name: validation.NameIsDNSSubdomain, prepareCreate: prepareJob,
	},
	{Group: "autoscaling", Kind: "HorizontalPodAutoscaler"}: {generation: sinceSome, status: true, unconditional: true, name: validation.NameIsDNSSubdomain},
	{Group: "policy", Kind: "PodDisruptionBudget"}:          {generation: onSpec, status: true, name: validation.NameIsDNSSubdomain},
	{Group: "networking.k8s.io", Kind: "Ingress"}:           {generation: onSpec, status: true, unconditional: true, name: validation.NameIsDNSSubdomain},
	{Kind: "Service"}: {
		status: true, unconditional: true, name: validation.NameIsDNSLabel,
		prepareCreate: prepareService, prepareUpdate: updateService,
	},
	namespaceKind: {
		status: true, unconditional: true, name: validation.ValidateNamespaceName,
		prepareCreate: prepareNamespace, prepareUpdate: updateNamespace,
	},
}

// putCreates are the kinds of which a PUT creates what does not exist: those whose AllowCreateOnUpdate says so, of all the strategies of
// k8s.io/kubernetes v1.37 pkg/registry.
var putCreates = map[schema.GroupKind]bool{
	{Kind: "Service"}:                                                true,
	{Kind: "Endpoints"}:                                              true,
	{Kind: "LimitRange"}:                                             true,
	{Kind: "Event"}:                                                  true,
	{Group: "events.k8s.io", Kind: "Event"}:                          true,
	{Group: "coordination.k8s.io", Kind: "Lease"}:                    true,
	{Group: "coordination.k8s.io", Kind: "LeaseCandidate"}:           true,
	{Group: "node.k8s.io", Kind: "RuntimeClass"}:                     true,
	{Group: "rbac.authorization.k8s.io", Kind: "Role"}:               true,
	{Group: "rbac.authorization.k8s.io", Kind: "ClusterRole"}:        true,
	{Group: "rbac.authorization.k8s.io", Kind: "RoleBinding"}:        true,
	{Group: "rbac.authorization.k8s.io", Kind: "ClusterRoleBinding"}: true,
}

// strategyOf returns a kind's strategy. known is false for the API server's own kinds that are not in the
// table: what it does with their spec and status is not known.
func strategyOf(kind inventory.Kind) (s strategy, known bool) {
	s, known = strategies[kind.Kind.GroupKind()]
	if known {
		return s, true
	}
	if builtIn(kind.Kind) {
		return strategy{generation: never, unconditional: true, name: validation.NameIsDNSSubdomain}, false
	}
	// k8s.io/apiextensions-apiserver pkg/registry/customresource/strategy.go
	return strategy{generation: onAnything, status: kind.HasSubresource("status"), name: validation.NameIsDNSSubdomain}, true
}

// cronJobName is the rule for new CronJobs; it leaves room for what the controller appends.
func cronJobName(name string, prefix bool) []string {
	errs := validation.NameIsDNSSubdomain(name, prefix)
	if len(name) > 52 && !prefix {
		errs = append(errs, "must be no more than 52 characters")
	}
	return errs
}
