package report

import "reflect"

// Normalize gives every nil list and map behind a pointer to a report its empty form, in place, so
// that JSON shows [] and {} where a reader expects a list or a map, and never null.
func Normalize(report any) {
	normalize(reflect.ValueOf(report))
}

func normalize(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			normalize(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				normalize(v.Field(i))
			}
		}
	case reflect.Slice:
		normalizeSlice(v)
	case reflect.Map:
		normalizeMap(v)
	default: // has no lists inside
	}
}

func normalizeSlice(v reflect.Value) {
	if v.IsNil() && v.CanSet() {
		v.Set(reflect.MakeSlice(v.Type(), 0, 0))
	}
	if !holdsLists(v.Type().Elem()) {
		return
	}
	for i := range v.Len() {
		normalize(v.Index(i))
	}
}

func normalizeMap(v reflect.Value) {
	if v.IsNil() && v.CanSet() {
		v.Set(reflect.MakeMap(v.Type()))
	}
	if v.Type().Elem().Kind() != reflect.Slice {
		return
	}
	for _, key := range v.MapKeys() {
		if v.MapIndex(key).IsNil() {
			v.SetMapIndex(key, reflect.MakeSlice(v.Type().Elem(), 0, 0))
		}
	}
}

// holdsLists spares the walk over lists of plain values.
func holdsLists(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Interface, reflect.Struct, reflect.Slice, reflect.Map:
		return true
	default:
		return false
	}
}
