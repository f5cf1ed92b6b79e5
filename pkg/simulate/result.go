package simulate

import (
	"maps"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
)

func newResult(r request.Request) Result {
	version, kind := r.Kind.Kind.ToAPIVersionAndKind()
	ref := ObjectRef{APIVersion: version, Kind: kind, Name: r.Name, GenerateName: r.GenerateName}
	if r.Kind.Namespaced {
		ref.Namespace = r.Namespace
	}
	return Result{
		Object:           ref,
		Operation:        string(r.Operation),
		Verb:             r.Verb,
		Subresource:      r.Subresource,
		PossibleStatuses: []metav1.Status{},
		Warnings:         []string{},
		AuditAnnotations: map[string]string{},
		Annotations:      []Annotation{},
		Steps:            []policy.Step{},
	}
}

// block ends the chain: the request fails with any one of the statuses, and what was stored stays.
func (c *chain) block(statuses ...metav1.Status) {
	c.result.Outcome = Blocked
	c.result.Status = &statuses[0]
	if len(statuses) > 1 {
		c.result.PossibleStatuses = statuses
	}
	c.annotate(policy.Annotations(c.request.Before), func(a *Annotation) {
		a.Effect = EffectKept
		if a.Change != Unchanged {
			a.Effect = EffectBlocked
			a.By = c.deniers()
		}
	})
}

// unknown ends the chain without an answer.
func (c *chain) unknown() {
	c.result.Outcome = Unknown
	c.annotate(nil, func(a *Annotation) { a.Effect = EffectUnknown })
}

// pass ends the chain: the object is stored.
func (c *chain) pass(stored runtime.Object) {
	c.stored = stored
	c.result.Outcome = Allowed
	c.annotate(policy.Annotations(stored), func(a *Annotation) {
		a.Effect = effectOf(*a)
		if a.Effect != EffectKept {
			c.result.Outcome = Altered
		}
		if !same(a.After, a.Proposed) {
			a.By = c.mutators(a.Key)
		}
	})
}

// annotate lists every annotation with the prefix that the request or its result touches.
func (c *chain) annotate(after map[string]string, settle func(*Annotation)) {
	before, proposed := policy.Annotations(c.before), policy.Annotations(c.request.Proposed)
	keys := map[string]bool{}
	for _, state := range []map[string]string{before, proposed, after} {
		for key := range state {
			keys[key] = true
		}
	}
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		a := Annotation{Key: key, Before: value(before, key), Proposed: value(proposed, key), After: value(after, key), By: []By{}}
		a.Change = changeOf(a.Before, a.Proposed)
		settle(&a)
		c.result.Annotations = append(c.result.Annotations, a)
	}
}

func changeOf(before, proposed *string) ChangeKind {
	switch {
	case before == nil && proposed == nil:
		return None
	case before == nil:
		return Added
	case proposed == nil:
		return Removed
	case *before == *proposed:
		return Unchanged
	}
	return Edited
}

// effectOf says what became of an annotation of a request that passed.
func effectOf(a Annotation) Effect {
	switch {
	case same(a.After, a.Proposed):
		return EffectKept
	case a.Change == None:
		return EffectAddedByPolicy
	case a.After == nil:
		return EffectStripped
	case a.Change == Edited && same(a.After, a.Before):
		return EffectReverted
	case a.Change == Removed && same(a.After, a.Before):
		return EffectRestored
	}
	return EffectReplaced
}

// deniers names the policies that deny the request.
func (c *chain) deniers() []By {
	return c.acting(func(s policy.Step) bool {
		return s.Policy != "" && (s.Decision == policy.Denied || s.Decision == policy.Error)
	})
}

// mutators names the policies that changed an annotation.
func (c *chain) mutators(key string) []By {
	return c.acting(func(s policy.Step) bool {
		return s.Policy != "" && slices.ContainsFunc(s.Changes, func(change policy.Change) bool { return change.Key == key })
	})
}

func (c *chain) acting(is func(policy.Step) bool) []By {
	found := []By{}
	for _, s := range c.result.Steps {
		by := By{Kind: s.Kind, Policy: s.Policy, Binding: s.Binding}
		if is(s) && !slices.Contains(found, by) {
			found = append(found, by)
		}
	}
	return found
}

func value(annotations map[string]string, key string) *string {
	if v, ok := annotations[key]; ok {
		return &v
	}
	return nil
}

func same(a, b *string) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}
