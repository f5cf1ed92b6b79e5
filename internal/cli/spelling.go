package cli

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/audit"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/downscaler"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
)

// spelling finds what looks like a mistake in --set and --remove, once it has seen the objects that they change. It
// has no part in what the API server would do.
type spelling struct {
	change  request.Change
	objects int
	first   string          // the first object, as kubectl names it
	carried map[string]bool // the keys to be removed that some object has
	kinds   []schema.GroupKind
}

// see notes an object as it is before the change.
func (s *spelling) see(kind inventory.Kind, object metav1.Object) {
	if s.objects++; s.objects == 1 {
		s.first = strings.ToLower(kind.Kind.Kind) + "/" + cmp.Or(object.GetName(), object.GetGenerateName())
		s.carried = map[string]bool{}
	}
	if !slices.Contains(s.kinds, kind.Kind.GroupKind()) {
		s.kinds = append(s.kinds, kind.Kind.GroupKind())
	}
	for _, key := range s.change.Remove {
		if _, found := object.GetAnnotations()[key]; found {
			s.carried[key] = true
		}
	}
}

// notes are a sentence each.
func (s *spelling) notes() []string {
	if s.objects == 0 {
		return nil
	}
	var notes []string
	for _, key := range slices.Sorted(maps.Keys(s.change.Set)) {
		if note := unread(key); note != "" {
			notes = append(notes, note)
			continue
		}
		notes = append(notes, s.unusable(key)...)
	}
	for _, key := range s.change.Remove {
		if !s.carried[key] {
			notes = append(notes, s.nobodyHas(key))
		}
	}
	return notes
}

// unread says that the downscaler reads no annotation of this name, if so. That the audit's own key is none is its purpose.
func unread(key string) string {
	if !strings.HasPrefix(key, downscaler.Prefix) || downscaler.Known(key) || strings.HasPrefix(key, audit.UnusedKey) {
		return ""
	}
	return fmt.Sprintf("the downscaler reads no annotation %s%s", key, nearest(key))
}

// nobodyHas says that there is nothing to remove.
func (s *spelling) nobodyHas(key string) string {
	if s.objects == 1 {
		return fmt.Sprintf("%s has no annotation %s%s", s.first, key, nearest(key))
	}
	return fmt.Sprintf("none of the %d objects has an annotation %s%s", s.objects, key, nearest(key))
}

// unusable says what the downscaler makes of a value that it can't use, by kind where that matters.
func (s *spelling) unusable(key string) []string {
	var notes []string
	for _, kind := range s.kinds {
		var problem *downscaler.Problem
		if !errors.As(downscaler.Check(key, s.change.Set[key], kind), &problem) {
			continue
		}
		note := fmt.Sprintf("the downscaler can't use %s=%s: %s", key, s.change.Set[key], problem.Text)
		if problem.Nearest != "" {
			note += fmt.Sprintf("; the nearest valid value is %q", problem.Nearest)
		} else if example := downscaler.FormOf(key).Example(); downscaler.Check(key, example, kind) == nil {
			note += fmt.Sprintf("; a valid value is, for example, %q", example)
		}
		note += ". " + problem.Effect.Sentence()
		if !slices.Contains(notes, note) {
			notes = append(notes, note)
		}
	}
	return notes
}

func nearest(key string) string {
	if !strings.HasPrefix(key, downscaler.Prefix) || downscaler.Known(key) {
		return ""
	}
	if near := downscaler.Nearest(key); near != "" {
		return fmt.Sprintf("; did you mean %s?", near)
	}
	return ""
}
