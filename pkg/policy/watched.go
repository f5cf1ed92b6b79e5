package policy

import (
	"strings"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// watcher wraps the values of one object.
type watcher struct {
	variable string
	touches  *touches
	redacted bool
}

// watched is what a wrapped map and a wrapped list have in common.
type watched struct {
	watcher
	below pathTree // what is not known at or below it
	path  string
	open  bool // what is missing from it may be there in truth
}

func (w watched) name(path string) string { return strings.TrimSuffix(w.variable+"."+path, ".") }

func (w watched) touchAll() { w.touches.add("%s", w.name(w.path)) }

// get returns an element, wrapped if there may be anything unknown below it; it notes the read of one that is unknown itself.
func (w watched) get(element, path string, value ref.Val) ref.Val {
	below, listed := w.below[element]
	if listed && len(below) == 0 || w.redacted && isRedacted(value) {
		w.touches.add("%s", w.name(path))
		return value
	}
	// Metadata has no defaults: what is not known of it is listed.
	open := w.open && path != "metadata"
	if below == nil && !open && !w.redacted {
		return value
	}
	node := watched{watcher: w.watcher, below: below, path: path, open: open}
	switch inner := value.(type) {
	case traits.Mapper:
		return &watchedMap{Mapper: inner, watched: node}
	case traits.Lister:
		return &watchedList{Lister: inner, watched: node}
	}
	return value
}

// isRedacted says whether a value is, or has within it, what a snapshot put in the place of another.
func isRedacted(value ref.Val) bool {
	text, ok := value.(types.String)
	return ok && inventory.HoldsRedacted(string(text))
}
