package audit

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// cause is the clause of a policy, or of its binding, that lets a change pass, of the policy that comes nearest to preventing it.
type cause struct {
	subject Subject
	policy  guardPolicy
	step    policy.Step
	// why is a sentence about the changes that are let pass, remedy what to write in its place.
	why, remedy string
	// distinct tells it from other clauses in the same field, see Finding.
	distinct string
}

// by is the sort of clause.
func (c cause) by() string {
	rule, _, _ := strings.Cut(c.step.Because.Rule, "[")
	return rule[strings.LastIndex(rule, ".")+1:]
}

// causeOf makes a change again, which passes, and finds its cause; there is none where it does not pass any more.
func (v *view) causeOf(ctx context.Context, guards []guardPolicy, probe Probe) (cause, bool) {
	r, err := probe.Request(OrdinaryUser(), "")
	if err != nil {
		return cause{}, false
	}
	result := v.simulator.Run(ctx, r, simulate.Options{Explain: true})
	var nearest *cause
	for _, p := range guards {
		step, found := furthest(p, result.Steps)
		if !found {
			continue
		}
		c := cause{policy: p, step: step}
		if nearest == nil || v.nearness(c, probe) > v.nearness(*nearest, probe) {
			nearest = &c
		}
	}
	if nearest == nil {
		return cause{}, false
	}
	nearest.explain(probe, string(r.Operation))
	return *nearest, true
}

// furthest is the step of an enforced binding that got furthest, or else that of the policy.
func furthest(p guardPolicy, steps []policy.Step) (policy.Step, bool) {
	var found *policy.Step
	for _, s := range steps {
		noted := s.Binding != "" && !slices.ContainsFunc(p.bindings, func(b guardBinding) bool { return b.enforces && b.object.GetName() == s.Binding })
		if s.Kind != p.kind || s.Policy != p.name || noted {
			continue
		}
		if found == nil || stage(s) > stage(*found) {
			found = &s
		}
	}
	if found == nil {
		return policy.Step{}, false
	}
	return *found, true
}

// stage is how far a policy got with a request.
func stage(s policy.Step) int {
	switch {
	case s.Decision != policy.NotMatched && s.Decision != policy.Skipped:
		return 4
	case s.Decision == policy.Skipped:
		return 3
	case s.Binding != "":
		return 2
	case !strings.HasSuffix(s.Because.Rule, ".resourceRules"):
		return 1
	}
	return 0
}

// nearness ranks the policies: those come first that prevent such changes of other objects of the kind, then of others at all.
func (v *view) nearness(c cause, probe Probe) int {
	rank := stage(c.step)
	for _, s := range v.stops(c.policy.policyName) {
		if s.Column == probe.Column {
			rank = max(rank, stage(c.step)+10)
			if typeOf(s.object.Kind) == typeOf(probe.Object.Kind) {
				rank = max(rank, stage(c.step)+20)
			}
		}
	}
	return rank
}

// explain puts the cause into words.
func (c *cause) explain(probe Probe, operation string) {
	c.subject = Subject{Kind: c.policy.kind, Name: c.policy.name, Field: "spec." + c.step.Because.Rule}
	rule := c.step.Because.Rule
	switch {
	case c.step.Decision == policy.NotMatched:
		c.unmatched(probe, operation)
	case c.step.Decision == policy.Skipped && c.step.Because.MatchCondition != "":
		c.subject.Field += ".expression"
		c.distinct = contentOf(c.policy.object, c.subject.Field)
		c.why = fmt.Sprintf("the matchCondition %s, %s, is false for them", c.step.Because.MatchCondition, shown(c.step.Because.Expression))
		c.remedy = fmt.Sprintf("Let %s depend on the requester alone.", c.subject.Field)
	case c.step.Decision == policy.Skipped:
		c.why = fmt.Sprintf("the binding %s finds no parameter", c.step.Binding)
		c.remedy = "Create the parameter, or set parameterNotFoundAction: Deny and failurePolicy: Fail."
	case c.step.Decision == policy.ErrorIgnored:
		fields := failingFields(c.policy, []policy.Step{c.step}, func(policy.Step) bool { return true })
		c.subject.Field = fields[0]
		c.distinct = contentOf(c.policy.object, fields...)
		c.why = fmt.Sprintf("%s fails (%s), and failurePolicy Ignore lets them through", fields[0], errorText(c.step.Message))
		c.remedy = fmt.Sprintf("Write %s so that it does not fail on them, and set spec.failurePolicy to Fail.", cmp.Or(rule, "the expression"))
	case c.policy.kind == kindMutating:
		c.subject.Field = "spec.mutations"
		c.why = "its mutations do not take them back"
		c.remedy = `Let the mutations put back every annotation that begins with "downscaler/", whatever the rest of its key and its value.`
	default:
		c.subject.Field = "spec.validations"
		c.why = "each of its validations is true for them"
		c.remedy = `Let a validation compare all annotations that begin with "downscaler/" before and after, whatever the rest of their keys and their values.`
	}
}
