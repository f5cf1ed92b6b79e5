package policy

import (
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/downscaler"
)

// annotationChanges returns what differs between two states of an object in the annotations with the
// downscaler's prefix, sorted by key.
func annotationChanges(before, after runtime.Object) []Change {
	old, proposed := Annotations(before), Annotations(after)
	keys := slices.Collect(maps.Keys(old))
	for key := range proposed {
		if _, known := old[key]; !known {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	var changes []Change
	for _, key := range keys {
		was, is := valueOf(old, key), valueOf(proposed, key)
		if (was == nil) != (is == nil) || was != nil && *was != *is {
			changes = append(changes, Change{Key: key, Before: was, After: is})
		}
	}
	return changes
}

// Annotations returns an object's annotations that have the downscaler's prefix; none for nil.
func Annotations(object runtime.Object) map[string]string {
	found := map[string]string{}
	if object == nil {
		return found
	}
	accessor, err := meta.Accessor(object)
	if err != nil {
		return found
	}
	for key, value := range accessor.GetAnnotations() {
		if strings.HasPrefix(key, downscaler.Prefix) {
			found[key] = value
		}
	}
	return found
}

func valueOf(annotations map[string]string, key string) *string {
	if value, ok := annotations[key]; ok {
		return &value
	}
	return nil
}
