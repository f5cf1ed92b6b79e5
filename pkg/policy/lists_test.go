package policy

import (
	"testing"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

func TestLists(t *testing.T) {
	deployments := schema.GroupResource{Group: "apps", Resource: "deployments"}
	for name, c := range map[string]struct {
		groups, resources []string
		want              bool
	}{
		"by name":               {[]string{"apps"}, []string{"statefulsets", "deployments"}, true},
		"others":                {[]string{"apps"}, []string{"statefulsets"}, false},
		"the name alone begins": {[]string{"apps"}, []string{"deploymentsets"}, false},
		"another group's":       {[]string{"example.com"}, []string{"deployments"}, false},
		"in any group":          {[]string{"*"}, []string{"deployments"}, true},
		"all of the group":      {[]string{"apps"}, []string{"*"}, true},
		"all of another group":  {[]string{""}, []string{"*"}, false},
		"a subresource":         {[]string{"apps"}, []string{"deployments/status"}, true},
		"all subresources":      {[]string{"apps"}, []string{"deployments/*"}, true},
		"a subresource of all":  {[]string{"apps"}, []string{"*/status"}, true},
		"of others":             {[]string{"apps"}, []string{"statefulsets/status"}, false},
	} {
		rule := admissionregistrationv1.NamedRuleWithOperations{RuleWithOperations: admissionregistrationv1.RuleWithOperations{
			Rule: admissionregistrationv1.Rule{APIGroups: c.groups, APIVersions: []string{"v2"}, Resources: c.resources},
		}}
		pods := rule
		pods.APIGroups, pods.Resources = []string{""}, []string{"pods"}
		match := &admissionregistrationv1.MatchResources{ResourceRules: []admissionregistrationv1.NamedRuleWithOperations{pods, rule}}
		if got := Lists(match, deployments); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
	if Lists(nil, deployments) || Lists(&admissionregistrationv1.MatchResources{}, deployments) {
		t.Error("no rule lists anything")
	}
}
