package differential

import (
	"maps"
	"slices"
)

// expected are the features that a long run must show, beside whatever else it shows.
func expected() []string {
	names := slices.Concat(libraries, patchNames, named, slices.Collect(maps.Keys(telling)))
	for _, s := range subjects {
		names = append(names, "kind "+s.kind())
	}
	for _, way := range ways {
		names = append(names, "way "+string(way))
	}
	return names
}

// named are those that no table of the generator has.
var named = []string{
	"namespaceSelector", "objectSelector", "excludeResourceRules", "matchPolicy Exact", "matchPolicy Equivalent",
	"rule's scope *", "rule's scope Cluster", "rule's scope Namespaced", "rule's resourceNames",
	"binding's matchResources", "binding's namespaceSelector", "binding's objectSelector", "binding's excludeResourceRules",
	"binding's matchPolicy Exact", "binding's matchPolicy Equivalent",
	"autoscaling/v1", "autoscaling/v2", "policy in the request's version", "policy in another version than the request's",
	"matchConditions", "variables", "failurePolicy Fail", "failurePolicy Ignore",
	"paramKind ConfigMap", "paramKind Setting", "paramKind ClusterSetting", "paramKind NobodyServesThis",
	"paramRef by name with one hit", "paramRef by name with no hit",
	"paramRef by selector with no hit", "paramRef by selector with one hit", "paramRef by selector with two hits",
	"paramRef into the request's namespace", "parameterNotFoundAction Allow", "parameterNotFoundAction Deny",
	"subresource status", "subresource scale", "subresource finalize", "subresource status of a custom resource",
	"generateName", "requester is a service account",
	"annotations", "labels", "name", "oldObject", "namespaceObject", "params", "request fields", "userInfo", "userInfo.extra",
	"messageExpression", "messageExpression that fails", "messageExpression that is empty", "messageExpression that is too long",
	"messageExpression with several lines", "multi-line expression", "reason Forbidden", "reason Invalid", "reason RequestEntityTooLarge",
	"auditAnnotations", "audit annotation that fails", "reinvocation", "no reinvocation", "reinvocation by another policy", "reinvocationPolicy Never", "reinvocationPolicy IfNeeded",
	"several MAPs on one key",
	"ApplyConfiguration map", "ApplyConfiguration set", "ApplyConfiguration list-map", "ApplyConfiguration labels",
	"ApplyConfiguration optional", "ApplyConfiguration of a custom resource", "ApplyConfiguration on a Scale",
}
