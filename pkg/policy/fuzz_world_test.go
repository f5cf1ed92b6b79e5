package policy

import (
	"context"
	"iter"
	"sync"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/client-go/applyconfigurations"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/restmapper"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// fuzzWorld is a state with a custom resource, made once. Its maps have one entry each: of several, CEL takes any one first,
// here as in the API server.
type fuzzWorld struct {
	*cluster
	kinds     *inventory.Kinds
	builtIn   managedfields.TypeConverter
	preserved managedfields.TypeConverter
}

var theFuzzWorld = sync.OnceValue(func() *fuzzWorld {
	gv := metav1.GroupVersionForDiscovery{GroupVersion: rolloutKind.GroupVersion().String(), Version: rolloutKind.Version}
	groups := append(servedGroups(), &restmapper.APIGroupResources{
		Group: metav1.APIGroup{Name: rolloutKind.Group, Versions: []metav1.GroupVersionForDiscovery{gv}, PreferredVersion: gv},
		VersionedResources: map[string][]metav1.APIResource{gv.Version: {
			{Name: "rollouts", SingularName: "rollout", Kind: "Rollout", Namespaced: true},
		}},
	})
	c := teamA()
	c.params = []runtime.Object{limit("one", "downscaler/exclude"), limit("two", "other")}
	return &fuzzWorld{cluster: c, kinds: inventory.NewKinds(groups), builtIn: applyconfigurations.NewTypeConverter(scheme.Scheme), preserved: managedfields.NewDeducedTypeConverter()}
})

func (w *fuzzWorld) Kinds() *inventory.Kinds { return w.kinds }

func (w *fuzzWorld) TypeConverter(_ context.Context, kind schema.GroupVersionKind) (managedfields.TypeConverter, error) {
	if kind == rolloutKind {
		return w.preserved, nil
	}
	return w.builtIn, nil
}

var rolloutKind = schema.GroupVersionKind{Group: "argoproj.io", Version: "v1alpha1", Kind: "Rollout"}

// requests are those that every policy is tried with. The first is the creation of a Deployment by dev.
func (w *fuzzWorld) requests() []Request {
	const key = "downscaler/exclude"
	return []Request{
		request("dev", nil, defaulted(key, "true")),
		request("admin", defaulted(key, "true"), defaulted(key, "false")),
		request("dev", defaulted(key, "true"), defaulted()),
		request("dev", defaulted(key, "true"), nil),
		w.namespaceRequest(namespaceWith("false")),
		w.rolloutRequest("system:anonymous", nil, rollout("true")),
		w.rolloutRequest("system:serviceaccount:ci:deployer", rollout("true"), rollout("false")),
	}
}

// defaulted is a Deployment with fields that the API server set, and bare the same without them.
func defaulted(keyValues ...string) *appsv1.Deployment {
	d := withEnv(deployment(keyValues...), "hidden")
	d.Spec.Replicas, d.Spec.RevisionHistoryLimit = new(int32(1)), new(int32(10))
	unavailable := intstr.FromString("25%")
	d.Spec.Strategy = appsv1.DeploymentStrategy{Type: appsv1.RollingUpdateDeploymentStrategyType, RollingUpdate: &appsv1.RollingUpdateDeployment{MaxUnavailable: &unavailable}}
	d.Spec.Template.Spec.RestartPolicy = corev1.RestartPolicyAlways
	d.Spec.Template.Spec.Containers[0].ImagePullPolicy = corev1.PullIfNotPresent
	return d
}

func bare(d *appsv1.Deployment) *appsv1.Deployment {
	d = d.DeepCopy()
	d.Spec.Replicas, d.Spec.RevisionHistoryLimit, d.Spec.Strategy = nil, nil, appsv1.DeploymentStrategy{}
	d.Spec.Template.Spec.RestartPolicy, d.Spec.Template.Spec.Containers[0].ImagePullPolicy = "", ""
	return d
}

func (w *fuzzWorld) namespaceRequest(after *corev1.Namespace) Request {
	kind, _ := w.kinds.ForKind(corev1.SchemeGroupVersion.WithKind("Namespace"))
	r := request("dev", deployment(), deployment())
	r.Kind, r.Namespace, r.Name, r.OldObject, r.Object = kind, after.Name, after.Name, namespaceWith("true"), after
	return r
}

func namespaceWith(value string) *corev1.Namespace {
	n := namespace("team-a", nil)
	n.Annotations = map[string]string{"downscaler/exclude": value}
	return n
}

func (w *fuzzWorld) rolloutRequest(username string, before, after *unstructured.Unstructured) Request {
	kind, _ := w.kinds.ForKind(rolloutKind)
	r := request(username, deployment(), deployment())
	r.Kind, r.Object = kind, after
	r.User = &user.DefaultInfo{Name: username, Groups: []string{user.AllAuthenticated}, Extra: map[string][]string{"example.com/team": {"a"}}}
	r.OldObject = before
	if before == nil {
		r.Operation, r.OldObject = admission.Create, nil
	}
	return r
}

func rollout(value string) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": rolloutKind.GroupVersion().String(), "kind": rolloutKind.Kind,
		"metadata": map[string]any{"name": "web", "namespace": "team-a", "annotations": map[string]any{"downscaler/exclude": value}},
		"spec":     map[string]any{"replicas": int64(1)},
	}}
}

func cloneRequest(r Request) Request {
	if r.Object != nil {
		r.Object = r.Object.DeepCopyObject()
	}
	if r.OldObject != nil {
		r.OldObject = r.OldObject.DeepCopyObject()
	}
	return r
}

// lessKnown yields the same request with parts that are not known, or not there. What is certain nevertheless must be so
// of the request itself.
func lessKnown(r Request) iter.Seq2[string, Request] {
	return func(yield func(string, Request) bool) {
		d, ok := r.Object.(*appsv1.Deployment)
		if !ok {
			return
		}
		redacted := r
		redacted.Unknown.Redacted = true
		hidden := d.DeepCopy()
		hidden.Spec.Template.Spec.Containers[0].Env[0].Value = inventory.Redacted
		redacted.Object = hidden
		if !yield("with a redacted value", redacted) || r.Operation != admission.Create {
			return
		}
		undefaulted := r
		undefaulted.Unknown.UndefaultedObject = true
		undefaulted.Object = bare(d)
		yield("without defaults", undefaulted)
	}
}
