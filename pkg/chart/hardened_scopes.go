package chart

import (
	"slices"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// scope is what one hardened policy guards.
type scope struct {
	name, about string
	rules       []admissionregistrationv1.NamedRuleWithOperations
	// exempt are controllers that have to change the annotations, if any.
	exempt []string
}

// deploymentControllers copy a Deployment's annotations to its ReplicaSets: the controller with an account of its own, and where the controller manager runs
// without --use-service-account-credentials, all of its controllers' user.
var deploymentControllers = []string{serviceAccount("kube-system", "deployment-controller"), "system:kube-controller-manager"}

// rolloutsController does the same for a Rollout. It is the account of Argo Rollouts' own manifests; another one has to be authorised by the values.
var rolloutsController = serviceAccount("argo-rollouts", "argo-rollouts")

func (v *Values) scopes() []scope {
	workloads := scope{name: "workloads", about: "Annotations of workloads. A request to /status can change annotations too, so that each kind is named with it."}
	for group, resources := range byGroup(v.workloads()) {
		workloads.rules = append(workloads.rules, rule(createOrUpdate, group, withStatus(resources)...))
	}
	slices.SortFunc(workloads.rules, func(a, b admissionregistrationv1.NamedRuleWithOperations) int {
		return strings.Compare(a.APIGroups[0], b.APIGroups[0])
	})
	scopes := []scope{{
		name:  "namespaces",
		about: "Annotations of namespaces, which hold for everything in them. /status and /finalize can change them too.",
		rules: []admissionregistrationv1.NamedRuleWithOperations{rule(createOrUpdate, "", "namespaces", "namespaces/finalize", "namespaces/status")},
	}}
	if slices.Contains(v.workloads(), schema.GroupResource{Group: "apps", Resource: "deployments"}) {
		scopes = append(scopes, v.replicaSets())
	}
	if len(workloads.rules) > 0 {
		scopes = append(scopes, workloads)
	}
	return scopes
}

func (v *Values) replicaSets() scope {
	s := scope{
		name:   "replicasets",
		about:  "Annotations of ReplicaSets: a rollback copies those of an old one to its Deployment. The Deployments' controller copies them the other way.",
		rules:  []admissionregistrationv1.NamedRuleWithOperations{rule(createOrUpdate, "apps", "replicasets", "replicasets/status")},
		exempt: deploymentControllers,
	}
	if slices.Contains(v.workloads(), schema.GroupResource{Group: "argoproj.io", Resource: "rollouts"}) {
		s.exempt = append(slices.Clone(s.exempt), rolloutsController)
	}
	return s
}

func byGroup(resources []schema.GroupResource) map[string][]string {
	groups := map[string][]string{}
	for _, r := range resources {
		groups[r.Group] = append(groups[r.Group], r.Resource)
	}
	return groups
}

func withStatus(resources []string) []string {
	var all []string
	for _, resource := range resources {
		all = append(all, resource, resource+"/status")
	}
	return all
}
