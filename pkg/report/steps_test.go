package report

import (
	"testing"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

func step(decision policy.Decision, message string) policy.Step {
	return policy.Step{Kind: "ValidatingAdmissionPolicy", Policy: "block", Binding: "all", Decision: decision, Message: message}
}

// The reason beside an outcome is the most telling of all steps, in few words.
func TestReason(t *testing.T) {
	style := simulationStyle{valueLimit: 48, messageLimit: 40, reasons: 2}
	api := policy.Step{Phase: policy.PhaseValidation, Kind: "API", Decision: policy.Denied, Message: "already exists"}
	rbac := policy.Step{Phase: policy.PhaseAuthorization, Decision: policy.Denied, Message: `pods "web" is forbidden: User "dev" cannot patch it`}
	for _, test := range []struct {
		outcome simulate.Outcome
		steps   []policy.Step
		want    string
	}{
		{simulate.Blocked, []policy.Step{step(policy.Admitted, ""), step(policy.Denied, "no")}, "policy block, binding all: no"},
		{simulate.Blocked, []policy.Step{step(policy.Denied, "a"), step(policy.Error, "b"), step(policy.Denied, "c")},
			"policy block, binding all: a; policy block, binding all: c; and 1 more"},
		{simulate.Blocked, []policy.Step{step(policy.Denied, "such a thing is forbidden: don't")}, "policy block, binding all: such a thing is forbidden: don't"},
		{simulate.Blocked, []policy.Step{step(policy.Denied, "0123456789012345678901234567890123456789x")}, "policy block, binding all: 0123456789012345678901234567890123456789..."},
		{simulate.Blocked, []policy.Step{api}, "the API server: already exists"},
		{simulate.Blocked, []policy.Step{rbac}, `authorization: User "dev" cannot patch it`},
		{simulate.Allowed, []policy.Step{skipped(), step(policy.Warned, "don't")}, "policy block, binding all: warned: don't"},
		{simulate.Allowed, []policy.Step{step(policy.NotMatched, "")}, "no policy applies"},
		{simulate.Allowed, nil, "no policy applies"},
		{simulate.Unknown, nil, "see what is incomplete below"},
		{"Novel", nil, ""},
	} {
		got := style.reason(simulate.Result{Outcome: test.outcome, Steps: test.steps}, nil)
		if got != test.want {
			t.Errorf("%s of %d steps: got %q, want %q", test.outcome, len(test.steps), got, test.want)
		}
	}
}

func TestReasonOfUnknown(t *testing.T) {
	result := simulate.Result{Outcome: simulate.Unknown, Incomplete: []inventory.Gap{{What: "policy convert", Why: "no schema"}}}
	if got := (simulationStyle{messageLimit: 40}).reason(result, nil); got != "policy convert: no schema" {
		t.Errorf("got %q", got)
	}
}

func TestEffect(t *testing.T) {
	style := simulationStyle{valueLimit: 48}
	for effect, want := range map[simulate.Effect]string{
		simulate.EffectKept:          "kept",
		simulate.EffectStripped:      "stripped by policy strip, binding all",
		simulate.EffectReverted:      `reverted to "x" by policy strip, binding all`,
		simulate.EffectRestored:      `restored as "x" by policy strip, binding all`,
		simulate.EffectReplaced:      `replaced with "x" by policy strip, binding all`,
		simulate.EffectAddedByPolicy: `added "x" by policy strip, binding all`,
		"Novel":                      "Novel by policy strip, binding all",
	} {
		by := []simulate.By{{Kind: "MutatingAdmissionPolicy", Policy: "strip", Binding: "all"}}
		if got := style.effect(simulate.Annotation{Effect: effect, After: ptr("x"), By: by}); got != want {
			t.Errorf("%s: got %q, want %q", effect, got, want)
		}
	}
}

// Annotations that the request leaves alone are not shown, also where nothing is known.
func TestShownAnnotations(t *testing.T) {
	result := simulate.Result{Annotations: []simulate.Annotation{
		{Key: "a", Change: simulate.Unchanged, Effect: simulate.EffectUnknown},
		{Key: "b", Change: simulate.Removed, Effect: simulate.EffectUnknown},
		{Key: "c", Change: simulate.None, Effect: simulate.EffectAddedByPolicy},
		{Key: "d", Change: simulate.Unchanged, Effect: simulate.EffectStripped},
		{Key: "e", Change: simulate.Unchanged, Effect: simulate.EffectKept},
	}}
	var keys string
	for _, annotation := range shownAnnotations(result) {
		keys += annotation.Key
	}
	if keys != "bcd" {
		t.Errorf("got %s", keys)
	}
}
