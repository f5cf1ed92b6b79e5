package findings

import (
	"strings"
	"testing"
)

// instead is the guard with something else in the place of a part of it.
func instead(of, other string) string { return strings.Replace(guard{}.String(), of, other, 1) }

// What clauses of a guard leave out on the kinds that it is there for.
var changeSituations = []situation{
	{
		rule: "change-not-covered", variant: "update", subject: "guard spec.matchConstraints.resourceRules", says: "for CREATE only, and not for UPDATE",
		leak: "Adding an annotation, where the rules list `CREATE` alone", mend: "`UPDATE` in the rules",
		open: instead("operations: [CREATE, UPDATE]", "operations: [CREATE]"), closed: guard{}.String(), ask: addition,
	},
	{
		rule: "change-not-covered", variant: "left-out", subject: "guard spec.matchResources.excludeResourceRules[0]", says: "leaves them out",
		leak: "Adding an annotation to an object that `excludeResourceRules` names", mend: "no `excludeResourceRules`",
		open:   guard{selector: `excludeResourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [UPDATE], resources: [deployments], resourceNames: [web]}]`}.String(),
		closed: guard{}.String(), ask: addition,
	},
	{
		rule: "change-not-covered", variant: "names", subject: "guard spec.matchConstraints.resourceRules", says: "by the resourceNames web only",
		leak: "Creating a Deployment `foo` with an annotation, where the rules have `resourceNames: [web]`", mend: "no `resourceNames`",
		open: instead("operations: [CREATE, UPDATE]", "operations: [CREATE, UPDATE], resourceNames: [web]"), closed: guard{}.String(),
		leaks: func(t *testing.T, p place) bool { t.Helper(); return creates(t, p, "foo") },
	},
	{
		rule: "change-not-covered", variant: "condition", subject: "guard spec.matchConditions[0].expression", says: "namespaces (",
		leak: "Adding an annotation to a Namespace, where the rules list namespaces and a condition asks for Deployments", mend: "no such condition",
		open:   guard{groups: `["", apps]`, resources: "[deployments, deployments/status, namespaces, namespaces/status, namespaces/finalize]", exempt: "request.kind.kind != 'Deployment'"}.String(),
		closed: guard{groups: `["", apps]`, resources: "[deployments, deployments/status, namespaces, namespaces/status, namespaces/finalize]"}.String(),
		ask:    []string{"namespace/NS", "--set", "exclude=true"},
	},
	{
		rule: "change-not-covered", variant: "keys", subject: "guard spec.validations", says: "downscaler/force-uptime",
		leak: "Adding `downscaler/force-uptime`, where the validation knows `downscaler/exclude` alone", mend: "a comparison of every key with the prefix",
		open:   strings.ReplaceAll(guard{}.String(), "k.startsWith('downscaler/')", "k == 'downscaler/exclude'"),
		closed: guard{}.String(), ask: []string{"deploy/web", "-n", "NS", "--set", "force-uptime=always"},
	},
	{
		rule: "change-not-covered", variant: "values", subject: "guard spec.validations", says: "downscaler/exclude=TRUE",
		leak: "Adding `downscaler/exclude: TRUE`, where the validation refuses `true` alone", mend: "a comparison whatever the value",
		open:   instead("variables.new == variables.old", "variables.new.all(k, variables.new[k] != 'true')"),
		closed: guard{}.String(), ask: []string{"deploy/web", "-n", "NS", "--set", "exclude=TRUE"},
	},
	letting("pattern-authorizes-everyone", "shape", userMatching("^system:serviceaccount:[a-z-]+:default$"), userMatching("^user1$"), "as-serviceaccount", "some:default"),
}
