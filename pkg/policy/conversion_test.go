package policy

import (
	"context"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/restmapper"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// defined is a cluster with one custom resource, converted as its definition says.
type defined struct {
	cluster
	conversion map[string]any
}

func (d *defined) Kinds() *inventory.Kinds {
	group := func(name string, version string, resources ...metav1.APIResource) *restmapper.APIGroupResources {
		v := metav1.GroupVersionForDiscovery{GroupVersion: name + "/" + version, Version: version}
		return &restmapper.APIGroupResources{
			Group:              metav1.APIGroup{Name: name, Versions: []metav1.GroupVersionForDiscovery{v}, PreferredVersion: v},
			VersionedResources: map[string][]metav1.APIResource{version: resources},
		}
	}
	return inventory.NewKinds([]*restmapper.APIGroupResources{
		group("zalando.org", "v1", metav1.APIResource{Name: "stacks", Kind: "Stack", Namespaced: true}),
		group("apiextensions.k8s.io", "v1", metav1.APIResource{Name: "customresourcedefinitions", Kind: "CustomResourceDefinition"}),
	})
}

func (d *defined) Get(ctx context.Context, kind inventory.Kind, _, name string) (inventory.Object, error) {
	spec := map[string]any{"group": "zalando.org"}
	if d.conversion != nil {
		spec["conversion"] = d.conversion
	}
	if name != "stacks.zalando.org" {
		return d.cluster.Get(ctx, kind, "", name)
	}
	return inventory.Object{Kind: kind, Value: &unstructured.Unstructured{Object: map[string]any{"spec": spec}}}, nil
}

func TestConvertingCustomResources(t *testing.T) {
	cases := []struct {
		name       string
		conversion map[string]any
		converts   bool
	}{
		{"no strategy", nil, true},
		{"None", map[string]any{"strategy": "None"}, true},
		{"Webhook", map[string]any{"strategy": "Webhook"}, false},
	}
	v1 := schema.GroupVersionKind{Group: "zalando.org", Version: "v1", Kind: "Stack"}
	v1beta1 := schema.GroupVersionKind{Group: "zalando.org", Version: "v1beta1", Kind: "Stack"}
	for _, test := range cases {
		t.Run(test.name, func(t *testing.T) {
			set := &Set{state: &defined{conversion: test.conversion}}
			in, out := &unstructured.Unstructured{Object: map[string]any{"spec": "kept"}}, &unstructured.Unstructured{Object: map[string]any{}}
			in.SetGroupVersionKind(v1)
			out.SetGroupVersionKind(v1beta1)
			c := set.newConvertor(t.Context())
			err := c.Convert(in, out, nil)
			if converts := err == nil; converts != test.converts || (c.impossible == nil) != test.converts {
				t.Fatalf("%v, remembered as %v", err, c.impossible)
			}
			if test.converts && (out.GroupVersionKind() != v1beta1 || out.Object["spec"] != "kept") {
				t.Errorf("converted to %v", out.Object)
			}
			if in.GroupVersionKind() != v1 {
				t.Errorf("converting it changed it to %v", in.Object)
			}
		})
	}
}
