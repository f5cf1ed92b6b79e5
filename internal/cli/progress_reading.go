package cli

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"sync"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// reading is an inventory that tells what of it is being read.
type reading struct {
	inventory.Inventory
	progress *progress

	mu       sync.Mutex
	nth, all int // the kind being read, and how many there are, where Objects is asked for one at a time
}

// kind tells that one kind of several is read next.
func (r *reading) kind(nth, all int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.nth, r.all = nth, all
}

// Objects implements inventory.Inventory.
func (r *reading) Objects(ctx context.Context, query inventory.Query) iter.Seq2[inventory.Object, error] {
	return func(yield func(inventory.Object, error) bool) {
		var kind inventory.Kind
		objects, nth := 0, 0
		for object, err := range r.Inventory.Objects(ctx, query) {
			if object.Kind.Resource != kind.Resource {
				kind, objects = object.Kind, 0
				nth = 1 + slices.IndexFunc(query.Kinds, func(k inventory.Kind) bool { return k.Resource == kind.Resource })
			}
			if err == nil {
				objects++
				r.progress.say(func() string { return r.words(kind, objects, nth, len(query.Kinds)) })
			}
			if !yield(object, err) {
				return
			}
		}
	}
}

func (r *reading) words(kind inventory.Kind, objects, nth, all int) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.all > 0 {
		nth, all = r.nth, r.all
	}
	unit := "objects"
	if objects == 1 {
		unit = "object"
	}
	return fmt.Sprintf("reading %s: %s %s; %d of %d kinds", kind.Resource.GroupResource(), thousands(objects), unit, nth, all)
}

// Locate implements inventory.Locator.
func (r *reading) Locate(kind, namespace, name string) (inventory.Position, bool) {
	return inventory.Locate(r.Inventory, kind, namespace, name)
}
