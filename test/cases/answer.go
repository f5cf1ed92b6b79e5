package cases

import (
	"maps"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/downscaler"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/test/reply"
)

// Answer is what one side says of a request.
type Answer struct {
	reply.Reply
	Verdict Verdict
	// Stored is the object as it is stored; nil where none is.
	Stored Object
	// NotSimulated is why the plugin claims no answer.
	NotSimulated string
	// Assumed is what the plugin took for granted.
	Assumed string
}

// verdictOf says what became of a request that passes, by what was proposed and what is stored.
func verdictOf(proposed, stored Object) Verdict {
	if !maps.Equal(guarded(proposed), guarded(stored)) {
		return Altered
	}
	return Allowed
}

// guarded are an object's annotations with the downscaler's prefix.
func guarded(object Object) map[string]string {
	kept := map[string]string{}
	for key, value := range (&unstructured.Unstructured{Object: object}).GetAnnotations() {
		if strings.HasPrefix(key, downscaler.Prefix) {
			kept[key] = value
		}
	}
	return kept
}
