package policy

import (
	"fmt"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	plugincel "k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating/patch"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/matchconditions"
)

// CompileError is an expression of a policy that a version of the API server rejects.
type CompileError struct {
	// Field is the expression's, such as "spec.validations[0].expression".
	Field   string
	Message string
}

// Use is what a policy is compiled for.
type Use string

// The uses. Stored: it is stored and decides requests. New: it is created or changed, which takes less than what is stored may use.
const (
	Stored Use = "Stored"
	New    Use = "New"
)

// CompileErrors compiles every expression of a validating policy in the CEL environment of a server's version
// (gitVersion, such as "v1.36.3"), and returns the errors in the order of the fields. Of a version that can't be read, the
// newest known one is taken. Errors behind a variable that does not compile are left out: they follow from it.
func CompileErrors(p *admissionregistrationv1.ValidatingAdmissionPolicy, use Use, server string) ([]CompileError, error) {
	c, err := newChecker(use, server, p.Spec.ParamKind, p.Spec.Variables)
	if err != nil || len(c.errors) > 0 {
		return c.errors, err
	}
	c.conditions(p.Spec.MatchConditions)
	messages := messageExpressions(p.Spec.Validations)
	for i, v := range validations(p.Spec.Validations) {
		field := fmt.Sprintf("spec.validations[%d]", i)
		c.check(field+".expression", v, true, false)
		if messages[i] != nil {
			c.check(field+".messageExpression", messages[i], false, false)
		}
	}
	for i, a := range auditAnnotations(p.Spec.AuditAnnotations) {
		c.check(fmt.Sprintf("spec.auditAnnotations[%d].valueExpression", i), a, true, false)
	}
	return c.errors, nil
}

// MutatingCompileErrors is CompileErrors for a mutating policy.
func MutatingCompileErrors(p *admissionregistrationv1.MutatingAdmissionPolicy, use Use, server string) ([]CompileError, error) {
	c, err := newChecker(use, server, p.Spec.ParamKind, p.Spec.Variables)
	if err != nil || len(c.errors) > 0 {
		return c.errors, err
	}
	c.conditions(p.Spec.MatchConditions)
	for i, m := range p.Spec.Mutations {
		field := fmt.Sprintf("spec.mutations[%d]", i)
		if m.JSONPatch != nil {
			c.check(field+".jsonPatch.expression", &patch.JSONPatchCondition{Expression: m.JSONPatch.Expression}, true, true)
		}
		if m.ApplyConfiguration != nil {
			c.check(field+".applyConfiguration.expression", &patch.ApplyConfigurationCondition{Expression: m.ApplyConfiguration.Expression}, true, true)
		}
	}
	return c.errors, nil
}

// checker compiles the expressions of one policy and keeps the errors.
type checker struct {
	*plugincel.CompositedCompiler
	// ofConditions compiles matchConditions. They may not read variables in what is new, although a server that finds such a
	// policy stored lets them (k8s.io/kubernetes pkg/apis/admissionregistration/validation, validateMatchConditionsExpression).
	ofConditions plugincel.Compiler
	hasParams    bool
	errors       []CompileError
}

func newChecker(use Use, server string, param *admissionregistrationv1.ParamKind, variables []admissionregistrationv1.Variable) (*checker, error) {
	c := &checker{hasParams: param != nil}
	language := languageOf(server)
	env := language.stored()
	if use == New {
		env = language.accepted()
	}
	var err error
	c.CompositedCompiler, err = compositedCompiler(env, len(variables))
	if err != nil {
		return c, err
	}
	c.ofConditions = c.CompositedCompiler
	if use == New {
		if c.ofConditions, err = plain.of(env); err != nil {
			return c, err
		}
	}
	for i, v := range variables {
		result := c.CompileAndStoreVariable(&validating.Variable{Name: v.Name, Expression: v.Expression}, c.declarations(true, false), compiles)
		c.note(fmt.Sprintf("spec.variables[%d].expression", i), result)
		if len(c.errors) > 0 {
			return c, nil
		}
	}
	return c, nil
}

func (c *checker) declarations(authorizer, patchTypes bool) plugincel.OptionalVariableDeclarations {
	return plugincel.OptionalVariableDeclarations{HasParams: c.hasParams, HasAuthorizer: authorizer, HasPatchTypes: patchTypes}
}

func (c *checker) conditions(conditions []admissionregistrationv1.MatchCondition) {
	for i := range conditions {
		expression := (*matchconditions.MatchCondition)(&conditions[i])
		c.note(fmt.Sprintf("spec.matchConditions[%d].expression", i), c.ofConditions.CompileCELExpression(expression, c.declarations(true, false), compiles))
	}
}

func (c *checker) check(field string, expression plugincel.ExpressionAccessor, authorizer, patchTypes bool) {
	c.note(field, c.CompileCELExpression(expression, c.declarations(authorizer, patchTypes), compiles))
}

func (c *checker) note(field string, result plugincel.CompilationResult) {
	if result.Error != nil {
		c.errors = append(c.errors, CompileError{Field: field, Message: result.Error.Detail})
	}
}
