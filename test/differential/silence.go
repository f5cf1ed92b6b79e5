package differential

import "strings"

// addSilence counts, for every policy that denies whatever it comes to look at, which of its features may have left
// the request out where the answer does not name it.
func (c Coverage) addSilence(group Group, answer Answer) {
	transcript := answer.transcript()
	for _, policy := range group.Policies {
		if strings.Contains(transcript, nameOf(policy)) || !failsAlways(policy) {
			continue
		}
		for _, feature := range silentFeatures(group, policy) {
			c.count(feature, leftOut)
		}
	}
}

// failsAlways says whether a validating policy has a validation that is false for every request.
func failsAlways(policy Object) bool {
	validations, _ := at(policy, "spec", "validations").(List)
	for _, validation := range validations {
		if textAt(validation.(Object), "expression") == "false" {
			return true
		}
	}
	return false
}

// silentFeatures are the features of a policy and its bindings that can leave a request out.
func silentFeatures(group Group, policy Object) []string {
	var found []string
	for _, field := range []string{"namespaceSelector", "objectSelector", "excludeResourceRules", "matchPolicy"} {
		if at(policy, "spec", "matchConstraints", field) != nil {
			found = append(found, field)
		}
	}
	if at(policy, "spec", "matchConditions") != nil {
		found = append(found, "matchConditions")
	}
	if textAt(policy, "spec", "failurePolicy") == "Ignore" {
		found = append(found, "failurePolicy Ignore")
	}
	for _, binding := range group.Policies {
		if textAt(binding, "spec", "policyName") != nameOf(policy) {
			continue
		}
		if at(binding, "spec", "matchResources") != nil {
			found = append(found, "binding's matchResources")
		}
		if action := textAt(binding, "spec", "paramRef", "parameterNotFoundAction"); action != "" {
			found = append(found, "parameterNotFoundAction "+action)
		}
	}
	return found
}
