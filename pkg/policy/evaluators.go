package policy

import (
	"context"
	"slices"
	"strings"

	celtypes "github.com/google/cel-go/common/types"
	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apiserver/pkg/admission"
	plugincel "k8s.io/apiserver/pkg/admission/plugin/cel"
)

// part is one list of expressions in a policy, such as its validations, as the library evaluates it.
// It records the errors that a failurePolicy Ignore would hide, and what is not known.
type part struct {
	plugincel.ConditionEvaluator
	name string // the field's, such as "validations"
	// single compiles one of the expressions alone, to find out which one asked for something unknown.
	single func(i int) plugincel.ConditionEvaluator
	// mentions lists for each expression the variables it mentions.
	mentions []mentions
}

// ForInput implements plugincel.ConditionEvaluator.
func (p *part) ForInput(ctx context.Context, attr *admission.VersionedAttributes, request *admissionv1.AdmissionRequest, bindings plugincel.OptionalVariableBindings, namespace *corev1.Namespace, budget int64) ([]plugincel.EvaluationResult, int64, error) {
	r := recorderFrom(ctx)
	watched, err := r.watch(attr)
	if err != nil {
		return nil, 0, err
	}
	bindings.Authorizer = r.touches.asking(ctx, bindings.Authorizer)
	before := len(r.touches.paths)
	r.touches.sizes = slices.ContainsFunc(p.mentions, func(m mentions) bool { return m[sizeFunction] })
	results, remaining, err := p.ConditionEvaluator.ForInput(ctx, watched, request, bindings, namespace, budget)
	p.noteErrors(r, results, err)
	p.meter(ctx, r, budget, remaining)
	if p.mentionsUnread(r) || len(r.touches.paths) > before {
		p.noteUnknown(r, results, err, func(i int) []string {
			touched := len(r.touches.paths)
			r.touches.sizes = p.mentions[i][sizeFunction]
			_, _, _ = p.single(i).ForInput(ctx, watched, request, bindings, namespace, budget)
			return r.touches.paths[touched:]
		})
	}
	return results, remaining, err
}

// noteErrors keeps the errors of matchConditions, which the library does not tell under Ignore.
func (p *part) noteErrors(r *recorder, results []plugincel.EvaluationResult, err error) {
	if p.name != partMatchConditions {
		return
	}
	var messages []string
	if err != nil {
		messages = append(messages, err.Error())
	}
	for _, result := range results {
		if result.Error != nil {
			messages = append(messages, result.Error.Error())
		}
	}
	r.current.conditionError = strings.Join(messages, "; ")
}

func (p *part) mentionsUnread(r *recorder) bool {
	return slices.ContainsFunc(p.mentions, func(m mentions) bool { return len(m.among(r.unread)) > 0 })
}

// noteUnknown decides whether what is not known could change what the expressions came to.
func (p *part) noteUnknown(r *recorder, results []plugincel.EvaluationResult, err error, touchedBy func(int) []string) {
	var unknown []string
	certain := false
	for i := range results {
		if results[i].ExpressionAccessor == nil {
			continue
		}
		read := append(p.mentions[i].among(r.unread), touchedBy(i)...)
		// One condition or validation that is false for certain settles the matter.
		if len(read) == 0 && err == nil && results[i].Error == nil && results[i].EvalResult == celtypes.False {
			certain = true
		}
		unknown = append(unknown, read...)
	}
	if certain && p.name == partMatchConditions {
		return
	}
	if err != nil && len(unknown) == 0 {
		unknown = r.touches.paths
	}
	slices.Sort(unknown)
	unknown = slices.Compact(unknown)
	// Of several validations that fail it is the first one's message that is told.
	if certain || p.name == partMessages || p.name == partAuditAnnotations {
		r.current.messageUnknown = append(r.current.messageUnknown, unknown...)
		return
	}
	r.current.notKnown = append(r.current.notKnown, unknown...)
}

// watch returns the attributes that expressions are evaluated with.
func (r *recorder) watch(attr *admission.VersionedAttributes) (*admission.VersionedAttributes, error) {
	if r.request.Unknown.empty() {
		return attr, nil
	}
	return r.request.Unknown.watch(attr, &r.touches)
}

// The parts of a policy, by the names of their fields.
const (
	partMatchConditions  = "matchConditions"
	partValidations      = "validations"
	partMessages         = "messageExpressions"
	partAuditAnnotations = "auditAnnotations"
	partMutations        = "mutations"
)
