package report

import (
	"regexp"
	"slices"
	"strings"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/authorization"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// decisionWords say what a step came to, for people.
var decisionWords = map[policy.Decision]string{
	policy.NotMatched:   "does not match",
	policy.Skipped:      "skipped",
	policy.NoChange:     "changed nothing",
	policy.Mutated:      "changed the object",
	policy.Admitted:     "admitted",
	policy.Warned:       "warned",
	policy.Audited:      "let through, recorded in the audit log",
	policy.Denied:       "denied",
	policy.Error:        "failed, and failurePolicy Fail denies it",
	policy.ErrorIgnored: "failed, and failurePolicy Ignore lets it through",
	policy.NotSimulated: "not simulated",
}

func decisionWord(d policy.Decision) string {
	if word, ok := decisionWords[d]; ok {
		return word
	}
	return escape(string(d))
}

// deciding are the decisions that explain an outcome, the most telling first.
var deciding = map[simulate.Outcome][]policy.Decision{
	simulate.Blocked: {policy.Denied, policy.Error},
	simulate.Altered: {policy.Mutated},
	simulate.Unknown: {policy.NotSimulated},
	simulate.Allowed: {policy.Warned, policy.ErrorIgnored, policy.Audited, policy.Skipped, policy.Admitted, policy.NoChange},
}

// decidingSteps are the steps that explain a result's outcome. Several kinds of denial all count; of
// the reasons to pass, the most telling kind.
func decidingSteps(result simulate.Result) []policy.Step {
	var found []policy.Step
	for _, decision := range deciding[result.Outcome] {
		for _, step := range result.Steps {
			if step.Decision == decision && !grants(step) {
				found = append(found, step)
			}
		}
		if len(found) > 0 && result.Outcome != simulate.Blocked {
			return found
		}
	}
	return found
}

// grants says of a step that the requester is authorized, which is the reason for no outcome.
func grants(step policy.Step) bool {
	return step.Phase == policy.PhaseAuthorization && step.Decision == policy.Admitted
}

// origin names the link of the chain that a step is: policy block, binding block-all.
func origin(step policy.Step) string {
	parts := []string{linkName(step.Kind, step.Policy)}
	if step.Policy == "" && step.Kind == "" {
		parts[0] = phaseName(step.Phase)
	}
	if step.Binding != "" {
		parts = append(parts, "binding "+escape(step.Binding))
	}
	if step.Param != "" {
		parts = append(parts, "param "+escape(step.Param))
	}
	return strings.Join(parts, ", ")
}

// shortOrigin leaves out a binding that is called like its policy, and who was asked whether the requester is authorized.
func shortOrigin(step policy.Step) string {
	if step.Phase == policy.PhaseAuthorization {
		return phaseName(step.Phase)
	}
	if step.Binding == step.Policy {
		step.Binding = ""
	}
	return origin(step)
}

// sourceNames are the kinds of authorization's steps.
var sourceNames = map[string]string{
	string(authorization.SourceReview):  "the API server's access review",
	string(authorization.SourceRBAC):    "roles and bindings",
	string(authorization.SourceGroup):   "the group system:masters",
	string(authorization.SourceUnknown): "authorization",
}

func linkName(kind, name string) string {
	switch {
	case kind == "API" && name == "":
		return "the API server"
	case name == "" && sourceNames[kind] != "":
		return sourceNames[kind]
	case name == "":
		return escape(kind)
	case slices.Contains([]string{"ValidatingAdmissionPolicy", "MutatingAdmissionPolicy"}, kind):
		return "policy " + escape(name)
	default:
		return escape(kind + " " + name)
	}
}

func phaseName(phase policy.Phase) string {
	switch phase {
	case policy.PhaseAuthorization:
		return "authorization"
	case policy.PhaseValidation:
		return "the API's own validation"
	default:
		return escape(strings.ToLower(string(phase)))
	}
}

// stepReason is what a step says for itself: its message, or the clause that decided it. A denial
// needs no word for it, the outcome beside it says so.
func stepReason(step policy.Step) string {
	word := decisionWord(step.Decision)
	switch {
	case step.Message != "" && step.Decision == policy.Denied:
		return plainMessage(step.Message)
	case step.Message != "":
		return word + ": " + plainMessage(step.Message)
	case step.Decision == policy.Skipped && step.Because.MatchCondition != "":
		return `matchCondition "` + step.Because.MatchCondition + `" is false`
	case step.Because.Rule != "":
		return word + " by " + step.Because.Rule
	default:
		return word
	}
}

// statusPrefix is what the API server writes before the reason of a refusal.
var statusPrefix = regexp.MustCompile(
	`^[a-z0-9.-]+( "[^"]*")? is forbidden: (ValidatingAdmissionPolicy '[^']*' with binding '[^']*' denied request: )?`)

// plainMessage leaves out of a message what the table says in its other columns: the object, the
// policy and the binding.
func plainMessage(message string) string {
	return message[len(statusPrefix.FindString(message)):]
}
