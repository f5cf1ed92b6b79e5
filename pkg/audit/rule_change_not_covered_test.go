package audit

import (
	"cmp"
	"fmt"
	"strings"
	"testing"
)

// comparing is a policy that compares the annotations before and after, with its binding. What a case needs is changed in it.
type comparing struct {
	rules, more string // of matchConstraints, in YAML's flow form
	condition   string // true
	validation  string // the comparison
	binding     string // the binding's matchResources, in YAML's flow form
	failure     string // Fail
}

const (
	bothRules = `[{apiGroups: [apps], apiVersions: ["*"], operations: [CREATE, UPDATE], resources: [deployments, deployments/status]},
      {apiGroups: [""], apiVersions: ["*"], operations: [CREATE, UPDATE], resources: [namespaces, namespaces/status, namespaces/finalize]}]`
	keptAsWas = `(oldObject != null && has(oldObject.metadata.annotations) && k in oldObject.metadata.annotations && oldObject.metadata.annotations[k] == object.metadata.annotations[k])`
	keptAll   = `oldObject == null || oldObject.metadata.?annotations.orValue({}).all(k, !k.startsWith("downscaler/") || k in object.metadata.?annotations.orValue({}))`
)

// denying is a validation of the keys that fit.
func denying(keys string) string {
	return `object.metadata.?annotations.orValue({}).all(k, !(` + keys + `) || ` + keptAsWas + `) && (` + keptAll + `)`
}

func (c comparing) String() string {
	return fmt.Sprintf(`
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: guard}
spec: {policyName: guard, validationActions: [Deny], matchResources: {%s}}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: guard}
spec:
  failurePolicy: %s
  matchConstraints: {resourceRules: %s, %s}
  matchConditions: [{name: condition, expression: %q}]
  validations: [{expression: %q}]
`, c.binding, cmp.Or(c.failure, "Fail"), cmp.Or(c.rules, bothRules), c.more, cmp.Or(c.condition, "true"), cmp.Or(c.validation, denying(`k.startsWith("downscaler/")`)))
}

func rulesFor(operations string) string {
	return strings.ReplaceAll(`[{apiGroups: [apps], apiVersions: ["*"], resources: [deployments], OPS}, {apiGroups: [""], apiVersions: ["*"], resources: [namespaces], OPS}]`,
		"OPS", "operations: ["+operations+"]")
}

func TestChangeNotCovered(t *testing.T) {
	uptime := deployment("team-a", "web", `downscaler/uptime: "Mon-Fri 08:00-20:00 Europe/Berlin"`)
	const set = "deployments.apps/web -n team-a --set "
	for name, test := range map[string]struct {
		guard                 comparing
		field, says, evidence string
	}{
		"no rule for UPDATE": {
			comparing{rules: rulesFor("CREATE")}, "spec.matchConstraints.resourceRules",
			"additions, edits and removals pass on deployments.apps (1), since spec.matchConstraints.resourceRules lists deployments.apps for CREATE only, and not for UPDATE", set + "downscaler/exclude=true",
		},
		"no rule for CREATE": {
			comparing{rules: rulesFor("UPDATE")}, "spec.matchConstraints.resourceRules",
			"creations with an annotation pass on deployments.apps (1), since spec.matchConstraints.resourceRules lists deployments.apps for UPDATE only", "--operation create",
		},
		"left out by name": {
			comparing{more: `excludeResourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [UPDATE], resources: [deployments], resourceNames: [web]}]`},
			"spec.matchConstraints.excludeResourceRules[0]", "additions, edits and removals pass on deployments.apps (1)", set + "downscaler/exclude=true",
		},
		"left out by a binding": {
			comparing{binding: `excludeResourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [UPDATE], resources: [deployments]}]`},
			"spec.matchResources.excludeResourceRules[0]", "additions, edits and removals pass on deployments.apps (1)", set + "downscaler/exclude=true",
		},
		"names of objects": {
			comparing{rules: strings.ReplaceAll(bothRules, "deployments/status]", "deployments/status], resourceNames: [web]")}, "spec.matchConstraints.resourceRules",
			"creations with an annotation on deployments.apps with the name compliance-probe pass, since spec.matchConstraints.resourceRules lists deployments.apps by the resourceNames web only", `"name":"compliance-probe"`,
		},
		"names that are left out": {
			comparing{more: `excludeResourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments], resourceNames: [sandbox]}]`},
			"spec.matchConstraints.excludeResourceRules[0]", "with the name sandbox", `"name":"sandbox"`,
		},
		"a condition about kinds": {
			comparing{condition: `request.kind.kind == "Deployment"`}, "spec.matchConditions[0].expression",
			"pass on namespaces (1), since the matchCondition condition, ", "namespaces/team-a --set downscaler/exclude=true",
		},
		"a list of keys": {
			comparing{validation: denying(`k in ["downscaler/exclude", "downscaler/uptime"]`)}, "spec.validations",
			"creations with an annotation, additions and edits on deployments.apps and namespaces with downscaler/exclude-until, downscaler/downtime", set + "downscaler/downscale-period=always",
		},
		"one value": {
			comparing{validation: `object.metadata.?annotations["downscaler/exclude"].orValue("") != "true"`}, "spec.validations",
			"edits and removals pass on deployments.apps (1) and namespaces (1), since each of its validations is true for them", set + "downscaler/uptime=true",
		},
		"one spelling": {
			comparing{validation: denying(`k.startsWith("downscaler/") && object.metadata.annotations[k] != "TRUE"`)}, "spec.validations",
			"downscaler/exclude=TRUE", set + "downscaler/exclude=TRUE",
		},
	} {
		t.Run(name, func(t *testing.T) {
			report := auditOf(t, test.guard, teamA, uptime)
			for _, f := range found(report, "change-not-covered") {
				if f.Subject.Field == test.field && strings.Contains(f.Message, test.says) && strings.Contains(f.Evidence, test.evidence) && f.Severity == High && f.Remedy != "" {
					return
				}
			}
			t.Errorf("%+v", report.Findings)
		})
	}
}

// What only the downscaler itself writes is of less consequence.
func TestChangeNotCoveredBookkeeping(t *testing.T) {
	guard := comparing{validation: denying(`k.startsWith("downscaler/") && k != "downscaler/original-replicas"`)}
	f := one(t, auditOf(t, guard, teamA, deployment("team-a", "web", "")), "change-not-covered", "--set downscaler/original-replicas=")
	if f.Severity != Medium || strings.Contains(f.Message, "namespaces") {
		t.Errorf("%+v", f)
	}
}

// Where an object carries downscaler/exclude, the change that it is tried with is of a key that the downscaler does not read.
func TestChangeNotCoveredKnownKeys(t *testing.T) {
	all := `["exclude", "exclude-until", "downtime", "uptime", "downscale-period", "upscale-period", "force-downtime", "force-uptime", "downscale-replicas", "grace-period", "scale-children", "upscale-excluded", "original-replicas"]`
	excluded := deployment("team-a", "web", `downscaler/exclude: "true"`)
	silent(t, auditOf(t, comparing{validation: denying(all + `.exists(n, k == "downscaler/" + n)`)}, teamA, excluded), "change-not-covered")
	few := `["exclude", "uptime"]`
	one(t, auditOf(t, comparing{validation: denying(few + `.exists(n, k == "downscaler/" + n)`)}, teamA, excluded), "change-not-covered", "--set downscaler/exclude-until=")
}

func TestChangeNotCoveredSilent(t *testing.T) {
	objects := []any{teamA, deployment("team-a", "web", `downscaler/uptime: "always"`), deployment("team-b", "api", ""), strings.ReplaceAll(teamA, "team-a", "team-b"), nightly}
	for name, manifests := range map[string][]any{
		"holds":                     {comparing{}},
		"hardened":                  {hardened(t)},
		"the chart's":               {chartLike(false)},
		"the chart's, mutating":     {chartLike(true)},
		"additions only":            {chartLike(false)[:1]},
		"a kind that nobody lists":  {comparing{rules: rulesFor("CREATE, UPDATE")}},
		"no policy":                 {},
		"only warns":                {strings.ReplaceAll(comparing{}.String(), "[Deny]", "[Warn]")},
		"a namespace":               {comparing{binding: `namespaceSelector: {matchExpressions: [{key: kubernetes.io/metadata.name, operator: NotIn, values: [team-b]}]}`}},
		"a label of the object's":   {comparing{binding: `objectSelector: {matchExpressions: [{key: free, operator: DoesNotExist}]}`}},
		"a label in a condition":    {comparing{condition: `!("free" in object.metadata.?labels.orValue({}))`}},
		"a name in a condition":     {comparing{condition: `object.metadata.name in ["web", "api", "team-a", "team-b"]`}},
		"errors that are ignored":   {comparing{condition: `oldObject.metadata.name != ""`, failure: "Ignore"}},
		"everyone":                  {comparing{condition: `!request.userInfo.username.matches("")`}},
		"two policies, each a part": {comparing{rules: rulesFor("CREATE")}, strings.ReplaceAll(comparing{rules: rulesFor("UPDATE")}.String(), "guard", "other")},
		"does not compile":          {comparing{condition: "nothing", failure: "Ignore"}},
	} {
		t.Run(name, func(t *testing.T) {
			silent(t, auditOf(t, append(manifests, objects...)...), "change-not-covered")
		})
	}
}
