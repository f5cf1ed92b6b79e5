package verify

import (
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// The API server says of a creation what would be stored only where the name is free.
const (
	freeSuffix = "-dry-run"
	// longestName is what a CronJob may be called, the shortest limit among the kinds.
	longestName = 52
)

// freeName is a name that hardly anything has.
func freeName(name string) string {
	return strings.TrimRight(name[:min(len(name), longestName-len(freeSuffix))], "-.") + freeSuffix
}

// renamed is a copy of an object under such a name.
func renamed(object inventory.Object) inventory.Object {
	object.Value = object.Value.DeepCopyObject()
	if meta, ok := object.Value.(metav1.Object); ok {
		meta.SetName(freeName(meta.GetName()))
	}
	return object
}
