package report

import (
	"slices"
	"strings"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// effectWords say what became of an annotation.
var effectWords = map[simulate.Effect]string{
	simulate.EffectKept:          "kept",
	simulate.EffectBlocked:       "blocked",
	simulate.EffectStripped:      "stripped",
	simulate.EffectReverted:      "reverted",
	simulate.EffectRestored:      "restored",
	simulate.EffectReplaced:      "replaced",
	simulate.EffectAddedByPolicy: "added",
	simulate.EffectUnknown:       "unknown",
}

func effectWord(e simulate.Effect) string {
	if word, ok := effectWords[e]; ok {
		return word
	}
	return escape(string(e))
}

// reason says in one cell why a result, and one annotation of it, came out as it did.
func (s simulationStyle) reason(result simulate.Result, annotation *simulate.Annotation) string {
	if result.Outcome == simulate.Altered && annotation != nil {
		return s.effect(*annotation)
	}
	if result.Outcome == simulate.Unknown && len(result.Incomplete) > 0 {
		gap := result.Incomplete[0]
		return shorten(gap.What+": "+gap.Why, s.messageLimit)
	}
	if admitted := s.admitted(result); admitted != "" {
		return admitted
	}
	if reasons := s.stepReasons(result); len(reasons) > 0 {
		return firstOf(reasons, s.reasons, "; ")
	}
	return shorten(reasonWithoutStep(result), s.messageLimit)
}

// admitted counts the policies of a request that passes because none of them objects: which ones they are is told where
// there are columns for it, and where the steps are explained.
func (s simulationStyle) admitted(result simulate.Result) string {
	steps := decidingSteps(result)
	if s.origins || result.Outcome != simulate.Allowed || len(steps) == 0 {
		return ""
	}
	if d := steps[0].Decision; d != policy.Admitted && d != policy.NoChange {
		return ""
	}
	names := map[[2]string]bool{}
	for _, step := range steps {
		names[[2]string{step.Kind, step.Policy}] = true
	}
	return count(len(names), "policy", "policies") + " asked, no objection"
}

func (s simulationStyle) stepReasons(result simulate.Result) []string {
	var reasons []string
	steps := decidingSteps(result)
	for _, step := range steps {
		text := shorten(stepReason(step), s.messageLimit)
		if !s.origins || len(steps) > 1 {
			text = shortOrigin(step) + ": " + text
		}
		if !slices.Contains(reasons, text) {
			reasons = append(reasons, text)
		}
	}
	return reasons
}

func reasonWithoutStep(result simulate.Result) string {
	switch {
	case result.Status != nil:
		return statusText(result)
	case result.Outcome == simulate.Unknown:
		return "see what is incomplete below"
	case result.Outcome == simulate.Allowed && onlyUnmatched(result.Steps):
		return "no policy applies"
	default:
		return ""
	}
}

func onlyUnmatched(steps []policy.Step) bool {
	return !slices.ContainsFunc(steps, func(step policy.Step) bool { return step.Decision != policy.NotMatched && !grants(step) })
}

func statusText(result simulate.Result) string {
	if result.Status.Message == "" {
		return string(result.Status.Reason)
	}
	return result.Status.Message
}

// valueWords lead from an effect to the value that would be stored.
var valueWords = map[simulate.Effect]string{
	simulate.EffectReverted:      " to ",
	simulate.EffectRestored:      " as ",
	simulate.EffectReplaced:      " with ",
	simulate.EffectAddedByPolicy: " ",
}

// effect says what became of an annotation, and by whom: stripped by policy strip, binding strip-all.
func (s simulationStyle) effect(annotation simulate.Annotation) string {
	text := effectWord(annotation.Effect)
	if annotation.Effect == simulate.EffectKept {
		return text
	}
	if words, ok := valueWords[annotation.Effect]; ok && annotation.After != nil {
		text += words + quote(*annotation.After, s.valueLimit)
	}
	if by := byNames(annotation.By); by != "" {
		text += " by " + by
	}
	return text
}

func byNames(by []simulate.By) string {
	var names []string
	for _, b := range by {
		name := linkName(b.Kind, b.Policy)
		if b.Binding != "" && b.Binding != b.Policy {
			name += ", binding " + escape(b.Binding)
		}
		names = append(names, name)
	}
	return strings.Join(names, "; ")
}
