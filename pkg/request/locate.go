package request

import (
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/value"
)

// locate finds what a path leads to, in which items of lists are named by their keys. steps lead there by keys and
// indexes. Nothing is found where there is none or more than one.
func locate(content any, path fieldpath.Path) (steps []any, found any, ok bool) {
	for _, element := range path {
		step, next, ok := descend(content, element)
		if !ok {
			return nil, nil, false
		}
		steps, content = append(steps, step), next
	}
	return steps, content, true
}

func descend(content any, element fieldpath.PathElement) (step, next any, ok bool) {
	if element.FieldName != nil {
		fields, _ := content.(map[string]any)
		next, ok = fields[*element.FieldName]
		return *element.FieldName, next, ok
	}
	items, _ := content.([]any)
	for i, item := range items {
		if !isItem(item, i, element) {
			continue
		}
		if ok {
			return nil, nil, false
		}
		step, next, ok = i, item, true
	}
	return step, next, ok
}

// isItem says whether a path's element names an item of a list.
func isItem(item any, index int, element fieldpath.PathElement) bool {
	switch {
	case element.Index != nil:
		return index == *element.Index
	case element.Value != nil:
		return value.Equals(*element.Value, value.NewValueInterface(item))
	case element.Key == nil:
		return false
	}
	fields, ok := item.(map[string]any)
	if !ok {
		return false
	}
	for _, key := range *element.Key {
		if has, found := fields[key.Name]; !found || !value.Equals(key.Value, value.NewValueInterface(has)) {
			return false
		}
	}
	return true
}

// put sets the value that steps lead to, in place.
func put(content any, steps []any, by any) {
	for i, step := range steps {
		last := i == len(steps)-1
		switch c := content.(type) {
		case map[string]any:
			key, _ := step.(string)
			if last {
				c[key] = by
			}
			content = c[key]
		case []any:
			index, _ := step.(int)
			if last {
				c[index] = by
			}
			content = c[index]
		}
	}
}
