package differential

import "fmt"

// fieldsOf lists the fields that a policy uses.
func fieldsOf(policy Object) []string {
	features := constraintFields("", at(policy, "spec", "matchConstraints"))
	if failure := textAt(policy, "spec", "failurePolicy"); failure != "" {
		features = append(features, "failurePolicy "+failure)
	}
	for _, field := range []string{"matchConditions", "variables"} {
		if at(policy, "spec", field) != nil {
			features = append(features, field)
		}
	}
	if kind := textAt(policy, "spec", "paramKind", "kind"); kind != "" {
		features = append(features, "paramKind "+kind)
	}
	if policy := textAt(policy, "spec", "reinvocationPolicy"); policy != "" {
		features = append(features, "reinvocationPolicy "+policy)
	}
	return features
}

// constraintFields lists the fields of matchConstraints or of a binding's matchResources.
func constraintFields(of string, constraints any) []string {
	match, _ := constraints.(Object)
	var features []string
	for _, field := range []string{"namespaceSelector", "objectSelector", "excludeResourceRules"} {
		if match[field] != nil {
			features = append(features, of+field)
		}
	}
	if policy, found := match["matchPolicy"]; found {
		features = append(features, fmt.Sprintf("%smatchPolicy %s", of, policy))
	}
	if of != "" {
		return features
	}
	rules, _ := match["resourceRules"].(List)
	for _, rule := range rules {
		if scope := textAt(rule.(Object), "scope"); scope != "" {
			features = append(features, "rule's scope "+scope)
		}
		if at(rule.(Object), "resourceNames") != nil {
			features = append(features, "rule's resourceNames")
		}
	}
	return features
}

// bindingFields lists the fields that a binding uses, and what its paramRef finds for a request.
func bindingFields(group Group, policy, binding Object, request Request) []string {
	var features []string
	if match := at(binding, "spec", "matchResources"); match != nil {
		features = append(constraintFields("binding's ", match), "binding's matchResources")
	}
	ref, _ := at(binding, "spec", "paramRef").(Object)
	kind := textAt(policy, "spec", "paramKind", "kind")
	if ref == nil || plurals[kind] == "" {
		return features
	}
	namespace := textAt(ref, "namespace")
	if kind != "ClusterSetting" && namespace == "" {
		features = append(features, "paramRef into the request's namespace")
		namespace = namespaceOf(request.Object)
	}
	found := hits(group, kind, ref, namespace)
	features = append(features, fmt.Sprintf("paramRef by %s with %s", refersBy(ref), []string{"no hit", "one hit", "two hits"}[min(found, 2)]))
	if found == 0 {
		features = append(features, "parameterNotFoundAction "+textAt(ref, "parameterNotFoundAction"))
	}
	return features
}

func refersBy(ref Object) string {
	if ref["selector"] != nil {
		return "selector"
	}
	return "name"
}

// hits counts the parameters that a paramRef of the generator's finds in a namespace.
func hits(group Group, kind string, ref Object, namespace string) int {
	uses := map[any]bool{"x": true}
	if at(ref, "selector", "matchExpressions") != nil {
		uses = map[any]bool{"y": true, "z": true}
	}
	found := 0
	for _, object := range group.Objects {
		if textAt(object, "kind") != kind || namespaceOf(object) != "" && namespaceOf(object) != namespace {
			continue
		}
		if ref["name"] == nameOf(object) || ref["name"] == nil && uses[at(object, "metadata", "labels", "use")] {
			found++
		}
	}
	return found
}
