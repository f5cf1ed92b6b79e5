package audit

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/authorization"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// Workloads are what runs in a namespace: its pods, and what makes them but is made by nothing else. The gaps are kinds that can't be listed; but that a
// snapshot holds no pods, as few do, is an assumption: what makes pods tells who runs there.
func Workloads(ctx context.Context, inv inventory.Inventory, namespace string) (found []authorization.Workload, gaps, assumptions []inventory.Gap, err error) {
	for _, maker := range authorization.Makers() {
		kind, served := servedAs(inv.Kinds(), schema.GroupVersionResource{Group: maker.Group, Version: "v1", Resource: maker.Resource})
		if !served {
			continue
		}
		for object, unread := range inv.Objects(ctx, inventory.Query{Kinds: []inventory.Kind{kind}, Namespace: namespace}) {
			gap, known := Gap(unread)
			switch {
			case known && maker.Resource == "pods" && inv.Server().Source != inventory.SourceCluster:
				assumptions = []inventory.Gap{noStrayPods}
			case unread != nil && known:
				gaps = append(gaps, inventory.Gap{What: "who can act as a service account through what runs in namespace " + namespace, Why: gap.Why})
			case unread != nil:
				return nil, nil, nil, unread
			default:
				if w, runs := workloadOf(object); runs {
					w.Group, w.Resource = maker.Group, maker.Resource
					found = append(found, w)
				}
			}
		}
	}
	return found, gaps, assumptions, ctx.Err()
}

var noStrayPods = inventory.Gap{
	What: "pods that no workload made",
	Why:  "the snapshot holds no pods (snapshot --include pods does), and it is taken that a service account runs only in what the workloads make",
}

// workloadOf tells whether an object makes pods by its own template, or is a pod that has not ended.
func workloadOf(object inventory.Object) (authorization.Workload, bool) {
	if pod, is := object.Value.(*corev1.Pod); is {
		ended := pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed
		return authorization.Workload{Name: pod.Name, Account: accountOf(pod.Spec.ServiceAccountName)}, !ended
	}
	if metav1.GetControllerOf(object.Meta()) != nil {
		return authorization.Workload{}, false // its owner would undo a change
	}
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(object.Value)
	if err != nil {
		return authorization.Workload{}, false
	}
	path := []string{"spec", "template", "spec", "serviceAccountName"}
	if object.Kind.Kind.Kind == "CronJob" {
		path = append([]string{"spec", "jobTemplate"}, path...)
	}
	name, _, _ := unstructured.NestedString(content, path...) // anything else runs as the default account
	return authorization.Workload{Name: object.Meta().GetName(), Account: accountOf(name)}, true
}

func accountOf(name string) string {
	if name == "" {
		return "default"
	}
	return name
}

// pathsThrough are the paths to a service account through what runs in its namespace. That is read only where somebody may have one.
func (v *view) pathsThrough(ctx context.Context, rbac *authorization.RBAC, to authorization.Subject) ([]authorization.Path, error) {
	if to.Namespace == "" || !rbac.MayPassThrough(to, rbac.Administrators()) {
		return nil, nil
	}
	there, read := v.workloads[to.Namespace]
	if !read {
		found, gaps, assumptions, err := Workloads(ctx, v.inventory, to.Namespace)
		if err != nil {
			return nil, err
		}
		for _, gap := range gaps {
			v.gathered.incomplete[gap] = true
		}
		for _, gap := range assumptions {
			v.gathered.assumptions[gap] = true
		}
		if v.workloads == nil {
			v.workloads = map[string][]authorization.Workload{}
		}
		there, v.workloads[to.Namespace] = found, found
	}
	return rbac.PathsThrough(to, there), nil
}
