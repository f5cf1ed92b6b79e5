package policy

import (
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/policy/generic"
)

// match is what the matcher said of a policy or a binding.
type match struct {
	matches bool
	err     error
}

// recordingPolicyMatcher remembers which policies and bindings match, and so which binding an
// evaluation belongs to.
type recordingPolicyMatcher struct {
	generic.PolicyMatcher
	run *validation
}

// DefinitionMatches implements generic.PolicyMatcher.
func (m *recordingPolicyMatcher) DefinitionMatches(a admission.Attributes, o admission.ObjectInterfaces, policy generic.PolicyAccessor) (bool, schema.GroupVersionResource, schema.GroupVersionKind, error) {
	matches, resource, kind, err := m.PolicyMatcher.DefinitionMatches(a, o, policy)
	m.run.matches[policy.GetName()] = match{matches, err}
	m.run.recorder.policy = policy.GetName()
	return matches, resource, kind, err
}

// BindingMatches implements generic.PolicyMatcher.
func (m *recordingPolicyMatcher) BindingMatches(a admission.Attributes, o admission.ObjectInterfaces, binding generic.BindingAccessor) (bool, error) {
	matches, err := m.PolicyMatcher.BindingMatches(a, o, binding)
	m.run.matches[m.run.recorder.policy+"/"+binding.GetName()] = match{matches, err}
	m.run.recorder.binding = binding.GetName()
	return matches, err
}
