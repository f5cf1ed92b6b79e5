package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// rbacRules are the rules that would give the rights, one for each group and verb.
func rbacRules(rights []inventory.Right) string {
	type place struct{ group, verb, namespace string }
	var order []place
	resources := map[place][]string{}
	for _, right := range rights {
		at := place{right.Resource.Group, right.Verb, right.Namespace}
		if !slices.Contains(order, at) {
			order = append(order, at)
		}
		resources[at] = append(resources[at], right.Resource.Resource)
	}
	var rules []string
	for _, at := range order {
		group := orDefault(at.group, `""`)
		rule := fmt.Sprintf("{apiGroups: [%s], resources: [%s], verbs: [%s]}", group, strings.Join(resources[at], ", "), at.verb)
		if at.namespace != "" {
			rule += " in namespace " + at.namespace
		}
		rules = append(rules, rule)
	}
	return strings.Join(rules, ", ")
}
