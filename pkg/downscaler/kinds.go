package downscaler

import (
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Means is how the downscaler scales a kind, which decides what its replicas annotations may hold.
type Means string

// The means, each read from the wrappers in internal/pkg/scalable/.
const (
	ByReplicas     Means = "replicas"      // a replica count is set
	ByMinReplicas  Means = "min-replicas"  // a minimum is set that must stay at least 1
	ByBudget       Means = "budget"        // a count or a percentage is set
	BySuspension   Means = "suspension"    // a suspend field is set; downscale-replicas has no part in it
	ByNodeSelector Means = "node-selector" // a selector no node has is added; downscale-replicas has no part in it
	ByServiceType  Means = "service-type"  // the type becomes ClusterIP; downscale-replicas has no part in it
	ByClass        Means = "class"         // the class is replaced; downscale-replicas has no part in it
)

// Kind is one entry of what the downscaler can be told to scale.
type Kind struct {
	ID         string // as --include-resources takes it, in lower case
	Resource   schema.GroupVersionResource
	Kind       string
	Namespaced bool
	Default    bool // scaled where --include-resources is not given
	Means      Means
}

// GroupVersionKind is the kind with its group, in the version that the downscaler reads.
func (k Kind) GroupVersionKind() schema.GroupVersionKind {
	return k.Resource.GroupVersion().WithKind(k.Kind)
}

// Namespace is the guard's own further subject: the downscaler never scales a namespace, and reads
// from it the annotations that hold for all the workloads in it.
var Namespace = schema.GroupVersionKind{Version: "v1", Kind: "Namespace"}

// Namespaces is the resource of Namespace.
var Namespaces = schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}

// ids, groups, versions and kinds: GetWorkloads in internal/pkg/scalable/workload.go, and the client
// that each of the functions named there lists with. The default: internal/pkg/util/config.go.
var kinds = []Kind{
	entry("deployments", "apps", "v1", "Deployment", ByReplicas),
	entry("statefulsets", "apps", "v1", "StatefulSet", ByReplicas),
	entry("daemonsets", "apps", "v1", "DaemonSet", ByNodeSelector),
	entry("cronjobs", "batch", "v1", "CronJob", BySuspension),
	entry("jobs", "batch", "v1", "Job", BySuspension),
	entry("horizontalpodautoscalers", "autoscaling", "v2", "HorizontalPodAutoscaler", ByMinReplicas),
	entry("poddisruptionbudgets", "policy", "v1", "PodDisruptionBudget", ByBudget),
	entry("services", "", "v1", "Service", ByServiceType),
	entry("awselbservices", "", "v1", "Service", ByServiceType),
	entry("awsnlbservices", "", "v1", "Service", ByServiceType),
	entry("ingresses", "networking.k8s.io", "v1", "Ingress", ByClass),
	entry("gateways", "gateway.networking.k8s.io", "v1", "Gateway", ByClass),
	entry("scaledobjects", "keda.sh", "v1alpha1", "ScaledObject", ByReplicas),
	entry("rollouts", "argoproj.io", "v1alpha1", "Rollout", ByReplicas),
	entry("stacks", "zalando.org", "v1", "Stack", ByReplicas),
	entry("prometheuses", "monitoring.coreos.com", "v1", "Prometheus", ByReplicas),
	entry("autoscalingrunnersets", "actions.github.com", "v1alpha1", "AutoscalingRunnerSet", ByReplicas),
	entry("postgresqls", "acid.zalan.do", "v1", "postgresql", ByReplicas),
	entry("kafkaconnects", "kafka.strimzi.io", "v1", "KafkaConnect", ByReplicas),
	entry("kafkamirrormaker2s", "kafka.strimzi.io", "v1", "KafkaMirrorMaker2", ByReplicas),
	entry("kafkabridges", "kafka.strimzi.io", "v1", "KafkaBridge", ByReplicas),
}

func entry(id, group, version, kind string, means Means) Kind {
	resource := id
	if kind == "Service" {
		resource = "services" // two more ids stand for a part of the Services, by their load balancer
	}
	return Kind{
		ID:         id,
		Resource:   schema.GroupVersionResource{Group: group, Version: version, Resource: resource},
		Kind:       kind,
		Namespaced: true,
		Default:    id == "deployments",
		Means:      means,
	}
}

// Kinds lists what the downscaler can be told to scale, one entry an id, so that a resource which
// several ids stand for is there several times. The slice is the caller's to keep.
func Kinds() []Kind { return append([]Kind(nil), kinds...) }

// KindByID finds the entry for one item of --include-resources. Like the downscaler it ignores case
// and the spaces around an item.
func KindByID(id string) (Kind, bool) {
	id = strings.ToLower(strings.TrimSpace(id))
	for _, k := range kinds {
		if k.ID == id {
			return k, true
		}
	}
	return Kind{}, false
}

// KindFor finds the first entry for an object's kind. The group counts, since a Gateway or a Service
// may be someone else's; the version doesn't.
func KindFor(kind schema.GroupKind) (Kind, bool) {
	for _, k := range kinds {
		if k.GroupVersionKind().GroupKind() == kind {
			return k, true
		}
	}
	return Kind{}, false
}
