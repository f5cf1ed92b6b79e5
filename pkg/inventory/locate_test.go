package inventory

import (
	"testing"
)

func TestLocate(t *testing.T) {
	inventory := readFiles(t, smallCluster)
	if _, found := Locate(inventory, "Deployment", "nowhere", "none"); found {
		t.Error("what is not there is found")
	}
	inventory = readFiles(t, "apiVersion: v1\nkind: Namespace\nmetadata: {name: a}\n---\napiVersion: v1\nkind: Service\nmetadata: {name: s, namespace: a}\n")
	at, found := Locate(inventory, "Service", "a", "s")
	if !found || at.Line != 5 || at.Document != 2 {
		t.Error(at, found)
	}
	if _, found := Locate(inventory, "Service", "", "s"); found {
		t.Error("the namespace doesn't matter")
	}
	if _, found := Locate(NewOverlay(inventory), "Service", "a", "s"); found {
		t.Error("an overlay can't tell")
	}
	// Two kinds of one name can't be told apart by it.
	inventory = readFiles(t, twoServices)
	if at, found := Locate(inventory, "Service", "a", "s"); found {
		t.Error(at)
	}
}

const twoServices = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: services.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: services, singular: service, kind: Service, listKind: ServiceList}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}
---
{apiVersion: v1, kind: Service, metadata: {name: s, namespace: a}}
---
{apiVersion: example.com/v1, kind: Service, metadata: {name: s, namespace: a}}
`
