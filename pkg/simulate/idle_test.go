package simulate

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
)

// TestIdle: what does nothing leaves a step all the same, in its place by name.
func TestIdle(t *testing.T) {
	cut := func(manifests string) (policy, binding string) {
		policy, binding, _ = strings.Cut(manifests, "\n---\n")
		return policy, binding
	}
	_, dangling := cut(strings.NewReplacer("block-all", "dangling", "policyName: block", "policyName: absent").Replace(blocking))
	unbound, _ := cut(strings.Replace(stripping, "{name: strip}", "{name: unbound}", 1))
	inv := files(t, objects, blocking, stripping, unbound, dangling)

	steps := func(user string) []string {
		result := simulator(t, inv).Run(t.Context(), annotate(t, inv, user, "web", set("true"), request.Options{}), Options{Explain: true})
		var got []string
		for _, s := range result.Steps {
			got = append(got, strings.Join([]string{string(s.Phase), s.Policy, s.Binding, string(s.Decision)}, " "))
		}
		return got
	}
	want := []string{
		"Mutating strip strip-all NoChange", "Mutating unbound  NotMatched",
		"Validating absent dangling NotMatched", "Validating block block-all Admitted",
	}
	if diff := cmp.Diff(want, steps("dev")); diff != "" {
		t.Error(diff)
	}

	unread := *inv.Policies()
	unread.Unread = []inventory.Gap{{What: "mutatingadmissionpolicybindings", Why: "forbidden"}}
	if idle := Idle(&unread); len(idle) > 0 {
		t.Error("a binding that was not read may be there:", idle)
	}
}

// TestDroppedByTheAPI: where no policy but the API itself takes an annotation out, the steps say so, and nobody is named.
func TestDroppedByTheAPI(t *testing.T) {
	const things = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: things, singular: thing, kind: Thing}
  versions:
  - {name: v1, served: true, storage: true, subresources: {status: {}}, schema: {openAPIV3Schema: {type: object}}}
---
apiVersion: example.com/v1
kind: Thing
metadata: {name: x, namespace: team-a, annotations: {downscaler/exclude: "true"}}
`
	inv := files(t, objects, things, blocking)
	kind, err := inv.Kinds().Resolve("things")
	if err != nil {
		t.Fatal(err)
	}
	thing, err := inv.Get(t.Context(), kind, "team-a", "x")
	if err != nil {
		t.Fatal(err)
	}
	status, err := request.Annotate(request.NewRequester("dev", nil, "", nil), thing, remove, request.Options{Subresource: "status"})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		r       request.Request
		effect  Effect
		message string
	}{
		{annotate(t, inv, "dev", "api", set("true"), request.Options{Subresource: "scale"}), EffectStripped, "a scale carries no annotations"},
		{status, EffectRestored, "/status of a custom resource takes no metadata"},
	} {
		result := simulator(t, inv).Run(t.Context(), test.r, Options{})
		a := result.Annotations[0]
		if result.Outcome != Altered || a.Effect != test.effect || len(a.By) > 0 {
			t.Errorf("outcome %s, annotation %+v", result.Outcome, a)
		}
		var found []policy.Step
		for _, s := range result.Steps {
			if s.Kind == "API" {
				found = append(found, s)
			}
		}
		want := []policy.Step{{
			Phase: policy.PhaseValidation, Kind: "API", Decision: policy.Mutated, Message: test.message,
			Changes: []policy.Change{{Key: key, Before: a.Proposed, After: a.After}},
		}}
		if diff := cmp.Diff(want, found); diff != "" {
			t.Error(diff)
		}
	}
	plain := simulator(t, inv).Run(t.Context(), annotate(t, inv, "admin", "api", set("true"), request.Options{}), Options{})
	for _, s := range plain.Steps {
		if s.Kind == "API" {
			t.Errorf("nothing was dropped, and yet %+v", s)
		}
	}
}

// TestStore gives the object as it would be stored, and none where none would be.
func TestStore(t *testing.T) {
	inv := files(t, objects, blocking, stripping)
	for user, want := range map[string]string{"admin": "false", "dev": "true"} {
		_, stored := simulator(t, inv).Store(t.Context(), annotate(t, inv, user, "web", set("false"), request.Options{}), Options{})
		if got := policy.Annotations(stored)[key]; got != want {
			t.Errorf("%s stores %q, want %q", user, got, want)
		}
	}
	inv = files(t, objects, blocking)
	if _, stored := simulator(t, inv).Store(t.Context(), annotate(t, inv, "dev", "web", set("false"), request.Options{}), Options{}); stored != nil {
		t.Error("a blocked request stores", stored)
	}
}
