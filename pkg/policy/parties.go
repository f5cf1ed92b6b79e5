package policy

import (
	"fmt"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
)

// Party is somebody whom a policy's expressions let through, as far as they say so by comparing the requester with constants. It says
// whom an expression names, not what becomes of a request: another policy, or RBAC, may still refuse it.
type Party struct {
	// Tests are what is asked of the requester; the party passes all of them.
	Tests []Test `json:"tests"`
	// Field is where the party is named, such as "spec.matchConditions[2].expression".
	Field string `json:"field"`
	// When is what else has to be true, which is not about the requester; empty: the party is let through whatever the request.
	When []string `json:"when"`
}

// Test is one question about the requester.
type Test struct {
	Kind  PartyKind `json:"kind"`
	Match Match     `json:"match"`
	// Text is what the name is compared with: a name, a part of one, or a regular expression, as CEL reads it.
	Text string `json:"text"`
	// Negated: the party is everybody who does not pass.
	Negated bool `json:"negated"`
}

// PartyKind is what a Test compares.
type PartyKind string

// The kinds. A ServiceAccount is a User whose name can only be that of a service account.
const (
	PartyUser           PartyKind = "User"
	PartyGroup          PartyKind = "Group"
	PartyServiceAccount PartyKind = "ServiceAccount"
)

// Match is how a Test compares. Of a group it is true where any group of the requester matches.
type Match string

// The ways to compare. Regex matches anywhere in the name unless the pattern itself says otherwise. Present: there is a name, or a
// group, at all.
const (
	MatchEquals   Match = "Equals"
	MatchRegex    Match = "Regex"
	MatchPrefix   Match = "Prefix"
	MatchSuffix   Match = "Suffix"
	MatchContains Match = "Contains"
	MatchPresent  Match = "Present"
)

// Expression is a CEL expression of a policy, and where it stands.
type Expression struct {
	Field string `json:"field"`
	// Name is that of a matchCondition or of a variable, if it is one.
	Name       string `json:"name,omitempty"`
	Expression string `json:"expression"`
}

// Parties are whom a policy's expressions let through.
type Parties struct {
	Named []Party `json:"named"`
	// Expressions ask something about the requester that could not be put into words, wholly or in part. Whoever passes them is not
	// among Named.
	Expressions []Expression `json:"expressions"`
}

// PartiesOf finds whom a validating policy lets through: a matchCondition that is false for them leaves their requests out, and a validation that is
// true for them passes.
func PartiesOf(p *admissionregistrationv1.ValidatingAdmissionPolicy) Parties {
	w := newWalk(p.Spec.Variables)
	w.conditions(p.Spec.MatchConditions)
	for _, e := range validationExpressions(p.Spec.Validations) {
		w.add(e, true)
	}
	return w.found
}

// MutatingParties finds whom a mutating policy lets through, by its matchConditions. Mutations that ask about the requester are among the
// expressions.
func MutatingParties(p *admissionregistrationv1.MutatingAdmissionPolicy) Parties {
	w := newWalk(p.Spec.Variables)
	w.conditions(p.Spec.MatchConditions)
	for _, e := range mutationExpressions(p.Spec.Mutations) {
		w.mutation(e)
	}
	return w.found
}

func conditionExpressions(conditions []admissionregistrationv1.MatchCondition) []Expression {
	var all []Expression
	for i, c := range conditions {
		all = append(all, Expression{Field: fmt.Sprintf("spec.matchConditions[%d].expression", i), Name: c.Name, Expression: c.Expression})
	}
	return all
}

func validationExpressions(validations []admissionregistrationv1.Validation) []Expression {
	var all []Expression
	for i, v := range validations {
		all = append(all, Expression{Field: fmt.Sprintf("spec.validations[%d].expression", i), Expression: v.Expression})
	}
	return all
}

func mutationExpressions(mutations []admissionregistrationv1.Mutation) []Expression {
	var all []Expression
	for i, m := range mutations {
		field := fmt.Sprintf("spec.mutations[%d]", i)
		if m.JSONPatch != nil {
			all = append(all, Expression{Field: field + ".jsonPatch.expression", Expression: m.JSONPatch.Expression})
		}
		if m.ApplyConfiguration != nil {
			all = append(all, Expression{Field: field + ".applyConfiguration.expression", Expression: m.ApplyConfiguration.Expression})
		}
	}
	return all
}
