package inventory

import (
	"context"
	"sync"
)

// memo remembers what was asked for once, errors too, except for those of a context that ended.
// One key is asked for once at a time. The zero value is ready.
type memo[K comparable, V any] struct {
	mu      sync.Mutex
	entries map[K]*memoEntry[V]
}

type memoEntry[V any] struct {
	mu    sync.Mutex
	done  bool
	value V
	err   error
}

// get returns what ask gives for the key, now or earlier.
func (m *memo[K, V]) get(ctx context.Context, key K, ask func(context.Context) (V, error)) (V, error) {
	entry := m.entry(key)
	entry.mu.Lock()
	defer entry.mu.Unlock()
	if entry.done {
		return entry.value, entry.err
	}
	value, err := ask(ctx)
	if ctx.Err() == nil {
		entry.done, entry.value, entry.err = true, value, err
	}
	return value, err
}

func (m *memo[K, V]) entry(key K) *memoEntry[V] {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.entries == nil {
		m.entries = map[K]*memoEntry[V]{}
	}
	if m.entries[key] == nil {
		m.entries[key] = &memoEntry[V]{}
	}
	return m.entries[key]
}
