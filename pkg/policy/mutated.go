package policy

import (
	"cmp"
	"errors"
	"slices"
	"strconv"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// verdict gathers the steps of all mutating policies. A step that was not simulated leaves the
// object, and with it everything behind, uncertain.
func (m *mutationRun) verdict(plans []plan) Verdict {
	verdict := Verdict{AuditAnnotations: m.attributes.auditAnnotations}
	for _, planned := range plans {
		steps := planned.steps
		for _, b := range planned.runs {
			steps = append(steps, m.decideBinding(planned.policy, b.Name)...)
		}
		slices.SortStableFunc(steps, func(a, b decided) int { return cmp.Compare(a.Binding, b.Binding) })
		for _, d := range steps {
			verdict.add(d)
		}
		if planned.policy.mentioned[dryRunField] && slices.ContainsFunc(steps, decided.evaluated) {
			verdict.DryRunAsked = append(verdict.DryRunAsked, planned.policy.name())
		}
	}
	return verdict
}

func (m *mutationRun) decideBinding(p *mutatingPolicy, binding string) []decided {
	step := Step{Phase: PhaseMutating, Kind: kindMutating, Policy: p.name(), Binding: binding}
	var all []decided
	for _, i := range m.recorder.of(p.name(), binding) {
		step.Param = i.param
		d := m.judge(step, p, i)
		if i.reinvoked && (d.Decision == NoChange || d.Decision == Skipped) {
			continue // the first invocation says it already
		}
		all = append(all, d)
	}
	if len(all) == 0 {
		all = append(all, notSimulated(step, true, conversionGap(m.convertor)))
	}
	return all
}

// judge turns one invocation of a mutating policy into its step.
func (m *mutationRun) judge(step Step, p *mutatingPolicy, i *invocation) decided {
	d := decided{Step: step, invocation: i}
	switch {
	case len(i.notKnown) > 0:
		d = notSimulated(step, true, notKnownText(i.notKnown))
	case i.skipped:
		d.Step = skippedStep(step, p.policy.Spec.MatchConditions, i)
	case i.matchError != nil:
		d.Decision, d.Message, d.Because.Rule, d.denies = Error, i.matchError.Error(), "matchConditions", true
	default:
		d = m.judgeMutations(d, p, i)
	}
	d.invocation = i
	return d
}

func (m *mutationRun) judgeMutations(d decided, p *mutatingPolicy, i *invocation) decided {
	if len(m.converters.missing) > 0 && len(i.mutations) < len(p.policy.Spec.Mutations) {
		var why []string
		for kind, err := range m.converters.missing {
			why = append(why, "no schema for "+kind.String()+": "+err.Error())
		}
		return notSimulated(d.Step, true, why...)
	}
	d.Decision = NoChange
	for index, mutation := range i.mutations {
		if mutation.err != nil {
			d.fail(p.policy.Spec, index, mutation.err)
			continue
		}
		if mutation.changed && !d.denies {
			d.Decision = Mutated
		}
		d.Changes = append(d.Changes, mutation.changes...)
	}
	if i.reinvoked {
		d.Message = "on reinvocation" + separator(d.Message) + d.Message
	}
	return d
}

// fail records the failure of one mutation.
func (d *decided) fail(spec admissionregistrationv1.MutatingAdmissionPolicySpec, index int, err error) {
	if d.Message == "" {
		d.Message = err.Error()
		d.Because = Because{Rule: "mutations[" + strconv.Itoa(index) + "]", Expression: mutationExpression(spec.Mutations[index])}
	}
	// A status ends the request at once, whatever the failurePolicy (mutating/dispatcher.go, dispatchInvocations).
	if !ignores(spec.FailurePolicy) || errors.As(err, new(*apierrors.StatusError)) {
		d.Decision, d.denies = Error, true
	} else if d.Decision == NoChange {
		d.Decision = ErrorIgnored
	}
}

// blame makes an error of the last mutation, where the API server can't go on with what the policies made of the object and
// none of them has failed itself.
func (v *Verdict) blame(err error) {
	if slices.ContainsFunc(v.Steps, func(s Step) bool { return s.Decision == Error }) {
		return
	}
	for i := range slices.Backward(v.Steps) {
		if step := &v.Steps[i]; step.Decision == Mutated {
			step.Decision, step.Message = Error, err.Error()
			return
		}
	}
}

func mutationExpression(m admissionregistrationv1.Mutation) string {
	switch {
	case m.JSONPatch != nil:
		return m.JSONPatch.Expression
	case m.ApplyConfiguration != nil:
		return m.ApplyConfiguration.Expression
	}
	return ""
}

func separator(message string) string {
	if message == "" {
		return ""
	}
	return ": "
}

func (m *mutationRun) whyNot(field string, constraints *admissionregistrationv1.MatchResources) string {
	if !m.request.Explain || constraints == nil {
		return ""
	}
	return m.set.whyNot(m.attributes, m.objectInterfaces(), field, constraints)
}
