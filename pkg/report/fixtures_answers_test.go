package report

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// refused are updates that the API server refuses before there is an object as proposed: a conflict of server-side apply,
// whose message has several lines, and an object that is not there.
func refused() *simulate.Report {
	refusal := func(name string, code int32, reason metav1.StatusReason, message string) simulate.Result {
		return simulate.Result{
			Object: deployment("team-a", name), Operation: "UPDATE", Verb: "patch", Outcome: simulate.Blocked,
			Status: &metav1.Status{Code: code, Reason: reason, Message: message},
			Steps:  []policy.Step{{Phase: policy.PhaseValidation, Kind: "API", Decision: policy.Denied, Message: message}},
		}
	}
	conflict := refusal("web", 409, metav1.StatusReasonConflict, "Apply failed with 3 conflicts: conflicts with \"ops\" using apps/v1:\n"+
		"- .metadata.annotations.downscaler/uptime\n- .spec.replicas\nconflicts with \"hpa\":\n- .spec.replicas")
	conflict.Annotations = []simulate.Annotation{
		{Key: "downscaler/exclude", Change: simulate.Removed, Before: ptr("true"), After: ptr("true"), Effect: simulate.EffectBlocked},
		{Key: "downscaler/uptime", Change: simulate.Removed, Before: ptr("never"), After: ptr("never"), Effect: simulate.EffectBlocked},
	}
	invalid := refusal("api", 422, metav1.StatusReasonInvalid, "spec.replicas: Invalid value: -1") // is proposed, and removes
	invalid.Annotations = conflict.Annotations[:1]
	proposed := refusal("stale", 409, metav1.StatusReasonConflict, "the object has been modified")
	proposed.Annotations = []simulate.Annotation{{Key: "downscaler/exclude", Change: simulate.Edited, Before: ptr("true"), Proposed: ptr("false"), Effect: simulate.EffectBlocked}}
	return simulationOf(conflict, refusal("nope", 404, metav1.StatusReasonNotFound, `deployments.apps "nope" not found`), invalid, proposed)
}

// admitted are requests that no policy objects to: one that sets another annotation, a creation and a deletion.
func admitted() *simulate.Report {
	step := denied()
	step.Decision, step.Message, step.Binding = policy.Admitted, "", step.Policy
	other := step
	other.Binding = "second"
	third := step
	third.Policy, third.Binding = "labels", "labels"
	var results []simulate.Result
	for i, operation := range []string{"UPDATE", "CREATE", "DELETE"} {
		steps := []policy.Step{step, other, third}[:i+1]
		results = append(results, simulate.Result{Object: deployment("team-a", "web"), Operation: operation, Outcome: simulate.Allowed, Steps: steps})
	}
	twice := blocked(deployment("team-b", "web"))
	twice.Steps[0].Binding = "block"
	twice.Steps = append(twice.Steps, denied())
	return simulationOf(append(results, twice)...)
}

// policiesUnread is what is known of a request where the policies may not be read.
func policiesUnread() *simulate.Report {
	result := unknown(deployment("team-a", "web"))
	result.Incomplete = nil
	report := simulationOf(result)
	for _, kind := range []string{"validatingadmissionpolicies", "mutatingadmissionpolicies"} {
		report.Incomplete = append(report.Incomplete, inventory.Gap{What: kind + ".admissionregistration.k8s.io", Why: "forbidden"})
	}
	return report
}

// longChange edits a long value.
func longChange() *simulate.Report {
	result := blocked(deployment("team-a", "web"))
	a := &result.Annotations[0]
	a.Key, a.Change, a.Before, a.Proposed = "downscaler/uptime", simulate.Edited, ptr("Mon-Fri 07:00-19:00 Europe/Berlin"), ptr("always")
	return simulationOf(result, allowed(deployment("team-a", "api")))
}
