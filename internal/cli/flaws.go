package cli

import (
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// flaws are what keeps proposed policies from doing what they are meant for: no binding, no policy, an expression
// that the API server would not take. policies are those that would be in force, the proposed ones among them.
func flaws(proposed, policies *inventory.Policies, server string) ([]string, error) {
	var all []string
	for _, step := range simulate.Idle(policies) {
		switch {
		case step.Binding == "" && isProposed(proposed, step.Kind, step.Policy):
			all = append(all, fmt.Sprintf("%s %s has no binding, so that it does nothing", step.Kind, step.Policy))
		case step.Binding != "" && isProposed(proposed, step.Kind+"Binding", step.Binding):
			all = append(all, fmt.Sprintf("%sBinding %s does nothing: there is no %s %s", step.Kind, step.Binding, step.Kind, step.Policy))
		}
	}
	refused, err := notStored(proposed, server)
	return append(all, refused...), err
}

// notStored says which policies the server's version would refuse, and for which expression. What a newer server than those known
// would refuse is not known; a policy that can't be decided for it is among what was not simulated.
func notStored(policies *inventory.Policies, server string) ([]string, error) {
	if policy.Newer(server) {
		return nil, nil
	}
	var all []string
	for _, p := range policies.Validating {
		errs, err := policy.CompileErrors(p, policy.New, server)
		if err != nil {
			return nil, err
		}
		all = append(all, refusal("ValidatingAdmissionPolicy", p.Name, server, errs)...)
	}
	for _, p := range policies.Mutating {
		errs, err := policy.MutatingCompileErrors(p, policy.New, server)
		if err != nil {
			return nil, err
		}
		all = append(all, refusal("MutatingAdmissionPolicy", p.Name, server, errs)...)
	}
	return all, nil
}

func refusal(kind, name, server string, errs []policy.CompileError) []string {
	if len(errs) == 0 {
		return nil
	}
	more := ""
	if len(errs) > 1 {
		more = fmt.Sprintf(" (and %d more)", len(errs)-1)
	}
	message, _, _ := strings.Cut(strings.TrimSpace(errs[0].Message), "\n")
	return []string{fmt.Sprintf("Kubernetes %s would not store %s %s: %s: %s%s. Here it is decided as if it were stored", server, kind, name, errs[0].Field, message, more)}
}

func isProposed(proposed *inventory.Policies, kind, name string) bool {
	switch kind {
	case "ValidatingAdmissionPolicy":
		return hasName(proposed.Validating, name)
	case "ValidatingAdmissionPolicyBinding":
		return hasName(proposed.ValidatingBindings, name)
	case "MutatingAdmissionPolicy":
		return hasName(proposed.Mutating, name)
	case "MutatingAdmissionPolicyBinding":
		return hasName(proposed.MutatingBindings, name)
	}
	return false
}

func hasName[T metav1.Object](objects []T, name string) bool {
	return slices.ContainsFunc(objects, func(object T) bool { return object.GetName() == name })
}
