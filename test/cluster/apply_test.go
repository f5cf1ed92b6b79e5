package cluster_test

import (
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/rand"
	"k8s.io/client-go/dynamic"
)

// The documents stand in the order in which they can't be created one after the other.
const siestaManifests = `
apiVersion: rest.example.com/v1
kind: Siesta
metadata: {name: noon, namespace: NAMESPACE}
---
# nothing but a comment
---
apiVersion: v1
kind: Namespace
metadata: {name: NAMESPACE}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: siestas.rest.example.com}
spec:
  group: rest.example.com
  scope: Namespaced
  names: {plural: siestas, singular: siesta, kind: Siesta}
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object}}
`

func TestApplyAndDelete(t *testing.T) {
	client, err := dynamic.NewForConfig(server.Admin.Config)
	if err != nil {
		t.Fatal(err)
	}
	namespace := "apply-" + rand.String(8) // a deleted one stays, and can't be used again
	manifests := []byte(strings.ReplaceAll(siestaManifests, "NAMESPACE", namespace))
	siestas := client.Resource(schema.GroupVersionResource{Group: "rest.example.com", Version: "v1", Resource: "siestas"}).Namespace(namespace)

	for range 2 { // what exists already is no error
		if err := server.Apply(t.Context(), manifests); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := siestas.Get(t.Context(), "noon", metav1.GetOptions{}); err != nil {
		t.Errorf("after Apply: %v", err)
	}

	for range 2 { // nor is what does not
		if err := server.Delete(t.Context(), manifests); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := siestas.Get(t.Context(), "noon", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
		t.Errorf("after Delete: %v", err)
	}
}
