package policy

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// FuzzCompileAndDecide puts any text into the fields of a validating policy: nothing panics or hangs, two runs come to the same, a
// request is denied exactly if some step says so, what does not compile is decided by the failurePolicy, and what is not known changes no
// verdict that is said to be certain. Conditions and variables are a line each, a variable's name before its "=".
func FuzzCompileAndDecide(f *testing.F) {
	f.Add("request.userInfo.username != 'x'", "new=object.metadata.?annotations.orValue({})", "variables.new.all(k, !k.startsWith('downscaler/'))", "'no ' + request.name", "string(size(variables.new))", "resourceRules: []", uint16(0))
	f.Add("true", "", "params.data.forbidden in object.metadata.annotations", "params.metadata.name", "''", "objectSelector: {matchLabels: {app: web}}", uint16(0xffff))
	f.Add("authorizer.group('apps').resource('deployments').check('create').allowed()", "a=variables.a", "object.spec.replicas > 1", "", "", "namespaceSelector: {matchExpressions: [{key: app, operator: Resembles}]}", uint16(7))
	f.Add("", "", "object.spec.template.spec.containers.all(c, c.env.all(e, e.value != 'x'))", "", "", "", uint16(1))
	f.Add("", "", "object.metadata.annotations.all(a, object.metadata.annotations.all(b, a.matches(b + b + b)))", "", "", "matchPolicy: Exact", uint16(2))
	f.Add("", "", "has(object.spec.revisionHistoryLimit)", "", "", "", uint16(0))
	f.Add("", "", "object.spec.template.spec.containers.all(c, c.env.all(e, e.value == 'hidden'))", "", "", "", uint16(0))
	f.Add("", "", "params == null", "", "", "", uint16(6))
	f.Add("", "", "nonsense(", "", "", "", uint16(1))
	f.Add("", "", "nonsense(", "", "", "", uint16(3))
	for _, p := range examplePolicies[vap](f) {
		for _, v := range p.Spec.Validations {
			f.Add(conditionLines(p.Spec.MatchConditions), variableLines(p.Spec.Variables), oneLine(v.Expression), oneLine(v.MessageExpression), "", "", uint16(0))
		}
	}
	f.Fuzz(func(t *testing.T, conditions, variables, validation, message, audit, match string, shape uint16) {
		w, spec := watchedWorld(t), newShape(match, shape)
		p := &vap{Spec: admissionregistrationv1.ValidatingAdmissionPolicySpec{
			FailurePolicy: spec.failurePolicy, ParamKind: spec.paramKind, MatchConstraints: spec.match,
			MatchConditions: parseConditions(conditions), Variables: parseVariables(variables),
			Validations: []admissionregistrationv1.Validation{{Expression: validation, MessageExpression: message}},
		}}
		if audit != "" {
			p.Spec.AuditAnnotations = []admissionregistrationv1.AuditAnnotation{{Key: "key", ValueExpression: audit}}
		}
		p.Name = "p"
		b := &vapb{Spec: admissionregistrationv1.ValidatingAdmissionPolicyBindingSpec{PolicyName: "p", ParamRef: spec.paramRef, ValidationActions: spec.actions}}
		b.Name = "b"
		set := compile(t, w, &inventory.Policies{Validating: []*vap{p}, ValidatingBindings: []*vapb{b}})
		for _, r := range w.requests() {
			checkVerdict(t, r, func(r Request) (Verdict, runtime.Object) { return set.Validate(t.Context(), r), r.Object })
		}
		w.checkUncompiled(t, validation, shape)
	})
}

// FuzzMutate is FuzzCompileAndDecide for two mutating policies, which come to the same in whatever order of their names or are not certain.
func FuzzMutate(f *testing.F) {
	f.Add("true", "new=object.metadata.?annotations.orValue({})", `[JSONPatch{op: "add", path: "/metadata/annotations/downscaler~1x", value: "1"}]`, `Object{metadata: Object.metadata{annotations: {"downscaler/x": "2"}}}`, "", uint16(0))
	f.Add("", "", `variables.x`, `Object{spec: Object.spec{replicas: object.spec.replicas + 1}}`, "", uint16(3))
	f.Add("", "", `[JSONPatch{op: "copy", from: "/spec/template/spec/containers/0/env/0/value", path: "/metadata/annotations/downscaler~1x"}]`, `Object{}`, "", uint16(0xfff))
	f.Add("", "", `[JSONPatch{op: "remove", path: "/metadata"}]`, `Object{metadata: Object.metadata{name: params.metadata.name}}`, "", uint16(8))
	f.Add("", "", "nonsense(", "nonsense(", "", uint16(1))
	f.Add("", "", "[]", "nonsense(", "", uint16(2))
	f.Add("", "", `has(object.metadata.labels.b) ? [JSONPatch{op: "remove", path: "/metadata/labels"}] : []`, `Object{metadata: Object.metadata{labels: {"b": "x"}}}`, "", uint16(0))
	for _, p := range examplePolicies[mutp](f) {
		for _, m := range p.Spec.Mutations {
			if m.JSONPatch != nil {
				f.Add(conditionLines(p.Spec.MatchConditions), variableLines(p.Spec.Variables), oneLine(m.JSONPatch.Expression), "Object{}", "", uint16(0))
			} else {
				f.Add(conditionLines(p.Spec.MatchConditions), variableLines(p.Spec.Variables), "[]", oneLine(m.ApplyConfiguration.Expression), "", uint16(0))
			}
		}
	}
	f.Fuzz(func(t *testing.T, conditions, variables, patch, configuration, match string, shape uint16) {
		w, spec := watchedWorld(t), newShape(match, shape)
		policies := func(patches, configures string) *inventory.Policies {
			all := &inventory.Policies{}
			for name, mutation := range map[string]admissionregistrationv1.Mutation{patches: jsonPatch(patch), configures: applyConfiguration(configuration)} {
				p := &mutp{Spec: admissionregistrationv1.MutatingAdmissionPolicySpec{
					FailurePolicy: spec.failurePolicy, ParamKind: spec.paramKind, MatchConstraints: spec.match, ReinvocationPolicy: spec.reinvocation,
					MatchConditions: parseConditions(conditions), Variables: parseVariables(variables), Mutations: []admissionregistrationv1.Mutation{mutation},
				}}
				p.Name = name
				b := &mutb{Spec: admissionregistrationv1.MutatingAdmissionPolicyBindingSpec{PolicyName: name, ParamRef: spec.paramRef}}
				b.Name = name
				all.Mutating, all.MutatingBindings = append(all.Mutating, p), append(all.MutatingBindings, b)
			}
			return all
		}
		set, swapped := compile(t, w, policies("a", "b")), compile(t, w, policies("b", "a"))
		for _, r := range w.requests() {
			checkVerdict(t, r, func(r Request) (Verdict, runtime.Object) { return mutate(t, set, r) })
			verdict, object := mutate(t, set, r)
			other, otherObject := mutate(t, swapped, r)
			if verdict.Uncertain != other.Uncertain || !verdict.Uncertain && come(verdict, object) != come(other, otherObject) {
				t.Errorf("%s: in one order of the names %s, in the other %s", nameOf(r), come(verdict, object), come(other, otherObject))
			}
		}
		if shape&2 == 0 {
			w.checkUncompiledMutation(t, jsonPatch(patch), shape)
		} else {
			w.checkUncompiledMutation(t, applyConfiguration(configuration), shape)
		}
	})
}

func mutate(t *testing.T, set *Set, r Request) (Verdict, runtime.Object) {
	t.Helper()
	object, verdict := set.Mutate(t.Context(), r)
	return verdict, object
}

// watchedWorld returns the state, and ends the process if the test does not end: the API server's cost limit keeps every
// evaluation short.
func watchedWorld(t *testing.T) *fuzzWorld {
	hanging := time.AfterFunc(time.Minute, func() { panic("one input takes longer than a minute") })
	t.Cleanup(func() { hanging.Stop() })
	return theFuzzWorld()
}

// checkVerdict decides a request, and again with parts of it not known.
func checkVerdict(t *testing.T, r Request, decide func(Request) (Verdict, runtime.Object)) {
	t.Helper()
	before := cloneRequest(r)
	verdict, object := decide(r)
	again, againObject := decide(r)
	if !equality.Semantic.DeepEqual(verdict, again) || !equality.Semantic.DeepEqual(object, againObject) {
		t.Errorf("%s: two runs differ:\n%s\n%s", nameOf(r), cmp.Diff(verdict, again), cmp.Diff(object, againObject))
	}
	if !equality.Semantic.DeepEqual([]runtime.Object{before.Object, before.OldObject}, []runtime.Object{r.Object, r.OldObject}) {
		t.Errorf("%s: its objects were modified", nameOf(r))
	}
	denying := func(s Step) bool { return s.Decision == Denied || s.Decision == Error }
	if !verdict.Uncertain && (len(verdict.Statuses) > 0) != slices.ContainsFunc(verdict.Steps, denying) {
		t.Errorf("%s: statuses %v, steps %+v", nameOf(r), verdict.Statuses, verdict.Steps)
	}
	for what, less := range lessKnown(r) {
		got, gotObject := decide(less)
		if !got.Uncertain && come(got, gotObject) != come(verdict, object) {
			t.Errorf("%s, %s: certainly %s, where it is %s; steps %+v", nameOf(r), what, come(got, gotObject), come(verdict, object), got.Steps)
		}
	}
}

// come says what a certain verdict comes to for annotations.
func come(v Verdict, object runtime.Object) string {
	if v.Uncertain {
		return "not certain"
	}
	if len(v.Statuses) > 0 {
		return "refused"
	}
	return fmt.Sprint("passed with ", Annotations(object))
}

func nameOf(r Request) string {
	return fmt.Sprintf("%s of %s by %s", r.Operation, r.Kind.Kind.Kind, r.User.GetName())
}

// checkUncompiled: a policy whose validation or condition, as the bits choose, does not compile is decided by its failurePolicy.
func (w *fuzzWorld) checkUncompiled(t *testing.T, expression string, bits uint16) {
	t.Helper()
	failurePolicy, want := outcomeOfErrors(bits)
	p := parse[vap](t, policyText("p", string(failurePolicy), "true", "true"))
	if bits&2 == 0 {
		p.Spec.Validations[0].Expression = expression
	} else {
		p.Spec.MatchConditions[0].Expression = expression
	}
	errs, err := CompileErrors(p, Stored, "")
	if err != nil {
		t.Fatal(err)
	}
	if len(errs) > 0 {
		set := compile(t, w, &inventory.Policies{Validating: []*vap{p}, ValidatingBindings: []*vapb{parse[vapb](t, bindingText("p", "b", "Deny"))}})
		checkSteps(t, set.Validate(t.Context(), w.requests()[0]).Steps, want, errs)
	}
}

// checkUncompiledMutation is the same for a mutating policy.
func (w *fuzzWorld) checkUncompiledMutation(t *testing.T, mutation admissionregistrationv1.Mutation, bits uint16) {
	t.Helper()
	failurePolicy, want := outcomeOfErrors(bits)
	p := parse[mutp](t, mutationText("p", "Never", "Object{}"))
	p.Spec.FailurePolicy, p.Spec.Mutations = &failurePolicy, []admissionregistrationv1.Mutation{mutation}
	errs, err := MutatingCompileErrors(p, Stored, "")
	if err != nil {
		t.Fatal(err)
	}
	if len(errs) > 0 {
		set := compile(t, w, &inventory.Policies{Mutating: []*mutp{p}, MutatingBindings: []*mutb{parse[mutb](t, mutationBinding("p"))}})
		verdict, _ := mutate(t, set, w.requests()[0])
		checkSteps(t, verdict.Steps, want, errs)
	}
}

func outcomeOfErrors(bits uint16) (admissionregistrationv1.FailurePolicyType, Decision) {
	if bits&1 == 0 {
		return admissionregistrationv1.Fail, Error
	}
	return admissionregistrationv1.Ignore, ErrorIgnored
}

func checkSteps(t *testing.T, steps []Step, want Decision, errs []CompileError) {
	t.Helper()
	if len(steps) != 1 || steps[0].Decision != want {
		t.Errorf("does not compile (%v): steps %+v, want one %s", errs, steps, want)
	}
}

// examplePolicies are those in the example clusters.
func examplePolicies[P any](f *testing.F) []*P {
	f.Helper()
	paths, err := filepath.Glob("../../examples/*/polic*.yaml")
	if err != nil || len(paths) == 0 {
		f.Fatal("no examples: ", err)
	}
	var all []*P
	for _, path := range paths {
		content, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		for _, document := range strings.Split(string(content), "\n---\n") {
			p := new(P)
			if strings.HasSuffix(fmt.Sprintf("%T", p), "."+kindIn(document)) && yaml.UnmarshalStrict([]byte(document), p) == nil {
				all = append(all, p)
			}
		}
	}
	if len(all) == 0 {
		f.Fatalf("no %T in %v", new(P), paths)
	}
	return all
}

func kindIn(document string) string {
	for line := range strings.Lines(document) {
		if kind, ok := strings.CutPrefix(strings.TrimSpace(line), "kind: "); ok {
			return kind
		}
	}
	return ""
}
