package request

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Prefix is put before an annotation key that has none.
const Prefix = "downscaler/"

// UsageError is a mistake in what was asked, as opposed to a request that the API server would refuse.
type UsageError struct{ Message string }

func (e *UsageError) Error() string { return e.Message }

func usageErrorf(format string, args ...any) error {
	return &UsageError{Message: fmt.Sprintf(format, args...)}
}

// Change is a change of annotations.
type Change struct {
	Set    map[string]string
	Remove []string
}

// Empty says whether nothing is to be changed.
func (c Change) Empty() bool { return len(c.Set) == 0 && len(c.Remove) == 0 }

// ParseChange reads the arguments of --set KEY=VALUE and --remove KEY. A key without a prefix gets
// Prefix. What the API server would refuse, and a key that is named twice, is a *UsageError.
func ParseChange(set, remove []string) (Change, error) {
	change := Change{Set: map[string]string{}}
	for _, argument := range set {
		key, value, err := ParseSet(argument)
		if err != nil {
			return Change{}, err
		}
		if _, twice := change.Set[key]; twice {
			return Change{}, usageErrorf("--set names the annotation %s twice; give it once", key)
		}
		change.Set[key] = value
	}
	if err := validation.ValidateAnnotationsSize(change.Set); err != nil {
		return Change{}, usageErrorf("--set: %v bytes: the API server refuses so much; set less", err)
	}
	for _, argument := range remove {
		key, err := parseRemove(argument, change)
		if err != nil {
			return Change{}, err
		}
		change.Remove = append(change.Remove, key)
	}
	return change, nil
}

// ParseSet reads one argument of --set. The value is whatever follows the first "=", and may be empty.
func ParseSet(argument string) (key, value string, err error) {
	key, value, found := strings.Cut(argument, "=")
	if !found {
		return "", "", usageErrorf("--set %s: there is no \"=\"; write --set KEY=VALUE, or --remove KEY to remove the annotation", argument)
	}
	if key, err = parseKey("--set", key); err != nil {
		return "", "", err
	}
	return key, value, nil
}

func parseRemove(argument string, change Change) (string, error) {
	if strings.Contains(argument, "=") {
		return "", usageErrorf("--remove %s: a key has no \"=\"; write --remove KEY", argument)
	}
	key, err := parseKey("--remove", argument)
	if err != nil {
		return "", err
	}
	if _, both := change.Set[key]; both {
		return "", usageErrorf("the annotation %s is in both --set and --remove; give one of them", key)
	}
	if slices.Contains(change.Remove, key) {
		return "", usageErrorf("--remove names the annotation %s twice; give it once", key)
	}
	return key, nil
}

// ParseKey reads a key that is an argument of its own.
func ParseKey(argument string) (string, error) { return parseKey("the key "+argument, argument) }

// parseKey completes a key and checks it by the API server's rules for annotations.
func parseKey(flag, key string) (string, error) {
	if key == "" {
		return "", usageErrorf("%s: the annotation's key is empty; write the key before the \"=\"", flag)
	}
	if !strings.Contains(key, "/") {
		key = Prefix + key
	}
	errs := validation.ValidateAnnotations(map[string]string{key: ""}, field.NewPath("metadata", "annotations"))
	if len(errs) > 0 {
		return "", usageErrorf("%s: the API server refuses the annotation key %q: %s; correct the key", flag, key, errs[0].Detail)
	}
	return key, nil
}

// ApplyTo changes an object's annotations in place, as kubectl annotate does. Annotations that become
// empty are taken out, as the API server does.
func (c Change) ApplyTo(object metav1.Object) {
	annotations := maps.Clone(object.GetAnnotations())
	if annotations == nil {
		annotations = map[string]string{}
	}
	maps.Copy(annotations, c.Set)
	for _, key := range c.Remove {
		delete(annotations, key)
	}
	if len(annotations) == 0 {
		annotations = nil
	}
	object.SetAnnotations(annotations)
}
