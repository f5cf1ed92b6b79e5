package audit

import (
	"encoding/json"
	"reflect"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
)

// setField sets a field of a built-in kind by its path, or takes it out; what has no such field is left as it is.
func setField(object runtime.Object, path string, to any) {
	if field := fieldOf(reflect.ValueOf(object), strings.Split(path, ".")); field.IsValid() {
		if field.SetZero(); to != nil {
			if text, err := json.Marshal(to); err == nil && field.CanAddr() {
				_ = json.Unmarshal(text, field.Addr().Interface()) // what does not fit is not set
			}
		}
	}
}

// typeOfField is the type of a field of a built-in kind, nil where there is none of that path.
func typeOfField(object runtime.Object, path string) reflect.Type {
	field := fieldOf(reflect.ValueOf(object.DeepCopyObject()), strings.Split(path, "."))
	if !field.IsValid() {
		return nil
	}
	t := field.Type()
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t
}

// fieldOf follows a path of JSON names; what is not there on the way is made.
func fieldOf(value reflect.Value, path []string) reflect.Value {
	for value.Kind() == reflect.Pointer && len(path) > 0 {
		if value.IsNil() {
			if !value.CanSet() {
				return reflect.Value{}
			}
			value.Set(reflect.New(value.Type().Elem()))
		}
		value = value.Elem()
	}
	if len(path) == 0 {
		return value
	}
	if value.Kind() != reflect.Struct {
		return reflect.Value{}
	}
	for i := range value.NumField() {
		name, _, _ := strings.Cut(value.Type().Field(i).Tag.Get("json"), ",")
		if name == path[0] {
			return fieldOf(value.Field(i), path[1:])
		}
	}
	return reflect.Value{}
}

func inJSON(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // there is nothing in it that can't be encoded
	}
	return string(text)
}

// generic is a value as JSON has it.
func generic(value any) any {
	var v any
	if err := json.Unmarshal([]byte(inJSON(value)), &v); err != nil {
		panic(err) // it was just encoded
	}
	return v
}
