package request

import (
	"context"
	"iter"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/client-go/applyconfigurations"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/restmapper"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// fakeInventory has one stored object at most, and the namespaces of the recordings.
type fakeInventory struct {
	stored       *inventory.Object
	kinds        *inventory.Kinds
	namespaceErr error
}

func newFakeInventory(t *testing.T, before *unstructured.Unstructured) *fakeInventory {
	t.Helper()
	inv := &fakeInventory{kinds: testKinds()}
	if before == nil {
		return inv
	}
	kind, found := inv.kinds.ForKind(before.GroupVersionKind())
	if !found {
		t.Fatalf("no kind for %s", before.GroupVersionKind())
	}
	inv.stored = &inventory.Object{Kind: kind, Value: typed(t, before), Defaulted: true}
	return inv
}

func typed(t *testing.T, u *unstructured.Unstructured) runtime.Object {
	t.Helper()
	if !builtIn(u.GroupVersionKind()) {
		return u
	}
	object, err := scheme.Scheme.New(u.GroupVersionKind())
	if err != nil {
		t.Fatal(err)
	}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(u.Object, object); err != nil {
		t.Fatal(err)
	}
	return object
}

func (f *fakeInventory) Server() inventory.Server        { return inventory.Server{} }
func (f *fakeInventory) Kinds() *inventory.Kinds         { return f.kinds }
func (f *fakeInventory) Policies() *inventory.Policies   { return nil }
func (f *fakeInventory) Namespaces() []*corev1.Namespace { return nil }
func (f *fakeInventory) Incomplete() []inventory.Gap     { return nil }
func (f *fakeInventory) Objects(context.Context, inventory.Query) iter.Seq2[inventory.Object, error] {
	return nil
}
func (f *fakeInventory) Params(context.Context, schema.GroupVersionKind) ([]runtime.Object, inventory.Kind, error) {
	return nil, inventory.Kind{}, nil
}

func (f *fakeInventory) Namespace(_ context.Context, name string) (*corev1.Namespace, error) {
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}
	switch name {
	case "nowhere":
		return nil, apierrors.NewNotFound(corev1.Resource("namespaces"), name)
	case "dying":
		namespace.Status.Phase = corev1.NamespaceTerminating
	}
	return namespace, f.namespaceErr
}

func (f *fakeInventory) Get(_ context.Context, kind inventory.Kind, namespace, name string) (inventory.Object, error) {
	if f.stored == nil || f.stored.Meta().GetName() != name || f.stored.Meta().GetNamespace() != namespace {
		return inventory.Object{}, apierrors.NewNotFound(kind.Resource.GroupResource(), name)
	}
	return *f.stored, nil
}

func (f *fakeInventory) TypeConverter(_ context.Context, kind schema.GroupVersionKind) (managedfields.TypeConverter, error) {
	if builtIn(kind) {
		return applyconfigurations.NewTypeConverter(scheme.Scheme), nil
	}
	return managedfields.NewDeducedTypeConverter(), nil
}

func (f *fakeInventory) Schema(_ context.Context, kind schema.GroupVersionKind) (*spec.Schema, error) {
	return nil, &inventory.NoSchemaError{Kind: kind}
}

// testKinds are the kinds of the recordings, as a 1.37 API server serves them.
func testKinds() *inventory.Kinds {
	group := func(name, version string, resources ...metav1.APIResource) *restmapper.APIGroupResources {
		gv := metav1.GroupVersionForDiscovery{GroupVersion: schema.GroupVersion{Group: name, Version: version}.String(), Version: version}
		return &restmapper.APIGroupResources{
			Group:              metav1.APIGroup{Name: name, Versions: []metav1.GroupVersionForDiscovery{gv}, PreferredVersion: gv},
			VersionedResources: map[string][]metav1.APIResource{version: resources},
		}
	}
	one := func(plural, kind string, namespaced bool) metav1.APIResource {
		return metav1.APIResource{Name: plural, Kind: kind, Namespaced: namespaced}
	}
	return inventory.NewKinds([]*restmapper.APIGroupResources{
		group("", "v1", one("namespaces", "Namespace", false), one("namespaces/status", "Namespace", false), one("namespaces/finalize", "Namespace", false),
			one("services", "Service", true), one("services/status", "Service", true), one("services/proxy", "ServiceProxyOptions", true),
			one("configmaps", "ConfigMap", true)),
		group("apps", "v1", one("deployments", "Deployment", true), one("deployments/status", "Deployment", true),
			metav1.APIResource{Name: "deployments/scale", Group: "autoscaling", Version: "v1", Kind: "Scale", Namespaced: true},
			one("statefulsets", "StatefulSet", true), one("statefulsets/status", "StatefulSet", true),
			one("daemonsets", "DaemonSet", true), one("daemonsets/status", "DaemonSet", true),
			one("replicasets", "ReplicaSet", true), one("replicasets/status", "ReplicaSet", true)),
		group("batch", "v1", one("cronjobs", "CronJob", true), one("cronjobs/status", "CronJob", true), one("jobs", "Job", true), one("jobs/status", "Job", true)),
		group("autoscaling", "v2", one("horizontalpodautoscalers", "HorizontalPodAutoscaler", true), one("horizontalpodautoscalers/status", "HorizontalPodAutoscaler", true)),
		group("policy", "v1", one("poddisruptionbudgets", "PodDisruptionBudget", true), one("poddisruptionbudgets/status", "PodDisruptionBudget", true)),
		group("networking.k8s.io", "v1", one("ingresses", "Ingress", true), one("ingresses/status", "Ingress", true)),
		group("keda.sh", "v1alpha1", one("scaledobjects", "ScaledObject", true), one("scaledobjects/status", "ScaledObject", true)),
	})
}
