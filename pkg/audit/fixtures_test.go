package audit

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// stored makes an object look as an API server stored it.
const stored = `uid: 1f0c, resourceVersion: "7", generation: 1, creationTimestamp: "2026-01-02T03:04:05Z"`

const teamA = `
apiVersion: v1
kind: Namespace
metadata: {name: team-a, ` + stored + `}
spec: {finalizers: [kubernetes]}
status: {phase: Active}
`

// deployment is a stored Deployment; annotations are in YAML's flow form.
func deployment(namespace, name, annotations string) string {
	return fmt.Sprintf(`
apiVersion: apps/v1
kind: Deployment
metadata: {name: %s, namespace: %s, annotations: {%s}, %s}
spec:
  replicas: 1
  selector: {matchLabels: {app: x}}
  template: {metadata: {labels: {app: x}}, spec: {containers: [{name: c, image: "registry.example/web:1"}]}}
`, name, namespace, annotations, stored)
}

const nightly = `
apiVersion: batch/v1
kind: CronJob
metadata: {name: nightly, namespace: team-a, ` + stored + `}
spec:
  schedule: "* * * * *"
  jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: "registry.example/job:1"}]}}}}
`

// scaledObject is a custom resource.
const scaledObject = `
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {name: web, namespace: team-a, ` + stored + `}
spec: {scaleTargetRef: {name: web}}
`

// guard is a policy with its binding, written after the description of the chart's: the matchConditions say that
// an annotation with the prefix is touched and that the requester is not an exempt one.
type guard struct {
	name       string   // guard
	removals   bool     // else additions and edits
	mutating   bool     // else it blocks
	resources  []string // each as group/resource[/subresource]
	actions    string   // [Deny]
	failure    string   // Ignore
	unbound    bool
	unpoliced  bool   // the binding only
	exempt     string // a pattern of users
	condition  string // in place of the one about annotations
	selector   string // the binding's namespaceSelector, in YAML's flow form
	labels     string // the binding's labels
	validation string // in place of "false"
}

var everyResource = []string{
	"/namespaces", "apps/deployments", "apps/statefulsets", "apps/daemonsets", "batch/cronjobs", "batch/jobs", "keda.sh/scaledobjects",
}

const (
	touched = `has(object.metadata.annotations) && object.metadata.annotations.exists(k, k.startsWith('downscaler/') && (oldObject == null || !has(oldObject.metadata.annotations) || !(k in oldObject.metadata.annotations) || oldObject.metadata.annotations[k] != object.metadata.annotations[k]))`
	removed = `oldObject != null && has(oldObject.metadata.annotations) && oldObject.metadata.annotations.exists(k, k.startsWith('downscaler/') && (!has(object.metadata.annotations) || !(k in object.metadata.annotations)))`

	takeBack = `object.metadata.annotations.filter(k, k.startsWith('downscaler/') && (oldObject == null || !has(oldObject.metadata.annotations) || !(k in oldObject.metadata.annotations)))
        .map(k, JSONPatch{op: "remove", path: "/metadata/annotations/" + jsonpatch.escapeKey(k)})
      + object.metadata.annotations.filter(k, k.startsWith('downscaler/') && oldObject != null && has(oldObject.metadata.annotations) && k in oldObject.metadata.annotations)
        .map(k, JSONPatch{op: "replace", path: "/metadata/annotations/" + jsonpatch.escapeKey(k), value: oldObject.metadata.annotations[k]})`
	putBack = `(has(object.metadata.annotations) ? [] : [JSONPatch{op: "add", path: "/metadata/annotations", value: {}}])
      + oldObject.metadata.annotations.filter(k, k.startsWith('downscaler/') && (!has(object.metadata.annotations) || !(k in object.metadata.annotations)))
        .map(k, JSONPatch{op: "add", path: "/metadata/annotations/" + jsonpatch.escapeKey(k), value: oldObject.metadata.annotations[k]})`
)

// chartLike are the four things a chart-like guard consists of, over every resource.
func chartLike(mutating bool) []guard {
	return []guard{
		{name: "guard-annotations-additions", mutating: mutating, resources: everyResource},
		{name: "guard-annotations-removals", mutating: mutating, removals: true, resources: everyResource},
	}
}

func (g guard) String() string {
	kind, decision := kindValidating, "validationActions: "+cmp.Or(g.actions, "[Deny]")
	if g.mutating {
		kind, decision = kindMutating, "{}"
	}
	var b strings.Builder
	if !g.unpoliced {
		fmt.Fprintf(&b, "---\napiVersion: admissionregistration.k8s.io/v1\nkind: %s\nmetadata: {name: %s}\nspec:\n%s", kind, g.name, g.spec())
	}
	if !g.unbound {
		fmt.Fprintf(&b, "---\napiVersion: admissionregistration.k8s.io/v1\nkind: %sBinding\nmetadata: {name: %s-binding, labels: {%s}}\nspec:\n  policyName: %s\n", kind, g.name, g.labels, g.name)
		fmt.Fprintf(&b, "  matchResources: {namespaceSelector: {%s}}\n", g.selector)
		if !g.mutating {
			fmt.Fprintf(&b, "  %s\n", decision)
		}
	}
	return b.String()
}

func (g guard) spec() string {
	condition := cmp.Or(g.condition, map[bool]string{false: touched, true: removed}[g.removals])
	var b strings.Builder
	fmt.Fprintf(&b, "  failurePolicy: %s\n  matchConstraints:\n    resourceRules:\n", cmp.Or(g.failure, "Ignore"))
	for _, r := range g.resources {
		group, resource, _ := strings.Cut(r, "/")
		fmt.Fprintf(&b, "    - {apiGroups: [%q], apiVersions: ['*'], operations: [CREATE, UPDATE], resources: [%q]}\n", group, resource)
	}
	fmt.Fprintf(&b, "  matchConditions:\n  - name: downscaler\n    expression: >-\n      (%s) && request.userInfo.username != 'system:serviceaccount:downscaler:downscaler'\n", condition)
	if g.exempt != "" {
		fmt.Fprintf(&b, "  - name: exempt\n    expression: >-\n      (%s) && !request.userInfo.username.matches('%s')\n", condition, g.exempt)
	}
	switch {
	case !g.mutating:
		fmt.Fprintf(&b, "  validations:\n  - {expression: %q, message: not authorised}\n", cmp.Or(g.validation, "false"))
	default:
		patch := map[bool]string{false: takeBack, true: putBack}[g.removals]
		fmt.Fprintf(&b, "  reinvocationPolicy: Never\n  mutations:\n  - patchType: JSONPatch\n    jsonPatch:\n      expression: >-\n      %s\n", indented(patch))
	}
	return b.String()
}

func indented(text string) string { return strings.ReplaceAll("  "+text, "\n", "\n  ") }

// requireLabels is another tool's policy: it has nothing to do with annotations.
const requireLabels = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: require-labels}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [deployments]}]
  validations: [{expression: "has(object.metadata.labels) && 'team' in object.metadata.labels", message: a team label is needed}]
`

func bindingOf(policy, actions string) string {
	return fmt.Sprintf(`
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: %s-binding}
spec: {policyName: %s, validationActions: %s}
`, policy, policy, actions)
}

// load reads an inventory from manifests, each a string or a guard.
func load(t testing.TB, manifests ...any) inventory.Inventory {
	t.Helper()
	var documents []string
	for _, m := range manifests {
		switch m := m.(type) {
		case []guard:
			for _, g := range m {
				documents = append(documents, g.String())
			}
		default:
			documents = append(documents, fmt.Sprint(m))
		}
	}
	inv, err := inventory.FromFiles(context.Background(), inventory.FileSource{Path: "test", Reader: strings.NewReader(strings.Join(documents, "\n---\n"))})
	if err != nil {
		t.Fatal(err)
	}
	return inv
}

// auditOf audits manifests with the ordinary user.
func auditOf(t testing.TB, manifests ...any) Report {
	t.Helper()
	return auditWith(t, Options{}, manifests...)
}

func auditWith(t testing.TB, options Options, manifests ...any) Report {
	t.Helper()
	report, err := Run(context.Background(), simulatorOf(t, load(t, manifests...)), options)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func simulatorOf(t testing.TB, inv inventory.Inventory) *simulate.Simulator {
	t.Helper()
	simulator, err := simulate.New(context.Background(), inv, inv.Policies())
	if err != nil {
		t.Fatal(err)
	}
	return simulator
}

// web finds the Deployment web of a report.
func web(t testing.TB, report Report) Object {
	t.Helper()
	for _, o := range report.Objects {
		if o.Object.Kind == "Deployment" && o.Object.Name == "web" {
			return o
		}
	}
	t.Fatalf("no Deployment web in %v", report.Objects)
	return Object{}
}

// found returns the findings of one rule.
func found(report Report, id string) []Finding {
	var findings []Finding
	for _, f := range report.Findings {
		if f.ID == id {
			findings = append(findings, f)
		}
	}
	return findings
}

func silent(t *testing.T, report Report, id string) {
	t.Helper()
	for _, f := range found(report, id) {
		t.Errorf("false alarm: %+v", f)
	}
}

// one returns a rule's only finding, whose evidence must hold the words given.
func one(t *testing.T, report Report, id string, evidence ...string) Finding {
	t.Helper()
	findings := found(report, id)
	if len(findings) != 1 {
		t.Fatalf("%d findings of %s: %+v; all: %+v", len(findings), id, findings, report.Findings)
	}
	f := findings[0]
	if f.Message == "" || f.Remedy == "" || f.Subject.Kind == "" {
		t.Errorf("incomplete: %+v", f)
	}
	for _, word := range append(evidence, "kubectl downscaler-compliance ") {
		if !strings.Contains(f.Evidence, word) {
			t.Errorf("evidence %q lacks %q", f.Evidence, word)
		}
	}
	return f
}
