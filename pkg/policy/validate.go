package policy

import (
	"context"
	"errors"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/apiserver/pkg/admission"
	plugincel "k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/apiserver/pkg/warning"
)

// Validate decides a request by the validating policies.
func (s *Set) Validate(ctx context.Context, request Request) Verdict {
	verdict := Verdict{AuditAnnotations: map[string]string{}}
	if excluded(request.Kind.Resource.GroupResource()) || len(s.validating) == 0 {
		return verdict
	}
	run := s.newValidation(ctx, request)
	var warnings warningList
	err := run.dispatch(warning.WithWarningRecorder(ctx, &warnings), s.validatingHooks(request))
	verdict.Warnings, verdict.Assumed = warnings, run.recorder.assumed
	verdict.AuditAnnotations = run.attributes.auditAnnotations
	var denials []decided
	for _, p := range s.validating {
		steps := run.decide(p)
		for _, d := range steps {
			verdict.add(d)
			if d.denies {
				denials = append(denials, d)
			}
		}
		if p.mentioned[dryRunField] && slices.ContainsFunc(steps, decided.evaluated) {
			verdict.DryRunAsked = append(verdict.DryRunAsked, p.name())
		}
	}
	// The library takes a conversion that only the API server can do for a misconfigured policy, and its answer is no answer.
	impossible := run.convertor.impossible != nil
	switch {
	case err != nil && len(denials) == 1 && !verdict.Uncertain && !impossible:
		verdict.Statuses = []metav1.Status{statusOf(err)}
	case len(denials) > 0:
		verdict.Statuses = run.replay(ctx, denials)
		verdict.Uncertain = false
	case err != nil && !verdict.Uncertain && !impossible:
		verdict.Statuses = []metav1.Status{statusOf(err)}
	}
	return verdict
}

func (s *Set) validatingHooks(request Request) []validating.PolicyHook {
	hooks := make([]validating.PolicyHook, 0, len(s.validating))
	for _, p := range s.validating {
		if request.unread(p.source, p.constraints()...) == nil {
			hooks = append(hooks, p.hook)
		}
	}
	return hooks
}

// validation is one request's way through the validating policies.
type validation struct {
	set        *Set
	request    Request
	attributes *attributes
	convertor  *convertor
	recorder   *recorder
	matches    map[string]match // by policy, and by policy/binding
}

func (s *Set) newValidation(ctx context.Context, request Request) *validation {
	return &validation{
		set:        s,
		request:    request,
		attributes: request.attributes(),
		convertor:  s.newConvertor(ctx),
		recorder:   s.newRecorder(kindValidating, request),
		matches:    map[string]match{},
	}
}

func (s *Set) newRecorder(kind string, request Request) *recorder {
	r := &recorder{kind: kind, request: request}
	if slices.Contains(request.Unknown.Object, "metadata.name") {
		r.unread = append(r.unread, plugincel.RequestVarName+".name")
	}
	if request.NamespaceUnread {
		r.unread = append(r.unread, plugincel.NamespaceVarName)
	}
	if s.authorizer == nil {
		r.unread = append(r.unread, plugincel.AuthorizerVarName)
	}
	return r
}

func (v *validation) objectInterfaces() admission.ObjectInterfaces {
	object := v.request.Object
	if object == nil {
		object = v.request.OldObject
	}
	return v.set.objectInterfaces(object, v.convertor)
}

func (v *validation) dispatch(ctx context.Context, hooks []validating.PolicyHook) error {
	matcher := &recordingPolicyMatcher{PolicyMatcher: v.set.policyMatcher(), run: v}
	dispatcher := validating.NewDispatcher(v.set.authorizerNoting(v.recorder.assume), matcher)
	return dispatcher.Dispatch(v.recorder.context(ctx), v.attributes, v.objectInterfaces(), hooks)
}

// warningList collects the texts of warnings; the API server sends each text once, and none that a header can't
// hold (k8s.io/apiserver/pkg/endpoints/filters/warning.go).
type warningList []string

// AddWarning implements warning.Recorder.
func (w *warningList) AddWarning(agent, text string) {
	if _, err := utilnet.NewWarningHeader(299, agent, text); err != nil {
		return
	}
	for _, known := range *w {
		if known == text {
			return
		}
	}
	*w = append(*w, text)
}

func statusOf(err error) metav1.Status {
	var status apierrors.APIStatus
	if errors.As(err, &status) {
		return status.Status()
	}
	return apierrors.NewInternalError(err).Status()
}
