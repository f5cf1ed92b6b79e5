package policy

import (
	"context"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	plugincel "k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/cel/environment"
)

// validatingPolicy is one compiled ValidatingAdmissionPolicy with its bindings.
type validatingPolicy struct {
	hook      validating.PolicyHook
	source    paramSource
	mentioned mentions
}

func (p *validatingPolicy) name() string { return p.hook.Policy.Name }

// constraints are those of the policy and of its bindings.
func (p *validatingPolicy) constraints() []*admissionregistrationv1.MatchResources {
	all := []*admissionregistrationv1.MatchResources{p.hook.Policy.Spec.MatchConstraints}
	for _, b := range p.hook.Bindings {
		all = append(all, b.Spec.MatchResources)
	}
	return all
}

// compileValidating puts a policy together from the same parts as the API server's plugin
// (k8s.io/apiserver/pkg/admission/plugin/policy/validating, compilePolicy, which is not exported).
func compileValidating(env *environment.EnvSet, policy *validating.Policy, bindings []*validating.PolicyBinding, source paramSource) (*validatingPolicy, error) {
	c, err := newCompiler(env, policy.Spec.Variables, policy.Spec.ParamKind != nil)
	if err != nil {
		return nil, err
	}
	spec := policy.Spec
	evaluator := validating.NewValidator(
		c.part(partValidations, validations(spec.Validations), c.declarations(true)),
		c.matcher(spec.MatchConditions, spec.FailurePolicy, policy.Name),
		c.part(partAuditAnnotations, auditAnnotations(spec.AuditAnnotations), c.declarations(true)),
		c.part(partMessages, messageExpressions(spec.Validations), c.declarations(false)),
		spec.FailurePolicy,
		nil,
	)
	return &validatingPolicy{
		hook: validating.PolicyHook{
			Policy:             policy,
			Bindings:           bindings,
			Evaluator:          &recordingValidator{Validator: evaluator},
			ParamInformer:      source.informer,
			ParamScope:         source.scope,
			ConfigurationError: source.configurationError,
		},
		source:    source,
		mentioned: c.mentioned,
	}, nil
}

func validations(validations []admissionregistrationv1.Validation) []plugincel.ExpressionAccessor {
	expressions := make([]plugincel.ExpressionAccessor, len(validations))
	for i, v := range validations {
		expressions[i] = &validating.ValidationCondition{Expression: v.Expression, Message: v.Message, Reason: v.Reason}
	}
	return expressions
}

func messageExpressions(validations []admissionregistrationv1.Validation) []plugincel.ExpressionAccessor {
	expressions := make([]plugincel.ExpressionAccessor, len(validations))
	for i, v := range validations {
		if v.MessageExpression != "" {
			expressions[i] = &validating.MessageExpressionCondition{MessageExpression: v.MessageExpression}
		}
	}
	return expressions
}

func auditAnnotations(annotations []admissionregistrationv1.AuditAnnotation) []plugincel.ExpressionAccessor {
	expressions := make([]plugincel.ExpressionAccessor, len(annotations))
	for i, a := range annotations {
		expressions[i] = &validating.AuditAnnotationCondition{Key: a.Key, ValueExpression: a.ValueExpression}
	}
	return expressions
}

// recordingValidator remembers what a policy's validations came to for each parameter.
type recordingValidator struct{ validating.Validator }

// Validate implements validating.Validator.
func (v *recordingValidator) Validate(ctx context.Context, resource schema.GroupVersionResource, attr *admission.VersionedAttributes, param runtime.Object, namespace *corev1.Namespace, budget int64, authorizer authorizer.UnconditionalAuthorizer) validating.ValidateResult {
	r := recorderFrom(ctx)
	current := r.begin(r.policy, r.binding, param)
	result := v.Validator.Validate(ctx, resource, attr, param, namespace, budget, authorizer)
	current.result = &result
	return result
}
