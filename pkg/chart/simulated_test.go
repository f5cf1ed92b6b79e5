package chart

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/admission"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

const stored = "uid: 5d0a, resourceVersion: \"7\", creationTimestamp: \"2026-01-02T03:04:05Z\""

// kindsOfTheTable are the kinds that the recorded requests are about, with their API versions.
var kindsOfTheTable = map[string]string{
	"Namespace": "v1", "Service": "v1", "Deployment": "apps/v1", "StatefulSet": "apps/v1", "DaemonSet": "apps/v1", "CronJob": "batch/v1", "Job": "batch/v1",
	"HorizontalPodAutoscaler": "autoscaling/v2", "PodDisruptionBudget": "policy/v1", "Ingress": "networking.k8s.io/v1",
	"Gateway": "gateway.networking.k8s.io/v1", "ScaledObject": "keda.sh/v1alpha1",
}

const definitions = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: %ss.%s}
spec:
  group: %s
  scope: Namespaced
  names: {plural: %ss, singular: %s, kind: %s}
  versions: [{name: %s, served: true, storage: true, subresources: {status: {}}, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}]
---
`

// world is an inventory with one object of every kind for each set of annotations that a request begins with.
func world(t *testing.T, requests map[string]recordedRequest) inventory.Inventory {
	t.Helper()
	return worldOf(t, kindsOfTheTable, requests)
}

func worldOf(t *testing.T, kinds map[string]string, requests map[string]recordedRequest) inventory.Inventory {
	t.Helper()
	var text strings.Builder
	fmt.Fprintf(&text, definitions, "gateway", "gateway.networking.k8s.io", "gateway.networking.k8s.io", "gateway", "gateway", "Gateway", "v1")
	fmt.Fprintf(&text, definitions, "scaledobject", "keda.sh", "keda.sh", "scaledobject", "scaledobject", "ScaledObject", "v1alpha1")
	fmt.Fprintf(&text, "apiVersion: v1\nkind: Namespace\nmetadata: {name: team-a, %s}\n---\n", stored)
	for kind, version := range kinds {
		for name, r := range requests {
			namespace := "namespace: team-a, "
			if kind == "Namespace" {
				namespace = ""
			}
			annotations := ""
			for key, value := range r.Before {
				annotations += fmt.Sprintf("%q: %q, ", key, value)
			}
			fmt.Fprintf(&text, "apiVersion: %s\nkind: %s\nmetadata: {name: %s, %sannotations: {%s}, %s}\n---\n", version, kind, name, namespace, annotations, stored)
		}
	}
	inv, err := inventory.FromFiles(t.Context(), inventory.FileSource{Path: "world", Reader: strings.NewReader(text.String())})
	if err != nil {
		t.Fatal(err)
	}
	return inv
}

func names(policy string) func(metav1.Status) bool {
	return func(status metav1.Status) bool { return strings.Contains(status.Message, "'"+policy+"'") }
}

func checkDecisions(t *testing.T, policies *inventory.Policies, requests map[string]recordedRequest, decisions []recordedDecision) {
	t.Helper()
	inv := world(t, requests)
	simulator, err := simulate.New(t.Context(), inv, policies)
	if err != nil {
		t.Fatal(err)
	}
	tried := 0
	for _, d := range decisions {
		if d.Junk > 0 {
			continue // TestBudget's
		}
		tried++
		result := simulator.Run(t.Context(), requestOf(t, inv, requests[d.Request], d), simulate.Options{})
		if why := differs(result, requests[d.Request], d); why != "" {
			t.Errorf("%s of %s by %s %v: %s", d.Request, d.Kind, d.User, d.Groups, why)
		}
	}
	if tried == 0 && len(decisions) > 0 {
		t.Error("no decision was tried")
	}
}

func requestOf(t *testing.T, inv inventory.Inventory, r recordedRequest, d recordedDecision) request.Request {
	t.Helper()
	var kind inventory.Kind
	for _, k := range inv.Kinds().All() {
		if k.Kind.Kind == d.Kind && k.Kind.GroupVersion().String() == kindsOfTheTable[d.Kind] {
			kind = k
		}
	}
	namespace := "team-a"
	if d.Kind == "Namespace" {
		namespace = ""
	}
	object, err := inv.Get(t.Context(), kind, namespace, d.Request)
	if err != nil {
		t.Fatal(err)
	}
	change := request.Change{Set: map[string]string{}}
	for key, value := range r.Proposed {
		if old, ok := r.Before[key]; !ok || old != value {
			change.Set[key] = value
		}
	}
	for key := range r.Before {
		if _, ok := r.Proposed[key]; !ok {
			change.Remove = append(change.Remove, key)
		}
	}
	options := request.Options{Subresource: r.Subresource}
	if r.Verb == "create" {
		options.Operation = admission.Create
	}
	made, err := request.Annotate(request.NewRequester(d.User, d.Groups, "", nil), object, change, options)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// differs compares what is decided and stored, who denies and who warns.
func differs(result simulate.Result, r recordedRequest, d recordedDecision) string {
	decision := "allowed"
	if result.Outcome == simulate.Blocked {
		decision = "denied"
	}
	if result.Outcome == simulate.Unknown || decision != d.Decision {
		return fmt.Sprintf("%s, want %s; steps %+v, incomplete %v", result.Outcome, d.Decision, result.Steps, result.Incomplete)
	}
	if d.Decision == "denied" {
		for _, name := range d.By {
			if !slices.ContainsFunc(result.PossibleStatuses, names(name)) && (result.Status == nil || !strings.Contains(result.Status.Message, "'"+name+"'")) {
				return "not denied by " + name
			}
		}
		return ""
	}
	want := r.Proposed
	if d.Stored != nil {
		want = d.Stored
	}
	got := map[string]string{}
	for _, a := range result.Annotations {
		if a.After != nil {
			got[a.Key] = *a.After
		}
	}
	want = maps.Clone(want)
	maps.DeleteFunc(want, func(key, _ string) bool { return !strings.HasPrefix(key, "downscaler/") })
	if !maps.Equal(got, want) {
		return fmt.Sprintf("stored %v, want %v", got, want)
	}
	if (len(result.Warnings) > 0) != (len(d.Warned) > 0) {
		return fmt.Sprintf("warnings %v, want those of %v", result.Warnings, d.Warned)
	}
	return ""
}
