package policy

import (
	"context"
	"testing"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/client-go/applyconfigurations"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/restmapper"
	"sigs.k8s.io/yaml"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// cluster is a State held in memory.
type cluster struct {
	namespaces []*corev1.Namespace
	params     []runtime.Object
	paramsErr  error
}

func (c *cluster) Kinds() *inventory.Kinds { return inventory.NewKinds(servedGroups()) }

func (c *cluster) Namespace(_ context.Context, name string) (*corev1.Namespace, error) {
	for _, n := range c.namespaces {
		if n.Name == name {
			return n, nil
		}
	}
	return nil, apierrors.NewNotFound(corev1.Resource("namespaces"), name)
}

func (c *cluster) Params(_ context.Context, kind schema.GroupVersionKind) ([]runtime.Object, inventory.Kind, error) {
	if kind.Kind != "ConfigMap" {
		return nil, inventory.Kind{}, &meta.NoKindMatchError{GroupKind: kind.GroupKind(), SearchedVersions: []string{kind.Version}}
	}
	k, _ := c.Kinds().ForKind(kind)
	return c.params, k, c.paramsErr
}

func (c *cluster) TypeConverter(context.Context, schema.GroupVersionKind) (managedfields.TypeConverter, error) {
	return applyconfigurations.NewTypeConverter(scheme.Scheme), nil
}

func (c *cluster) Get(_ context.Context, kind inventory.Kind, _, name string) (inventory.Object, error) {
	return inventory.Object{}, apierrors.NewNotFound(kind.Resource.GroupResource(), name)
}

// servedGroups is a small discovery document.
func servedGroups() []*restmapper.APIGroupResources {
	return []*restmapper.APIGroupResources{
		{
			Group: metav1.APIGroup{Versions: []metav1.GroupVersionForDiscovery{{GroupVersion: "v1", Version: "v1"}}, PreferredVersion: metav1.GroupVersionForDiscovery{GroupVersion: "v1", Version: "v1"}},
			VersionedResources: map[string][]metav1.APIResource{"v1": {
				{Name: "namespaces", SingularName: "namespace", Kind: "Namespace"},
				{Name: "configmaps", SingularName: "configmap", Kind: "ConfigMap", Namespaced: true},
			}},
		},
		{
			Group: metav1.APIGroup{Name: "apps", Versions: []metav1.GroupVersionForDiscovery{{GroupVersion: "apps/v1", Version: "v1"}}, PreferredVersion: metav1.GroupVersionForDiscovery{GroupVersion: "apps/v1", Version: "v1"}},
			VersionedResources: map[string][]metav1.APIResource{"v1": {
				{Name: "deployments", SingularName: "deployment", Kind: "Deployment", Namespaced: true},
				{Name: "deployments/status", Kind: "Deployment", Namespaced: true},
			}},
		},
	}
}

func deploymentKind() inventory.Kind {
	gv := schema.GroupVersion{Group: "apps", Version: "v1"}
	return inventory.Kind{Kind: gv.WithKind("Deployment"), Resource: gv.WithResource("deployments"), Namespaced: true}
}

func namespace(name string, labels map[string]string) *corev1.Namespace {
	if labels == nil {
		labels = map[string]string{}
	}
	labels[corev1.LabelMetadataName] = name
	return &corev1.Namespace{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Namespace"}, ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels}}
}

// deployment returns a Deployment with annotations given as key, value, key, value.
func deployment(keyValues ...string) *appsv1.Deployment {
	d := &appsv1.Deployment{
		TypeMeta:   metav1.TypeMeta{APIVersion: "apps/v1", Kind: "Deployment"},
		ObjectMeta: metav1.ObjectMeta{Namespace: "team-a", Name: "web", Labels: map[string]string{"app": "web"}},
	}
	for i := 0; i < len(keyValues); i += 2 {
		metav1.SetMetaDataAnnotation(&d.ObjectMeta, keyValues[i], keyValues[i+1])
	}
	return d
}

// request returns a CREATE, UPDATE or DELETE of a Deployment by a user, as the objects given say.
func request(username string, before, after *appsv1.Deployment) Request {
	r := Request{
		Kind:      deploymentKind(),
		Operation: admission.Update,
		Namespace: "team-a",
		Name:      "web",
		Options:   &metav1.UpdateOptions{TypeMeta: metav1.TypeMeta{APIVersion: "meta.k8s.io/v1", Kind: "UpdateOptions"}},
		User:      &user.DefaultInfo{Name: username, Groups: []string{user.AllAuthenticated}},
		Explain:   true,
	}
	if before != nil {
		r.OldObject = before
	} else {
		r.Operation = admission.Create
		r.Options = &metav1.CreateOptions{TypeMeta: metav1.TypeMeta{APIVersion: "meta.k8s.io/v1", Kind: "CreateOptions"}}
	}
	if after != nil {
		r.Object = after
	} else {
		r.Operation = admission.Delete
		r.Options = &metav1.DeleteOptions{TypeMeta: metav1.TypeMeta{APIVersion: "meta.k8s.io/v1", Kind: "DeleteOptions"}}
	}
	return r
}

// parse decodes YAML into any of the policy kinds and fills in the defaults that these tests rely on.
func parse[T any](t testing.TB, text string) *T {
	t.Helper()
	object := new(T)
	if err := yaml.UnmarshalStrict([]byte(text), object); err != nil {
		t.Fatal(err)
	}
	switch p := any(object).(type) {
	case *admissionregistrationv1.ValidatingAdmissionPolicy:
		defaultConstraints(p.Spec.MatchConstraints)
	case *admissionregistrationv1.MutatingAdmissionPolicy:
		defaultConstraints(p.Spec.MatchConstraints)
	case *admissionregistrationv1.ValidatingAdmissionPolicyBinding:
		defaultConstraints(p.Spec.MatchResources)
	case *admissionregistrationv1.MutatingAdmissionPolicyBinding:
		defaultConstraints(p.Spec.MatchResources)
	}
	return object
}

func defaultConstraints(c *admissionregistrationv1.MatchResources) {
	if c == nil {
		return
	}
	equivalent := admissionregistrationv1.Equivalent
	if c.MatchPolicy == nil {
		c.MatchPolicy = &equivalent
	}
	if c.NamespaceSelector == nil {
		c.NamespaceSelector = &metav1.LabelSelector{}
	}
	if c.ObjectSelector == nil {
		c.ObjectSelector = &metav1.LabelSelector{}
	}
}

type (
	vap  = admissionregistrationv1.ValidatingAdmissionPolicy
	vapb = admissionregistrationv1.ValidatingAdmissionPolicyBinding
	mutp = admissionregistrationv1.MutatingAdmissionPolicy
	mutb = admissionregistrationv1.MutatingAdmissionPolicyBinding
)

func compile(t testing.TB, state State, policies *inventory.Policies) *Set {
	t.Helper()
	set, err := Compile(t.Context(), state, policies, Options{Authorizer: nobody{}})
	if err != nil {
		t.Fatal(err)
	}
	return set
}
