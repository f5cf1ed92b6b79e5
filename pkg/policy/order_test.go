package policy

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// places are written as policy/binding/parameter.
func orderFrom(text string) Order {
	var order Order
	for _, place := range strings.Fields(text) {
		parts := append(strings.Split(place, "/"), "", "")
		order = append(order, Place{parts[0], parts[1], parts[2]})
	}
	return order
}

// TestOrdersThatTheServerMayTake: what belongs to one policy, or to one binding, stays together.
func TestOrdersThatTheServerMayTake(t *testing.T) {
	for text, want := range map[string]int{
		"a b":                       2,
		"a b c d":                   24,
		"a/1 a/2 b":                 4,
		"a/1/x a/1/y a/2 b":         8,
		"a b c d e":                 6,
		"a/1 a/2 a/3 b/1/x b/1/y c": 7, // 72 are too many
	} {
		order := orderFrom(text)
		others, all := order.others()
		seen := map[string]bool{fmt.Sprint(order): true}
		for _, other := range others {
			seen[fmt.Sprint(other)] = true
			for level := range places - 1 {
				if blocks := other.blocks(level); len(blocks) != len(order.blocks(level)) {
					t.Errorf("%s: %v tears apart what belongs together", text, other)
				}
			}
		}
		if len(seen) != want || all != (order.count(0) <= manyOrders) {
			t.Errorf("%s: %d orders, all %t, want %d", text, len(seen), all, want)
		}
	}
}

func TestExchanges(t *testing.T) {
	for _, test := range []struct{ from, to string }{
		{"a b c", "c b a"}, {"a/1/x a/1/y a/2 b", "b a/2 a/1/y a/1/x"}, {"a b", "a b"}, {"a/1 a/2 b/1 b/2", "b/2 b/1 a/1 a/2"},
	} {
		at, to := orderFrom(test.from), orderFrom(test.to)
		for _, step := range at.Exchanges(to) {
			if diff := cmp.Diff(at, step.Before); diff != "" {
				t.Errorf("%s: a gap between two steps:\n%s", test.from, diff)
			}
			first, second := slices.Index(step.After, step.First), slices.Index(step.After, step.Second)
			if second > first || len(step.After) != len(at) || len(step.After.blocks(0)) != len(at.blocks(0)) {
				t.Errorf("%s: step to %v exchanges %v and %v", test.from, step.After, step.First, step.Second)
			}
			at = step.After
		}
		if diff := cmp.Diff(to, at); diff != "" {
			t.Errorf("%s does not become %s:\n%s", test.from, test.to, diff)
		}
	}
}

// twoParameters is a policy with a binding that finds two parameters.
func twoParameters(t *testing.T, name, expression string) (*mutp, *mutb) {
	t.Helper()
	p := parse[mutp](t, mutationText(name, "Never", expression))
	p.Spec.ParamKind = &admissionregistrationv1.ParamKind{APIVersion: "v1", Kind: "ConfigMap"}
	return p, parse[mutb](t, "metadata: {name: "+name+"}\nspec: {policyName: "+name+", paramRef: {selector: {}, parameterNotFoundAction: Deny}}")
}

// TestOrderThatTheServerNeverTakes: another policy never runs between two parameters of one.
func TestOrderThatTheServerNeverTakes(t *testing.T) {
	p, b := twoParameters(t, "counts", "Object{metadata: Object.metadata{annotations: {'downscaler/a': "+
		"!('downscaler/a' in object.metadata.annotations) ? 'one' : object.metadata.annotations['downscaler/a'] == 'one' ? 'two' : object.metadata.annotations['downscaler/a'] + '+'}}}")
	other := parse[mutp](t, mutationText("other", "Never",
		"Object{metadata: Object.metadata{annotations: {'downscaler/a': object.metadata.annotations[?'downscaler/a'].orValue('none') == 'one' ? 'between' : object.metadata.annotations[?'downscaler/a'].orValue('two')}}}"))
	c := teamA()
	c.params = []runtime.Object{limit("one", "x"), limit("two", "x")}
	policies := &inventory.Policies{Mutating: []*mutp{p, other}, MutatingBindings: []*mutb{b, parse[mutb](t, mutationBinding("other"))}}
	_, verdict := compile(t, c, policies).Mutate(t.Context(), request("dev", nil, deployment("x", "y")))
	if verdict.Disorder == nil {
		t.Fatal("the two orders come to the same")
	}
	if len(verdict.Disorder.Orders) != 2 || !verdict.Disorder.Whole {
		t.Errorf("%+v", verdict.Disorder)
	}
}

// TestDisorder: each of its orders comes to another result, and asking for one of them gives that result for certain.
func TestDisorder(t *testing.T) {
	var policies inventory.Policies
	for _, name := range []string{"one", "two", "three"} {
		policies.Mutating = append(policies.Mutating, parse[mutp](t, mutationText(name, "Never", "Object{metadata: Object.metadata{annotations: {'downscaler/a': '"+name+"'}}}")))
		policies.MutatingBindings = append(policies.MutatingBindings, parse[mutb](t, mutationBinding(name)))
	}
	set := compile(t, teamA(), &policies)
	r := request("dev", nil, deployment())
	_, verdict := set.Mutate(t.Context(), r)
	if verdict.Disorder == nil || len(verdict.Disorder.Orders) != 3 || !verdict.Disorder.Whole {
		t.Fatalf("%+v", verdict.Disorder)
	}
	seen := map[string]bool{}
	for _, order := range verdict.Disorder.Orders {
		r.Order = order
		object, one := set.Mutate(t.Context(), r)
		if one.Uncertain || one.Disorder != nil {
			t.Errorf("%v: %+v", order, one)
		}
		if got := Annotations(object)["downscaler/a"]; got != order[2].Policy {
			t.Errorf("%v: %s", order, got)
		}
		seen[Annotations(object)["downscaler/a"]] = true
	}
	if len(seen) != 3 {
		t.Errorf("results %v", seen)
	}
}

// TestUnknownInAnotherOrder: what is read only in another order than that of the names, and changes nothing as it stands.
func TestUnknownInAnotherOrder(t *testing.T) {
	const reads = "'downscaler/b' in object.metadata.?annotations.orValue({}) && object.spec[?'replicas'].orValue(1) > 1 ? Object{metadata: Object.metadata{annotations: {'downscaler/c': 'x'}}} : Object{}"
	policies := &inventory.Policies{
		Mutating: []*mutp{
			parse[mutp](t, mutationText("a", "Never", reads)),
			parse[mutp](t, mutationText("b", "Never", "Object{metadata: Object.metadata{annotations: {'downscaler/b': 'x'}}}")),
		},
		MutatingBindings: []*mutb{parse[mutb](t, mutationBinding("a")), parse[mutb](t, mutationBinding("b"))},
	}
	r := request("dev", nil, deployment())
	r.Unknown.UndefaultedObject = true
	_, verdict := compile(t, teamA(), policies).Mutate(t.Context(), r)
	if !verdict.Uncertain || len(verdict.NotKnown) == 0 {
		t.Errorf("%+v", verdict)
	}
}
