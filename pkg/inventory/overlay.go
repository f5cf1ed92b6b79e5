package inventory

import (
	"context"
	"sync"

	corev1 "k8s.io/api/core/v1"
)

// Overlay is an inventory with namespaces over it that requests would store, so that later requests find them.
// It is safe for concurrent use, but whoever stores a namespace has to see to it that the requests before it are done.
type Overlay struct {
	Inventory

	mu         sync.RWMutex
	namespaces map[string]*corev1.Namespace
}

// NewOverlay returns an overlay with nothing in it yet.
func NewOverlay(inventory Inventory) *Overlay {
	return &Overlay{Inventory: inventory, namespaces: map[string]*corev1.Namespace{}}
}

// Clear takes out what was put into the overlay.
func (o *Overlay) Clear() {
	o.mu.Lock()
	defer o.mu.Unlock()
	clear(o.namespaces)
}

// Store puts a namespace into the overlay, in the place of one of the same name. The namespace is not copied.
func (o *Overlay) Store(namespace *corev1.Namespace) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.namespaces[namespace.Name] = namespace
}

// Namespace returns a namespace of the overlay, and else the inventory's.
func (o *Overlay) Namespace(ctx context.Context, name string) (*corev1.Namespace, error) {
	o.mu.RLock()
	namespace, stored := o.namespaces[name]
	o.mu.RUnlock()
	if stored {
		return namespace, nil
	}
	return o.Inventory.Namespace(ctx, name)
}

// Namespaces returns the inventory's namespaces as they would be, and those that would be added.
func (o *Overlay) Namespaces() []*corev1.Namespace {
	o.mu.RLock()
	defer o.mu.RUnlock()
	var all []*corev1.Namespace
	for _, namespace := range o.Inventory.Namespaces() {
		if _, replaced := o.namespaces[namespace.Name]; !replaced {
			all = append(all, namespace)
		}
	}
	for _, namespace := range o.namespaces {
		all = append(all, namespace)
	}
	sortByName(all)
	return all
}
