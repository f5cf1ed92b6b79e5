package authorization

import (
	"context"
	"sync"
)

// once remembers answers, errors too, except for those of a context that ended. One question is asked by one
// caller at a time, and the others wait for the answer as long as their own contexts allow. The zero value is ready.
type once[V any] struct {
	mu      sync.Mutex
	entries map[string]*onceEntry[V]
}

type onceEntry[V any] struct {
	turn  chan struct{} // holds one token while nobody asks
	done  bool
	value V
	err   error
}

// get returns what ask gives for the key, now or earlier.
func (o *once[V]) get(ctx context.Context, key string, ask func() (V, error)) (V, error) {
	entry := o.entry(key)
	select {
	case <-entry.turn:
	case <-ctx.Done():
		var none V
		return none, ctx.Err()
	}
	defer func() { entry.turn <- struct{}{} }()
	if entry.done {
		return entry.value, entry.err
	}
	value, err := ask()
	if ctx.Err() == nil {
		entry.done, entry.value, entry.err = true, value, err
	}
	return value, err
}

func (o *once[V]) entry(key string) *onceEntry[V] {
	o.mu.Lock()
	defer o.mu.Unlock()
	entry, found := o.entries[key]
	if !found {
		entry = &onceEntry[V]{turn: make(chan struct{}, 1)}
		entry.turn <- struct{}{}
		if o.entries == nil {
			o.entries = map[string]*onceEntry[V]{}
		}
		o.entries[key] = entry
	}
	return entry
}
