package policy

import (
	"reflect"
	"strconv"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
)

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
