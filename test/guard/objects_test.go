package guard

import "strings"

// A resource that the API server serves itself and that carries annotations in a guard's namespace.
type builtin struct{ group, resource, name string }

// builtins are those that the downscaler scales, with a status of their own each; every object is called annotated.
var builtins = []builtin{
	{"apps", "deployments", "annotated"}, {"apps", "statefulsets", "annotated"}, {"apps", "daemonsets", "annotated"},
	{"batch", "jobs", "annotated"}, {"batch", "cronjobs", "annotated"},
	{"autoscaling", "horizontalpodautoscalers", "annotated"}, {"policy", "poddisruptionbudgets", "annotated"},
	{"", "services", "annotated"}, {"networking.k8s.io", "ingresses", "annotated"},
}

const builtinManifests = `
apiVersion: v1
kind: Namespace
metadata: {name: NAMESPACE, ANNOTATIONS}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: annotated, namespace: NAMESPACE, ANNOTATIONS}
spec: {replicas: 3, selector: {matchLabels: {app: web}}, template: {TEMPLATE}}
---
apiVersion: apps/v1
kind: ReplicaSet
metadata: {name: annotated, namespace: NAMESPACE, ANNOTATIONS}
spec: {replicas: 3, selector: {matchLabels: {app: web}}, template: {TEMPLATE}}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: annotated, namespace: NAMESPACE, ANNOTATIONS}
spec: {replicas: 3, serviceName: web, selector: {matchLabels: {app: web}}, template: {TEMPLATE}}
---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: annotated, namespace: NAMESPACE, ANNOTATIONS}
spec: {selector: {matchLabels: {app: web}}, template: {TEMPLATE}}
---
apiVersion: batch/v1
kind: Job
metadata: {name: annotated, namespace: NAMESPACE, ANNOTATIONS}
spec: {template: {spec: {restartPolicy: Never, containers: [{name: main, image: job}]}}}
---
apiVersion: batch/v1
kind: CronJob
metadata: {name: annotated, namespace: NAMESPACE, ANNOTATIONS}
spec: {schedule: "0 3 * * *", jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: main, image: job}]}}}}}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: annotated, namespace: NAMESPACE, ANNOTATIONS}
spec: {minReplicas: 1, maxReplicas: 5, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: annotated}}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: annotated, namespace: NAMESPACE, ANNOTATIONS}
spec: {minAvailable: 1, selector: {matchLabels: {app: web}}}
---
apiVersion: v1
kind: Service
metadata: {name: annotated, namespace: NAMESPACE, ANNOTATIONS}
spec: {selector: {app: web}, ports: [{port: 80}]}
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: annotated, namespace: NAMESPACE, ANNOTATIONS}
spec: {defaultBackend: {service: {name: annotated, port: {number: 80}}}}
`

// builtinObjects are one of each, with a namespace, that carry annotations.
func builtinObjects(namespace string) string {
	return strings.NewReplacer(
		"NAMESPACE", namespace,
		"ANNOTATIONS", `annotations: {downscaler/exclude: "true", downscaler/uptime: always, example.com/owner: a}`,
		"TEMPLATE", `metadata: {labels: {app: web}}, spec: {containers: [{name: main, image: web}]}`,
	).Replace(builtinManifests)
}
