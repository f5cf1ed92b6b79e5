package differential

import "strings"

// addPolicies counts the fields that policies and bindings use, where the answer names them. Where it does not, it counts those
// that can leave a request out, for policies that deny whatever they come to look at.
func (c Coverage) addPolicies(group Group, request Request, answer Answer) {
	for _, policy := range group.Policies {
		if at(policy, "spec", "policyName") != nil {
			continue
		}
		shown := false
		for column, text := range texts(answer) {
			if !strings.Contains(text, nameOf(policy)) {
				continue
			}
			shown = true
			c.countAll(fieldsOf(policy), column)
			for _, binding := range bindingsOf(group, policy) {
				c.countAll(bindingFields(group, policy, binding, request), column)
			}
		}
		if !shown && failsAlways(policy) {
			c.countAll(leavingOut(fieldsOf(policy)), leftOut)
			for _, binding := range bindingsOf(group, policy) {
				c.countAll(leavingOut(bindingFields(group, policy, binding, request)), leftOut)
			}
		}
	}
}

func (c Coverage) countAll(features []string, column string) {
	for _, feature := range features {
		c.count(feature, column)
	}
}

func bindingsOf(group Group, policy Object) []Object {
	var found []Object
	for _, object := range group.Policies {
		if textAt(object, "spec", "policyName") == nameOf(policy) && textAt(object, "kind") == textAt(policy, "kind")+"Binding" {
			found = append(found, object)
		}
	}
	return found
}

// failsAlways says whether a validating policy has a validation that is false for every request.
func failsAlways(policy Object) bool {
	validations, _ := at(policy, "spec", "validations").(List)
	for _, validation := range validations {
		if strings.HasPrefix(strings.TrimPrefix(textAt(validation.(Object), "expression"), "// several\n"), "false ") {
			return true
		}
	}
	return false
}

// leavingOut keeps the features that can leave a request out.
func leavingOut(features []string) []string {
	var kept []string
	for _, feature := range features {
		for _, can := range []string{"Selector", "excludeResourceRules", "matchPolicy", "matchConditions", "failurePolicy Ignore", "matchResources", "rule's", "parameterNotFoundAction Allow"} {
			if strings.Contains(feature, can) {
				kept = append(kept, feature)
				break
			}
		}
	}
	return kept
}
