package listing

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

const world = `
apiVersion: v1
kind: Namespace
metadata: {name: team-a, labels: {guarded: "yes"}}
---
apiVersion: v1
kind: Namespace
metadata: {name: team-b}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: guard}
spec:
  paramKind: {apiVersion: v1, kind: ConfigMap}
  matchConstraints:
    objectSelector: {matchLabels: {app: x}}
    resourceRules:
    - {apiGroups: [apps], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [deployments]}
    - {apiGroups: [apps], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [deployments, statefulsets]}
    - {apiGroups: [apps], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [daemonsets], scope: Namespaced}
    excludeResourceRules:
    - {apiGroups: [apps], apiVersions: [v1], operations: [UPDATE], resources: [deployments], resourceNames: [free]}
  matchConditions:
  - {name: not-dev, expression: 'request.userInfo.username != "dev"'}
  validations:
  - {expression: 'object.metadata.?annotations.orValue({}).all(k, !k.startsWith("downscaler/"))'}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: guard-selected}
spec:
  policyName: guard
  validationActions: [Deny, Audit]
  paramRef: {name: p, namespace: team-a, parameterNotFoundAction: Allow}
  matchResources: {namespaceSelector: {matchLabels: {guarded: "yes"}}}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: guard-all}
spec:
  policyName: guard
  validationActions: [Warn]
  paramRef: {selector: {matchLabels: {a: b}}, parameterNotFoundAction: Deny}
  matchResources: {namespaceSelector: {matchExpressions: [{key: kubernetes.io/metadata.name, operator: Exists}]}}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: pods}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]}
  validations: [{expression: '!has(object.metadata.annotations)'}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: strip}
spec:
  reinvocationPolicy: IfNeeded
  failurePolicy: Ignore
  matchConstraints: {resourceRules: [{apiGroups: [apps], apiVersions: ["*"], operations: [CREATE], resources: ["*"]}]}
  mutations: [{patchType: JSONPatch, jsonPatch: {expression: '[JSONPatch{op: "remove", path: "/metadata/annotations"}]'}}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata: {name: guard-selected}
spec: {policyName: strip}
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata: {name: dangling}
spec: {policyName: guard}
`

func read(t *testing.T, version, manifests string) inventory.Inventory {
	t.Helper()
	inv, err := inventory.FromFilesFor(t.Context(), version, inventory.FileSource{Path: "world.yaml", Reader: strings.NewReader(manifests)})
	if err != nil {
		t.Fatal(err)
	}
	return inv
}

func list(t *testing.T, inv inventory.Inventory, options Options) Report {
	t.Helper()
	report, err := List(t.Context(), inv, options)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func (r Report) policy(t *testing.T, name string) Policy {
	t.Helper()
	for _, p := range r.Policies {
		if p.Name == name {
			return p
		}
	}
	t.Fatalf("there is no %s in %+v", name, r.Policies)
	return Policy{}
}

func TestList(t *testing.T) {
	report := list(t, read(t, "", world), Options{})
	if len(report.Incomplete) > 0 {
		t.Error(report.Incomplete)
	}
	if want := (Summary{Policies: 3, AboutAnnotations: 2, WithoutBinding: 1}); report.Summary != want {
		t.Errorf("%+v", report.Summary)
	}
	p := report.policy(t, "guard")
	wantMatch := Match{
		Resources: []Resources{
			{APIGroups: []string{"apps"}, APIVersions: []string{"v1"}, Resources: []string{"deployments", "statefulsets"}, Operations: []string{"CREATE", "UPDATE"}, Scope: "*"},
			{APIGroups: []string{"apps"}, APIVersions: []string{"v1"}, Resources: []string{"daemonsets"}, Operations: []string{"CREATE", "UPDATE"}, Scope: "Namespaced"},
		},
		ExcludedResources: []Resources{{APIGroups: []string{"apps"}, APIVersions: []string{"v1"}, Resources: []string{"deployments"}, ResourceNames: []string{"free"}, Operations: []string{"UPDATE"}, Scope: "*"}},
		ObjectSelector:    "app=x",
	}
	if diff := cmp.Diff(wantMatch, p.Match); diff != "" {
		t.Error(diff)
	}
	wantBindings := []Binding{
		{
			Kind: "ValidatingAdmissionPolicyBinding", Name: "guard-all", Policy: "guard", Origin: InForce, Actions: []string{"Warn"},
			ParamRef:   &ParamRef{Selector: "a=b", ParameterNotFoundAction: "Deny"},
			Namespaces: &Namespaces{Coverage: CoversAll},
		},
		{
			Kind: "ValidatingAdmissionPolicyBinding", Name: "guard-selected", Policy: "guard", Origin: InForce, Actions: []string{"Deny", "Audit"},
			ParamRef:   &ParamRef{Name: "p", Namespace: "team-a", ParameterNotFoundAction: "Allow"},
			Match:      Match{NamespaceSelector: "guarded=yes"},
			Namespaces: &Namespaces{Coverage: CoversSelected, Covered: []string{"team-a"}, Excluded: []string{"team-b"}},
		},
	}
	if diff := cmp.Diff(wantBindings, p.Bindings); diff != "" {
		t.Error(diff)
	}
	if p.FailurePolicy != "Fail" || p.MatchPolicy != "Equivalent" || p.ReinvocationPolicy != "" || *p.ParamKind != (ParamKind{"v1", "ConfigMap"}) || !p.AboutAnnotations {
		t.Errorf("%+v", p)
	}
	strip := report.policy(t, "strip")
	if strip.FailurePolicy != "Ignore" || strip.ReinvocationPolicy != "IfNeeded" || !strip.AboutAnnotations || len(strip.Bindings) != 1 || strip.Bindings[0].Actions[0] != ActionMutate {
		t.Errorf("%+v", strip)
	}
	if report.policy(t, "pods").AboutAnnotations {
		t.Error("a policy on pods is said to be about the downscaler's annotations")
	}
	if len(report.BindingsWithoutPolicy) != 1 || report.BindingsWithoutPolicy[0].Name != "dangling" || report.BindingsWithoutPolicy[0].Kind != "MutatingAdmissionPolicyBinding" {
		t.Errorf("%+v", report.BindingsWithoutPolicy)
	}
}

func TestListNamespace(t *testing.T) {
	inv := read(t, "", world)
	report := list(t, inv, Options{Namespace: "team-b"})
	if p := report.policy(t, "guard"); len(p.Bindings) != 1 || p.Bindings[0].Name != "guard-all" {
		t.Errorf("%+v", p.Bindings)
	}
	if len(report.Policies) != 2 || report.Summary.Elsewhere != 1 || len(report.Incomplete)+len(report.Assumptions) > 0 {
		t.Errorf("%+v", report)
	}
	// Whether a selector chooses a namespace without a manifest is not known: it may.
	unknown := list(t, inv, Options{Namespace: "kube-system"})
	if p := unknown.policy(t, "guard"); len(p.Bindings) != 2 || p.Bindings[1].Namespaces.Coverage != CoversUnknown || len(unknown.Incomplete) != 1 {
		t.Errorf("%+v, incomplete %v", p.Bindings, unknown.Incomplete)
	}
}

func TestListProposed(t *testing.T) {
	inv := read(t, "", world)
	proposed := &inventory.Policies{ValidatingBindings: inv.Policies().ValidatingBindings[:1], Mutating: inv.Policies().Mutating}
	report := list(t, inv, Options{Proposed: proposed})
	guard, strip := report.policy(t, "guard"), report.policy(t, "strip")
	if guard.Origin != InForce || guard.Bindings[0].Origin == guard.Bindings[1].Origin || strip.Origin != Proposed || strip.Bindings[0].Origin != InForce {
		t.Errorf("%+v %+v", guard, strip)
	}
}

// lacking is an inventory of which something could not be read.
type lacking struct {
	inventory.Inventory
	server  inventory.Server
	unread  []inventory.Gap
	schemas error
}

func (l lacking) Server() inventory.Server { return l.server }

func (l lacking) Policies() *inventory.Policies {
	policies := *l.Inventory.Policies()
	policies.Unread = l.unread
	return &policies
}

func (l lacking) Incomplete() []inventory.Gap { return l.unread }

func (l lacking) Schema(ctx context.Context, kind schema.GroupVersionKind) (*spec.Schema, error) {
	if l.schemas != nil {
		return nil, l.schemas
	}
	return l.Inventory.Schema(ctx, kind)
}

func TestListIncomplete(t *testing.T) {
	inv := read(t, "", world)
	webhooks := inventory.Gap{What: "validatingwebhookconfigurations.admissionregistration.k8s.io", Why: "no right to list them"}
	policies := inventory.Gap{What: "mutatingadmissionpolicies.admissionregistration.k8s.io", Why: "no right to list them"}
	cluster := inventory.Server{Version: "v1.37.1", Source: inventory.SourceCluster}
	if report := list(t, lacking{Inventory: inv, server: cluster, unread: []inventory.Gap{webhooks}}, Options{}); len(report.Incomplete) > 0 || len(report.BindingsWithoutPolicy) != 1 {
		t.Errorf("webhooks are no policies: %+v", report)
	}
	// A binding's policy may be among those that could not be read.
	if report := list(t, lacking{Inventory: inv, server: cluster, unread: []inventory.Gap{policies}}, Options{}); len(report.Incomplete) != 1 || len(report.BindingsWithoutPolicy) != 0 {
		t.Errorf("%+v", report)
	}
	report := list(t, lacking{Inventory: inv, server: cluster, schemas: errors.New("no answer")}, Options{})
	if p := report.policy(t, "guard"); p.TypeCheck.State != TypesUnknown || len(report.Incomplete) != 2 {
		t.Errorf("%+v, incomplete %v", p.TypeCheck, report.Incomplete)
	}
	newer := inventory.Server{Version: "v1.99.0", Source: inventory.SourceCluster}
	if p := list(t, lacking{Inventory: inv, server: newer}, Options{}).policy(t, "guard"); p.TypeCheck.State != TypesNotChecked || p.Compile.State != Compiles {
		t.Errorf("%+v %+v", p.Compile, p.TypeCheck)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := List(ctx, inv, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
}

func TestSelectorText(t *testing.T) {
	requirement := func(key string, operator metav1.LabelSelectorOperator) *metav1.LabelSelector {
		return &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: key, Operator: operator}}}
	}
	for _, c := range []struct {
		selector *metav1.LabelSelector
		want     string
	}{
		{nil, ""},
		{&metav1.LabelSelector{}, ""},
		{requirement("kubernetes.io/metadata.name", metav1.LabelSelectorOpExists), ""},
		{requirement("kubernetes.io/metadata.name", metav1.LabelSelectorOpDoesNotExist), "!kubernetes.io/metadata.name"},
		{requirement("team", metav1.LabelSelectorOpExists), "team"},
		{&metav1.LabelSelector{MatchLabels: map[string]string{"a": "b"}}, "a=b"},
	} {
		if got := selectorText(c.selector); got != c.want {
			t.Errorf("%v: %q, want %q", c.selector, got, c.want)
		}
	}
}
