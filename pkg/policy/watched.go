package policy

import (
	"fmt"
	"reflect"
	"strconv"
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

type watchedMap struct {
	traits.Mapper
	watched
}

// Find implements traits.Mapper.
func (m *watchedMap) Find(key ref.Val) (ref.Val, bool) {
	value, found := m.Mapper.Find(key)
	name := fmt.Sprint(key.Value())
	path := strings.TrimPrefix(m.path+"."+name, ".")
	_, listed := m.below[name]
	if !found {
		if m.open || listed {
			m.touches.add("%s", m.name(path))
		}
		return value, found
	}
	return m.get(name, path, value), true
}

// Get implements traits.Indexer.
func (m *watchedMap) Get(key ref.Val) ref.Val {
	value, found := m.Find(key)
	if !found {
		return m.Mapper.Get(key)
	}
	return value
}

// Contains implements traits.Container.
func (m *watchedMap) Contains(key ref.Val) ref.Val {
	if contained := m.Mapper.Contains(key); contained == types.True {
		return contained
	}
	m.Find(key)
	return m.Mapper.Contains(key)
}

// Size implements traits.Sizer.
func (m *watchedMap) Size() ref.Val {
	if m.open && m.touches.sizes {
		m.touchAll()
	}
	return m.Mapper.Size()
}

// Iterator implements traits.Iterable. A map's iterator gives its keys only.
func (m *watchedMap) Iterator() traits.Iterator {
	if m.open {
		m.touchAll()
	}
	return m.Mapper.Iterator()
}

// Equal implements ref.Val. To be another kind of value than a map, such as null, says nothing about what is in it.
func (m *watchedMap) Equal(other ref.Val) ref.Val {
	if _, isMap := other.(traits.Mapper); isMap {
		m.touchAll()
	}
	return m.Mapper.Equal(other)
}

// ConvertToNative implements ref.Val.
func (m *watchedMap) ConvertToNative(t reflect.Type) (any, error) {
	m.touchAll()
	return m.Mapper.ConvertToNative(t)
}

// Value implements ref.Val.
func (m *watchedMap) Value() any {
	m.touchAll()
	return m.Mapper.Value()
}

type watchedList struct {
	traits.Lister
	watched
}

func (l *watchedList) element(i int64, value ref.Val) ref.Val {
	index := strconv.FormatInt(i, 10)
	return l.get(index, l.path+"["+index+"]", value)
}

// Get implements traits.Indexer.
func (l *watchedList) Get(index ref.Val) ref.Val {
	value := l.Lister.Get(index)
	i, ok := index.(types.Int)
	if !ok || types.IsError(value) {
		return value
	}
	return l.element(int64(i), value)
}

// Contains implements traits.Container.
func (l *watchedList) Contains(value ref.Val) ref.Val {
	l.touchAll()
	return l.Lister.Contains(value)
}

// Add implements traits.Adder.
func (l *watchedList) Add(other ref.Val) ref.Val {
	l.touchAll()
	return l.Lister.Add(other)
}

// Equal implements ref.Val, see watchedMap.
func (l *watchedList) Equal(other ref.Val) ref.Val {
	if _, isList := other.(traits.Lister); isList {
		l.touchAll()
	}
	return l.Lister.Equal(other)
}

// ConvertToNative implements ref.Val.
func (l *watchedList) ConvertToNative(t reflect.Type) (any, error) {
	l.touchAll()
	return l.Lister.ConvertToNative(t)
}

// Value implements ref.Val.
func (l *watchedList) Value() any {
	l.touchAll()
	return l.Lister.Value()
}

// Iterator implements traits.Iterable.
func (l *watchedList) Iterator() traits.Iterator {
	return &watchedIterator{Iterator: l.Lister.Iterator(), list: l}
}

type watchedIterator struct {
	traits.Iterator
	list *watchedList
	next int64
}

// Next implements traits.Iterator.
func (it *watchedIterator) Next() ref.Val {
	value := it.list.element(it.next, it.Iterator.Next())
	it.next++
	return value
}
