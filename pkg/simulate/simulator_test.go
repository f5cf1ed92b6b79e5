package simulate

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
)

const key = "downscaler/exclude"

const objects = `
apiVersion: v1
kind: Namespace
metadata: {name: team-a, annotations: {downscaler/exclude: "true"}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: team-a, uid: 1-2, resourceVersion: "5", creationTimestamp: "2026-01-01T00:00:00Z", annotations: {downscaler/exclude: "true"}}
spec: &spec
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: main, image: web}]}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: api, namespace: team-a, uid: 1-3, resourceVersion: "6", creationTimestamp: "2026-01-01T00:00:00Z"}
spec:
  selector: {matchLabels: {app: api}}
  template:
    metadata: {labels: {app: api}}
    spec: {containers: [{name: main, image: api}]}
`

const rules = `
  failurePolicy: Fail
  matchConstraints:
    resourceRules:
    - {apiGroups: [apps], apiVersions: [v1], resources: [deployments], operations: [CREATE, UPDATE]}
  matchConditions:
  - {name: not-an-administrator, expression: "!(request.userInfo.username.matches('^admin.*'))"}
  variables:
  - {name: new, expression: "has(object.metadata.annotations) ? object.metadata.annotations : {}"}
  - {name: old, expression: "oldObject != null && has(oldObject.metadata.annotations) ? oldObject.metadata.annotations : {}"}
`

const blocking = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: block}
spec:` + rules + `
  validations:
  - expression: "variables.new.all(k, !k.startsWith('downscaler/') || (k in variables.old && variables.old[k] == variables.new[k]))"
    message: no additions
  - expression: "variables.old.all(k, !k.startsWith('downscaler/') || k in variables.new)"
    message: no removals
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: block-all}
spec: {policyName: block, validationActions: [Deny]}
`

const stripping = `
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: strip}
spec:` + rules + `
  reinvocationPolicy: Never
  mutations:
  - patchType: JSONPatch
    jsonPatch:
      expression: >
        variables.new.filter(k, k.startsWith('downscaler/') && !(k in variables.old)).map(k,
          JSONPatch{op: "remove", path: "/metadata/annotations/" + jsonpatch.escapeKey(k)})
        + variables.old.filter(k, k.startsWith('downscaler/') && k in variables.new && variables.new[k] != variables.old[k]).map(k,
          JSONPatch{op: "replace", path: "/metadata/annotations/" + jsonpatch.escapeKey(k), value: variables.old[k]})
  - patchType: ApplyConfiguration
    applyConfiguration:
      expression: >
        Object{metadata: Object.metadata{annotations:
          variables.old.transformMap(k, v, k.startsWith('downscaler/') && !(k in variables.new), v)}}
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata: {name: strip-all}
spec: {policyName: strip}
`

var deployments = schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}

func files(t testing.TB, manifests ...string) inventory.Inventory {
	t.Helper()
	inv, err := inventory.FromFiles(t.Context(), inventory.FileSource{Path: "test.yaml", Reader: strings.NewReader(strings.Join(manifests, "\n---\n"))})
	if err != nil {
		t.Fatal(err)
	}
	return inv
}

func simulator(t testing.TB, inv inventory.Inventory) *Simulator {
	t.Helper()
	s, err := New(t.Context(), inv, inv.Policies())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// annotate returns the request of a user who changes a Deployment of team-a.
func annotate(t testing.TB, inv inventory.Inventory, user, name string, change request.Change, options request.Options) request.Request {
	t.Helper()
	kind, ok := inv.Kinds().ForResource(deployments)
	if !ok {
		t.Fatal("deployments are not served")
	}
	object, err := inv.Get(t.Context(), kind, "team-a", name)
	if err != nil {
		t.Fatal(err)
	}
	r, err := request.Annotate(request.NewRequester(user, nil, "", nil), object, change, options)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func set(value string) request.Change { return request.Change{Set: map[string]string{key: value}} }

var remove = request.Change{Remove: []string{key}}

func TestOutcomes(t *testing.T) {
	cases := []struct {
		name      string
		policies  string
		user      string
		object    string
		change    request.Change
		operation admission.Operation
		outcome   Outcome
		kind      ChangeKind
		effect    Effect
		after     string // empty: absent
		by        string
	}{
		{"no policy", "", "dev", "api", set("true"), "", Allowed, Added, EffectKept, "true", ""},
		{"addition blocked", blocking, "dev", "api", set("true"), "", Blocked, Added, EffectBlocked, "", "block"},
		{"edit blocked", blocking, "dev", "web", set("false"), "", Blocked, Edited, EffectBlocked, "true", "block"},
		{"removal blocked", blocking, "dev", "web", remove, "", Blocked, Removed, EffectBlocked, "true", "block"},
		{"unchanged", blocking, "dev", "web", set("true"), "", Allowed, Unchanged, EffectKept, "true", ""},
		{"administrator", blocking, "admin", "web", remove, "", Allowed, Removed, EffectKept, "", ""},
		{"creation blocked", blocking, "dev", "api", set("true"), admission.Create, Blocked, Added, EffectBlocked, "", "block"},
		{"deletion", blocking, "dev", "web", request.Change{}, admission.Delete, Allowed, Removed, EffectKept, "", ""},
		{"addition stripped", stripping, "dev", "api", set("true"), "", Altered, Added, EffectStripped, "", "strip"},
		{"edit reverted", stripping, "dev", "web", set("false"), "", Altered, Edited, EffectReverted, "true", "strip"},
		{"removal restored", stripping, "dev", "web", remove, "", Altered, Removed, EffectRestored, "true", "strip"},
		{"unchanged past a mutation", stripping, "dev", "web", set("true"), "", Allowed, Unchanged, EffectKept, "true", ""},
		{"both", blocking + "\n---" + stripping, "dev", "web", set("false"), "", Altered, Edited, EffectReverted, "true", "strip"},
	}
	for _, test := range cases {
		t.Run(test.name, func(t *testing.T) {
			inv := files(t, objects, test.policies)
			r := annotate(t, inv, test.user, test.object, test.change, request.Options{Operation: test.operation})
			result := simulator(t, inv).Run(t.Context(), r, Options{})
			if result.Outcome != test.outcome {
				t.Fatalf("outcome %s, want %s; incomplete %v, steps %+v", result.Outcome, test.outcome, result.Incomplete, result.Steps)
			}
			if (result.Status != nil) != (test.outcome == Blocked) {
				t.Errorf("status %+v", result.Status)
			}
			a := result.Annotations[0]
			after := ""
			if a.After != nil {
				after = *a.After
			}
			by := ""
			if len(a.By) > 0 {
				by = a.By[0].Policy
			}
			got := []any{a.Key, a.Change, a.Effect, after, by}
			if diff := cmp.Diff([]any{key, test.kind, test.effect, test.after, test.by}, got); diff != "" {
				t.Errorf("annotation (-want +got):\n%s", diff)
			}
		})
	}
}

func TestTheAPIsOwnValidation(t *testing.T) {
	inv := files(t, objects, blocking)
	change := request.Change{Set: map[string]string{"downscaler/no/such/key": "x"}}
	result := simulator(t, inv).Run(t.Context(), annotate(t, inv, "admin", "web", change, request.Options{}), Options{})
	if result.Outcome != Blocked || result.Status.Code != 422 || !strings.Contains(result.Status.Message, `Deployment.apps "web" is invalid`) {
		t.Errorf("outcome %s, status %+v", result.Outcome, result.Status)
	}
}

func TestUnreadPoliciesLeaveItOpen(t *testing.T) {
	cases := []struct {
		unread, user string
		want         Outcome
	}{
		{"validatingadmissionpolicies.admissionregistration.k8s.io", "admin", Unknown},
		{"validatingadmissionpolicies.admissionregistration.k8s.io", "dev", Blocked}, // by one that was read
		{"mutatingadmissionpolicybindings.admissionregistration.k8s.io", "dev", Unknown},
	}
	for _, test := range cases {
		inv := files(t, objects, blocking)
		policies := *inv.Policies()
		policies.Unread = []inventory.Gap{{What: test.unread, Why: "forbidden"}}
		s, err := New(t.Context(), inv, &policies)
		if err != nil {
			t.Fatal(err)
		}
		result := s.Run(t.Context(), annotate(t, inv, test.user, "api", set("true"), request.Options{}), Options{})
		if result.Outcome != test.want {
			t.Errorf("%s unread, by %s: outcome %s, want %s", test.unread, test.user, result.Outcome, test.want)
		}
	}
}

func TestANamespaceThatIsNotInTheFiles(t *testing.T) {
	withoutNamespace := objects[strings.Index(objects, "---")+3:]
	selecting := strings.ReplaceAll(blocking, "    resourceRules:", "    namespaceSelector: {matchLabels: {guarded: \"yes\"}}\n    resourceRules:")
	for policies, want := range map[string]Outcome{blocking: Blocked, selecting: Unknown} {
		inv := files(t, withoutNamespace, policies)
		result := simulator(t, inv).Run(t.Context(), annotate(t, inv, "dev", "api", set("true"), request.Options{}), Options{})
		if result.Outcome != want {
			t.Errorf("outcome %s, want %s", result.Outcome, want)
		}
	}
}

// TestADenialAfterSomethingUnknown: whether the API server comes to a mutating policy at all hangs on the namespace.
func TestADenialAfterSomethingUnknown(t *testing.T) {
	withoutNamespace := objects[strings.Index(objects, "---")+3:]
	failing := strings.Replace(stripping, "Object{metadata: Object.metadata{annotations:", "Object{metadata: Object.metadata{labels: {'a': object.spec.nothing}, annotations:", 1)
	for manifests, want := range map[string]Outcome{objects: Blocked, withoutNamespace: Unknown} {
		inv := files(t, manifests, failing)
		result := simulator(t, inv).Run(t.Context(), annotate(t, inv, "dev", "api", set("true"), request.Options{Operation: admission.Create}), Options{})
		if result.Outcome != want {
			t.Errorf("outcome %s, want %s; incomplete %v, status %v", result.Outcome, want, result.Incomplete, result.Status)
		}
	}
}
