package chart

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// The hardened policies' names, before their scope's.
const (
	guardPrefix = "downscaler-annotations-"
	stripPrefix = "downscaler-annotations-strip-"
)

// deploymentControllers copy a Deployment's annotations to its ReplicaSets: the controller with an account of its own, and where the controller manager runs
// without --use-service-account-credentials, all of its controllers' user.
var deploymentControllers = []string{serviceAccount("kube-system", "deployment-controller"), "system:kube-controller-manager"}

// rolloutsController does the same for a Rollout. It is the account of Argo Rollouts' own manifests; another one has to be authorised by the values.
var rolloutsController = serviceAccount("argo-rollouts", "argo-rollouts")

// scope is what one hardened policy guards.
type scope struct {
	name, about string
	rules       []admissionregistrationv1.NamedRuleWithOperations
	// exempt are controllers that have to change the annotations, if any.
	exempt []string
}

// Hardened returns the guard that holds, for what the values name: whoever may set the annotations, and the kinds. What it closes is said
// in its comments. It guards workloads and namespaces, additions, edits and removals, whatever the values enable: each of them left out is a
// way round the others.
func (v *Values) Hardened(r Release) []Manifest {
	var all []Manifest
	for _, s := range v.scopes() {
		if v.Compliance.Mutate {
			all = append(all, v.hardenedMutation(r, s)...)
		}
		all = append(all, v.hardenedValidation(r, s)...)
	}
	return all
}

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

const (
	hardenedOld = `oldObject == null ? {} : oldObject.metadata.?annotations.orValue({})`
	hardenedNew = `object.metadata.?annotations.orValue({})`
)

func (v *Values) hardenedValidation(r Release, s scope) []Manifest {
	name, fail := guardPrefix+s.name, admissionregistrationv1.Fail
	policy := &admissionregistrationv1.ValidatingAdmissionPolicy{
		TypeMeta:   typeMeta("ValidatingAdmissionPolicy"),
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: admissionregistrationv1.ValidatingAdmissionPolicySpec{
			FailurePolicy:    &fail,
			MatchConstraints: &admissionregistrationv1.MatchResources{ResourceRules: s.rules},
			MatchConditions:  v.requesterConditions(r, s),
			Variables: []admissionregistrationv1.Variable{
				{Name: "old", Expression: hardenedOld},
				{Name: "new", Expression: hardenedNew},
			},
			Validations: []admissionregistrationv1.Validation{
				forbidden("add or edit", `variables.new.all(key, !key.startsWith("downscaler/") || (key in variables.old && variables.old[key] == variables.new[key]))`),
				forbidden("remove", `variables.old.all(key, !key.startsWith("downscaler/") || key in variables.new)`),
			},
		},
	}
	binding := &admissionregistrationv1.ValidatingAdmissionPolicyBinding{
		TypeMeta:   typeMeta("ValidatingAdmissionPolicyBinding"),
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec:       admissionregistrationv1.ValidatingAdmissionPolicyBindingSpec{PolicyName: name, ValidationActions: v.hardenedActions()},
	}
	return []Manifest{
		{Object: policy, About: s.about, Comments: v.hardenedComments(s, true)},
		{Object: binding, Comments: map[string]string{
			"spec.validationActions": "Whatever else happens, the request is refused: Warn or Audit alone would let it pass. No selector: a label would be a way out.",
		}},
	}
}

func (v *Values) hardenedMutation(r Release, s scope) []Manifest {
	name, fail := stripPrefix+s.name, admissionregistrationv1.Fail
	policy := &admissionregistrationv1.MutatingAdmissionPolicy{
		TypeMeta:   typeMeta("MutatingAdmissionPolicy"),
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: admissionregistrationv1.MutatingAdmissionPolicySpec{
			FailurePolicy: &fail, ReinvocationPolicy: admissionregistrationv1.IfNeededReinvocationPolicy,
			MatchConstraints: &admissionregistrationv1.MatchResources{ResourceRules: s.rules},
			MatchConditions:  v.requesterConditions(r, s),
			Mutations:        slices.Concat(jsonPatch(stripAndRevert), jsonPatch(restore)),
		},
	}
	binding := &admissionregistrationv1.MutatingAdmissionPolicyBinding{
		TypeMeta:   typeMeta("MutatingAdmissionPolicyBinding"),
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec:       admissionregistrationv1.MutatingAdmissionPolicyBindingSpec{PolicyName: name},
	}
	comments := v.hardenedComments(s, false)
	comments["spec.reinvocationPolicy"] = "Once more where another mutation changes the object behind this one."
	about := "Takes additions out and puts edited and removed values back, of the same as " + guardPrefix + s.name +
		",\nwhich stands behind it: a webhook can add an annotation after this policy ran."
	return []Manifest{{Object: policy, About: about, Comments: comments}, {Object: binding}}
}

// hardenedActions always deny; an audit that the values ask for stays.
func (v *Values) hardenedActions() []admissionregistrationv1.ValidationAction {
	actions := []admissionregistrationv1.ValidationAction{admissionregistrationv1.Deny}
	if slices.Contains(v.actions(), admissionregistrationv1.Audit) {
		actions = append(actions, admissionregistrationv1.Audit)
	}
	return actions
}

// requesterConditions ask about nothing but the requester: what a condition reads of the object, whoever writes the object decides.
func (v *Values) requesterConditions(r Release, s scope) []admissionregistrationv1.MatchCondition {
	exempt := []string{v.downscaler(r)}
	if v.WebhookEnabled {
		exempt = append(exempt, v.webhook(r))
	}
	exempt = append(exempt, s.exempt...)
	conditions := []admissionregistrationv1.MatchCondition{{Name: "not-the-downscaler", Expression: "!(request.userInfo.username in [" + strings.Join(quoted(exempt), ", ") + "])"}}
	for i, part := range inParts(slices.Concat(v.Compliance.ServiceAccounts, v.Compliance.Users)) {
		conditions = append(conditions, admissionregistrationv1.MatchCondition{
			Name: numbered("not-an-authorized-user", i), Expression: "!(" + anyMatches("request.userInfo.username", part) + ")",
		})
	}
	for i, part := range inParts(v.Compliance.Groups) {
		conditions = append(conditions, admissionregistrationv1.MatchCondition{
			Name:       numbered("not-in-an-authorized-group", i),
			Expression: "!request.userInfo.?groups.orValue([]).exists(group,\n  " + anyMatches("group", part) + ")",
		})
	}
	return conditions
}

// inParts divides patterns among conditions: an expression must not become too long, and has a cost limit of its own. There are
// at most 31 parts, so that users' and groups' together stay below maxConditions.
func inParts(patterns []Pattern) [][]Pattern {
	total, length := 0, 0
	for _, p := range patterns {
		total += quotedLength(p.Whole)
	}
	limit := max(4_000, total/15)
	var parts [][]Pattern
	for _, p := range patterns {
		if p.Lost {
			continue
		}
		if length += quotedLength(p.Whole); len(parts) == 0 || length > limit {
			parts, length = append(parts, nil), quotedLength(p.Whole)
		}
		parts[len(parts)-1] = append(parts[len(parts)-1], p)
	}
	return parts
}

func numbered(name string, i int) string {
	if i == 0 {
		return name
	}
	return fmt.Sprintf("%s-%d", name, i+1)
}

// anyMatches says that a text matches one of the patterns, from its beginning to its end.
func anyMatches(text string, patterns []Pattern) string {
	var all []string
	for _, p := range patterns {
		all = append(all, text+".matches("+strconv.Quote(p.Whole)+")")
	}
	return strings.Join(all, " ||\n  ")
}

func quoted(texts []string) []string {
	var all []string
	for _, text := range texts {
		all = append(all, strconv.Quote(text))
	}
	return all
}

func (v *Values) hardenedComments(s scope, validating bool) map[string]string {
	comments := map[string]string{
		"spec.failurePolicy":    "What can't be evaluated, or costs too much, is refused and not let through.",
		"spec.matchConditions":  "Only the requester decides whether the policy applies. Every pattern has both its ends, so that it matches no name that merely contains it.",
		"spec.matchConstraints": "Every version, and every subresource that can carry annotations.",
	}
	if len(s.exempt) > 0 {
		comments["spec.matchConditions"] += " The controllers of Deployments are exempt here: they copy what is guarded on the Deployment."
	}
	if groups := v.affordableGroups(); groups < manyGroups {
		comments["spec.matchConditions"] += fmt.Sprintf(" Matching costs something for each group of the requester: who is in more than about %d is refused every change here.", groups)
	}
	if validating {
		comments["spec.variables"] = "The annotations are read once, however many patterns there are: the cost budget holds."
	}
	return comments
}
