package policy

import (
	"context"
	"sync"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/admission"
	plugincel "k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/matchconditions"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/cel/environment"
)

// compiler compiles the expressions of one policy as the API server's plugins do.
type compiler struct {
	*plugincel.CompositedCompiler
	hasParams bool
	finder    *mentionFinder
	mentioned mentions   // by any expression of the policy
	lock      sync.Mutex // for compiling single expressions later
}

func newCompiler(env *environment.EnvSet, variables []admissionregistrationv1.Variable, hasParams bool) (*compiler, error) {
	composited, err := compositedCompiler(env, len(variables))
	if err != nil {
		return nil, err
	}
	parser, err := env.Env(compiles)
	if err != nil {
		return nil, err
	}
	c := &compiler{CompositedCompiler: composited, hasParams: hasParams, finder: newMentionFinder(parser), mentioned: mentions{}}
	for _, v := range variables {
		c.CompileAndStoreVariable(&validating.Variable{Name: v.Name, Expression: v.Expression}, c.declarations(true), compiles)
		c.finder.define(v.Name, v.Expression)
	}
	return c, nil
}

func (c *compiler) declarations(authorizer bool) plugincel.OptionalVariableDeclarations {
	return plugincel.OptionalVariableDeclarations{HasParams: c.hasParams, HasAuthorizer: authorizer}
}

// mention returns what an expression mentions and adds it to what the policy does.
func (c *compiler) mention(expression string) mentions {
	found := c.finder.find(expression)
	for name := range found {
		c.mentioned[name] = true
	}
	return found
}

// part compiles one list of expressions.
func (c *compiler) part(name string, expressions []plugincel.ExpressionAccessor, declarations plugincel.OptionalVariableDeclarations) *part {
	compile := func(expressions []plugincel.ExpressionAccessor) plugincel.ConditionEvaluator {
		return c.CompileCondition(expressions, declarations, compiles)
	}
	p := &part{ConditionEvaluator: compile(expressions), name: name, mentions: make([]mentions, len(expressions))}
	for i, e := range expressions {
		if e != nil {
			p.mentions[i] = c.mention(e.GetExpression())
		}
	}
	singles := make([]plugincel.ConditionEvaluator, len(expressions))
	p.single = func(i int) plugincel.ConditionEvaluator {
		c.lock.Lock()
		defer c.lock.Unlock()
		if singles[i] == nil {
			singles[i] = compile(expressions[i : i+1])
		}
		return singles[i]
	}
	return p
}

// matcher compiles matchConditions.
func (c *compiler) matcher(conditions []admissionregistrationv1.MatchCondition, failurePolicy *admissionregistrationv1.FailurePolicyType, policyName string) matchconditions.Matcher {
	if len(conditions) == 0 {
		return nil
	}
	expressions := make([]plugincel.ExpressionAccessor, len(conditions))
	for i := range conditions {
		expressions[i] = (*matchconditions.MatchCondition)(&conditions[i])
	}
	return &recordingMatcher{
		Matcher: matchconditions.NewMatcher(c.part(partMatchConditions, expressions, c.declarations(true)), failurePolicy, "policy", "validate", policyName),
	}
}

// recordingMatcher remembers which matchCondition was false.
type recordingMatcher struct{ matchconditions.Matcher }

// Match implements matchconditions.Matcher.
func (m *recordingMatcher) Match(ctx context.Context, attr *admission.VersionedAttributes, param runtime.Object, authorizer authorizer.UnconditionalAuthorizer) matchconditions.MatchResult {
	result := m.Matcher.Match(ctx, attr, param, authorizer)
	if !result.Matches && result.Error == nil {
		current := recorderFrom(ctx).current
		current.skipped = true
		current.skippedBy = result.FailedConditionName
	}
	return result
}
