package differential

import "k8s.io/apimachinery/pkg/runtime/schema"

// plurals are the resources of the kinds of kinds.yaml.
var plurals = map[string]string{
	"Deployment": "deployments", "StatefulSet": "statefulsets", "ReplicaSet": "replicasets", "DaemonSet": "daemonsets",
	"CronJob": "cronjobs", "Job": "jobs", "HorizontalPodAutoscaler": "horizontalpodautoscalers", "PodDisruptionBudget": "poddisruptionbudgets",
	"Service": "services", "Ingress": "ingresses", "Namespace": "namespaces", "Rollout": "rollouts", "Stack": "stacks", "Plan": "plans",
	"ConfigMap": "configmaps", "Setting": "settings", "ClusterSetting": "clustersettings",
}

func resourceOf(s subject) (group, version, resource string) {
	gvk := schema.FromAPIVersionAndKind(textAt(s.Manifest, "apiVersion"), s.kind())
	return gvk.Group, gvk.Version, plurals[gvk.Kind]
}
