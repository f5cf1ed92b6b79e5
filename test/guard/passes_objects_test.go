package guard

import (
	"context"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/yaml"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/verify"
)

// creations are those of objects without guarded annotations, and of a ReplicaSet by the controller that copies them.
func (f inForce) creations(t *testing.T) []posed {
	t.Helper()
	dev, controller := user("dev"), account("kube-system", "deployment-controller")
	create := request.Options{Operation: admission.Create}
	replicaSet := renamedTo(f.get(t, "apps", "replicasets", "annotated"), "new")
	questions := []posed{
		{"creating an annotated ReplicaSet", controller, f.annotating(t, controller, replicaSet, set("downscaler/exclude", "true"), create), allowed},
		{"creating a ReplicaSet", dev, f.annotating(t, dev, replicaSet, set("example.com/owner", "a"), create), allowed},
		{"creating a namespace", dev, f.annotating(t, dev, renamedTo(f.get(t, "", "namespaces", f.namespace), f.newNamespace()), request.Change{}, create), allowed},
	}
	for _, of := range builtins {
		object := renamedTo(f.get(t, of.group, of.resource, of.name), "new")
		if job, ok := object.Value.(*batchv1.Job); ok { // what the API server made up for the old one
			job.Spec.Selector, job.Spec.Template.Labels = nil, nil
		}
		if service, ok := object.Value.(*corev1.Service); ok {
			service.Spec.ClusterIP, service.Spec.ClusterIPs = "", nil
		}
		questions = append(questions, posed{"creating one of " + of.resource, dev, f.annotating(t, dev, object, request.Change{}, create), allowed})
	}
	return questions
}

// deletable is a Deployment that a finalizer keeps, and one that was applied by kubectl and annotated by someone else later.
func deletable(namespace string) string {
	text := strings.Replace(plainDeployment(namespace), "metadata: {name: plain", `metadata: {finalizers: [example.com/keep], annotations: {downscaler/exclude: "true"}, name: kept`, 1)
	_, deployment, _ := strings.Cut(text, "---\n")
	return deployment
}

// deletions are what happens to annotated objects at their end: a request to delete each, and finalizers that are taken away.
func (f inForce) deletions(t *testing.T) []posed {
	t.Helper()
	client, err := kubernetes.NewForConfig(server.Admin.Config)
	if err != nil {
		t.Fatal(err)
	}
	if err := client.AppsV1().Deployments(f.namespace).Delete(t.Context(), "kept", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		unfinalized := []byte(`{"metadata":{"finalizers":null}}`)
		if _, err := client.AppsV1().Deployments(f.namespace).Patch(context.WithoutCancel(t.Context()), "kept", types.MergePatchType, unfinalized, metav1.PatchOptions{}); err != nil {
			t.Error(err)
		}
	})
	collector := account("kube-system", "generic-garbage-collector")
	kept := f.get(t, "apps", "deployments", "kept")
	if kept.Meta().GetDeletionTimestamp() == nil {
		t.Error("the Deployment is not being deleted")
	}
	unfinalize := f.putting(t, collector, kept, "", func(o runtime.Object) { o.(*appsv1.Deployment).Finalizers = nil })
	questions := []posed{{"removing a finalizer", collector, unfinalize, allowed}}
	for _, of := range append([]builtin{{"apps", "replicasets", "annotated"}}, builtins...) {
		question := f.annotating(t, user("dev"), f.get(t, of.group, of.resource, of.name), request.Change{}, request.Options{Operation: admission.Delete})
		questions = append(questions, posed{"deleting one of " + of.resource, user("dev"), question, allowed})
	}
	return questions
}

// applies are those of a template that never held the annotations that the Deployment has.
func (f inForce) applies(t *testing.T) []posed {
	t.Helper()
	_, text, _ := strings.Cut(plainDeployment(f.namespace), "---\n")
	object := &unstructured.Unstructured{}
	if err := yaml.Unmarshal([]byte(text), &object.Object); err != nil {
		t.Fatal(err)
	}
	object.SetName("annotated")
	var questions []posed
	for _, via := range []request.Via{request.ViaApply, request.ViaServerSideApply} {
		options := request.Options{}
		if via == request.ViaServerSideApply { // the objects' own manager, so that there is no conflict
			options.FieldManager = "test-setup"
			object = object.DeepCopy()
			object.SetAnnotations(map[string]string{"downscaler/exclude": "true", "downscaler/uptime": "always"})
			object.SetLabels(map[string]string{"team": "a"})
		}
		question, err := verify.AboutFile(t.Context(), f.inv, user("dev"), verify.File{Object: object, Via: via, DefaultNamespace: f.namespace, Options: options})
		if err != nil {
			t.Fatal(err)
		}
		questions = append(questions, posed{string(via) + " of the template", user("dev"), question, allowed})
	}
	return questions
}
