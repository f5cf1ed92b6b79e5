package policy

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
)

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
