package differential

import (
	"context"
	"fmt"
	"slices"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// agreesInOtherOrder says whether some order of a group's mutating policies gives the API server's answer. The
// plugin runs them by name, the API server in any order.
func (l *library) agreesInOtherOrder(ctx context.Context, group Group, request Request, server Answer) bool {
	own := l.policiesOf(group)
	if len(own.Mutating) < 2 || len(own.Mutating) > 4 {
		return false
	}
	for order := range permutations(len(own.Mutating)) {
		renamed, original := inOrder(own, order)
		other, err := newLibrary(ctx, l.inventory, renamed)
		if err != nil {
			return false
		}
		answer, err := other.ask(ctx, request)
		if err == nil && Compare(server, answer.renamed(original)) == "" {
			return true
		}
	}
	return false
}

// policiesOf returns the policies in force that are the group's.
func (l *library) policiesOf(group Group) *inventory.Policies {
	names := map[string]bool{}
	for _, policy := range group.Policies {
		names[textAt(policy, "kind")+nameOf(policy)] = true
	}
	all, own := l.inventory.Policies(), &inventory.Policies{}
	own.Validating = pick(all.Validating, "ValidatingAdmissionPolicy", names)
	own.ValidatingBindings = pick(all.ValidatingBindings, "ValidatingAdmissionPolicyBinding", names)
	own.Mutating = pick(all.Mutating, "MutatingAdmissionPolicy", names)
	own.MutatingBindings = pick(all.MutatingBindings, "MutatingAdmissionPolicyBinding", names)
	return own
}

func pick[O metav1.Object](all []O, kind string, names map[string]bool) []O {
	return slices.DeleteFunc(slices.Clone(all), func(o O) bool { return !names[kind+o.GetName()] })
}

// inOrder renames mutating policies so that their names sort in an order. The replacer puts the old names back.
func inOrder(policies *inventory.Policies, order []int) (*inventory.Policies, *strings.Replacer) {
	renamed := &inventory.Policies{Validating: policies.Validating, ValidatingBindings: policies.ValidatingBindings}
	names := map[string]string{}
	var back []string
	for position, i := range order {
		policy := policies.Mutating[i].DeepCopy()
		name := fmt.Sprintf("order-%d", position)
		names[policy.Name] = name
		back = append(back, name, policy.Name)
		policy.Name = name
		renamed.Mutating = append(renamed.Mutating, policy)
	}
	for _, binding := range policies.MutatingBindings {
		binding = binding.DeepCopy()
		binding.Spec.PolicyName = names[binding.Spec.PolicyName]
		renamed.MutatingBindings = append(renamed.MutatingBindings, binding)
	}
	slices.SortFunc(renamed.Mutating, func(a, b *admissionregistrationv1.MutatingAdmissionPolicy) int {
		return strings.Compare(a.Name, b.Name)
	})
	return renamed, strings.NewReplacer(back...)
}

// renamed puts the policies' own names back into a status.
func (a Answer) renamed(original *strings.Replacer) Answer {
	if a.Status == nil {
		return a
	}
	statuses := append([]metav1.Status{*a.Status}, a.Possible...)
	a.Possible = nil
	for _, status := range statuses {
		status = *status.DeepCopy()
		status.Message = original.Replace(status.Message)
		if status.Details != nil {
			for i := range status.Details.Causes {
				status.Details.Causes[i].Message = original.Replace(status.Details.Causes[i].Message)
			}
		}
		a.Possible = append(a.Possible, status)
	}
	a.Status = &a.Possible[0]
	return a
}

// permutations yields every order of n things.
func permutations(n int) func(yield func([]int) bool) {
	return func(yield func([]int) bool) {
		order := make([]int, 0, n)
		permute(order, n, yield)
	}
}

func permute(order []int, n int, yield func([]int) bool) bool {
	if len(order) == n {
		return yield(slices.Clone(order))
	}
	for i := range n {
		if !slices.Contains(order, i) && !permute(append(order, i), n, yield) {
			return false
		}
	}
	return true
}
