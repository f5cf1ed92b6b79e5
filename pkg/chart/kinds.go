package chart

import (
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/downscaler"
)

// workloads are the resources that includedResources stands for, each once, in its order. The chart passes over an id that it doesn't know, and adds
// the Jobs to the CronJobs where the arguments let them be scaled.
func (v *Values) workloads() []schema.GroupResource {
	var found []schema.GroupResource
	seen := map[schema.GroupResource]bool{}
	add := func(resource schema.GroupResource) {
		if !seen[resource] {
			seen[resource] = true
			found = append(found, resource)
		}
	}
	for _, id := range v.IncludedResources {
		for _, kind := range downscaler.Kinds() {
			if kind.ID != id {
				continue
			}
			add(kind.Resource.GroupResource())
			if id == "cronjobs" && v.ScaleChildren {
				add(schema.GroupResource{Group: kind.Resource.Group, Resource: "jobs"})
			}
		}
	}
	return found
}

// rule matches resources of one group in every version.
func rule(operations []admissionregistrationv1.OperationType, group string, resources ...string) admissionregistrationv1.NamedRuleWithOperations {
	return admissionregistrationv1.NamedRuleWithOperations{RuleWithOperations: admissionregistrationv1.RuleWithOperations{
		Operations: operations,
		Rule:       admissionregistrationv1.Rule{APIGroups: []string{group}, APIVersions: []string{"*"}, Resources: resources},
	}}
}
