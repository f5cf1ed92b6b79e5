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

// allOrders is the number of mutating policies up to which every order is tried.
const allOrders = 4

// inOtherOrders runs the policies in other orders than that of their names, because the API server has none, and adds to
// the verdict what it may answer. If the orders don't agree about the object, or about whether there is one, nothing is
// certain.
func (s *Set) inOtherOrders(ctx context.Context, request Request, hooks []mutating.PolicyHook, first *mutationRun, verdict *Verdict) {
	for _, order := range orders(len(hooks)) {
		run := s.newMutation(ctx, request)
		err := run.dispatch(ctx, reordered(hooks, order))
		switch failed := len(verdict.Statuses) > 0; {
		case failed && err != nil:
			verdict.addStatus(statusOf(err))
		case failed != (err != nil) || !sameObject(first.object(), run.object()):
			verdict.Uncertain = true
			verdict.NotKnown = append(verdict.NotKnown, orderGap(hooks))
			return
		}
	}
}

func (m *mutationRun) object() runtime.Object { return m.attributes.GetObject() }

func (v *Verdict) addStatus(status metav1.Status) {
	known := func(s metav1.Status) bool { return equality.Semantic.DeepEqual(s, status) }
	if !slices.ContainsFunc(v.Statuses, known) {
		v.Statuses = append(v.Statuses, status)
	}
}

// orders returns the orders of n policies to try beside the first: all of them where these are few, else the reverse and
// the one in which each policy comes first.
func orders(n int) [][]int {
	identity := make([]int, n)
	for i := range identity {
		identity[i] = i
	}
	if n <= allOrders {
		return slices.DeleteFunc(permutations(identity), func(order []int) bool { return slices.Equal(order, identity) })
	}
	reverse := slices.Clone(identity)
	slices.Reverse(reverse)
	all := [][]int{reverse}
	for i := 1; i < n; i++ {
		all = append(all, append([]int{i}, slices.Delete(slices.Clone(identity), i, i+1)...))
	}
	return all
}

func permutations(items []int) [][]int {
	if len(items) <= 1 {
		return [][]int{slices.Clone(items)}
	}
	var all [][]int
	for i, first := range items {
		for _, rest := range permutations(slices.Delete(slices.Clone(items), i, i+1)) {
			all = append(all, append([]int{first}, rest...))
		}
	}
	return all
}

func reordered(hooks []mutating.PolicyHook, order []int) []mutating.PolicyHook {
	all := make([]mutating.PolicyHook, len(hooks))
	for i, at := range order {
		all[i] = hooks[at]
	}
	return all
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
