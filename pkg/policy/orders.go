package policy

import (
	"context"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// ran is one order of the mutating policies and what came of it.
type ran struct {
	order  Order
	failed bool
	object runtime.Object
}

// inOtherOrders runs the policies in other orders than that of their names, because the API server has none, and adds to
// the verdict what it may answer. If the orders don't agree about the object, or about whether there is one, nothing is
// certain; nor is it where one of them reads what is not known.
func (m *mutationRun) inOtherOrders(ctx context.Context, request Request, plans []plan, hooks []mutating.PolicyHook, verdict *Verdict) {
	order := orderOf(hooks)
	results := []ran{{order: order, failed: len(verdict.Statuses) > 0, object: m.object()}}
	others, all := order.others()
	for _, order := range others {
		run := m.set.newMutation(ctx, request)
		err := run.dispatch(ctx, inOrder(hooks, order))
		if other := run.verdict(plans); other.Uncertain || err != nil && len(run.converters.missing) > 0 {
			all = false
			verdict.addUnknown(other)
			continue
		}
		result := ran{order: order, failed: err != nil, object: run.object()}
		if !slices.ContainsFunc(results, result.alike) {
			results = append(results, result)
		}
		if err != nil && results[0].failed {
			verdict.addStatus(statusOf(err))
		}
	}
	if len(results) == 1 {
		return
	}
	verdict.Uncertain = true
	verdict.NotKnown = append(verdict.NotKnown, orderGap(hooks))
	verdict.Disorder = &Disorder{Whole: all}
	for _, r := range results {
		verdict.Disorder.Orders = append(verdict.Disorder.Orders, r.order)
	}
}

// alike says whether two orders come to the same. What the object was when a policy failed does not matter.
func (r ran) alike(other ran) bool {
	return r.failed == other.failed && (r.failed || sameObject(other.object, r.object))
}

func (m *mutationRun) object() runtime.Object { return m.attributes.GetObject() }

func (v *Verdict) addStatus(status metav1.Status) {
	known := func(s metav1.Status) bool { return equality.Semantic.DeepEqual(s, status) }
	if !slices.ContainsFunc(v.Statuses, known) {
		v.Statuses = append(v.Statuses, status)
	}
}

// addUnknown adds what the verdict of another order would have needed to know.
func (v *Verdict) addUnknown(other Verdict) {
	v.Uncertain = true
	for _, gap := range other.NotKnown {
		if !slices.Contains(v.NotKnown, gap) {
			v.NotKnown = append(v.NotKnown, gap)
		}
	}
}

// orderOf returns the order in which hooks stand.
func orderOf(hooks []mutating.PolicyHook) Order {
	order := make(Order, len(hooks))
	for i, hook := range hooks {
		order[i] = placeOf(hook)
	}
	return order
}

// inOrder puts hooks into an order; those that are not in it stay behind.
func inOrder(hooks []mutating.PolicyHook, order Order) []mutating.PolicyHook {
	rank := func(hook mutating.PolicyHook) int {
		if at := slices.Index(order, placeOf(hook)); at >= 0 {
			return at
		}
		return len(order)
	}
	hooks = slices.Clone(hooks)
	slices.SortStableFunc(hooks, func(a, b mutating.PolicyHook) int { return rank(a) - rank(b) })
	return hooks
}

// orderGap names the policies whose order decides.
func orderGap(hooks []mutating.PolicyHook) inventory.Gap {
	var names []string
	for _, hook := range hooks {
		if !slices.Contains(names, hook.Policy.Name) {
			names = append(names, hook.Policy.Name)
		}
	}
	return inventory.Gap{
		What: "the order of " + kindMutating + " " + strings.Join(names, ", "),
		Why:  "the API server runs mutating policies in no fixed order, and here one order gives another result than another",
	}
}
