package differential

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// place leads to a part of a group's JSON.
type place []string

func (p place) String() string { return strings.Join(p, "/") }

func singles(paths []place) [][]place {
	var all [][]place
	for _, p := range paths {
		all = append(all, []place{p})
	}
	return all
}

// removals are the places of everything that may be taken out of a group, down to a depth.
func removals(group Group, depth int) []place {
	var all []place
	var walk func(value any, at place)
	walk = func(value any, at place) {
		if len(at) > depth {
			return
		}
		if len(at) > 0 && removable(value, at) {
			all = append(all, slices.Clone(at))
		}
		switch v := value.(type) {
		case Object:
			for key, inner := range v {
				walk(inner, append(slices.Clone(at), key))
			}
		case List:
			for i, inner := range v {
				walk(inner, append(slices.Clone(at), strconv.Itoa(i)))
			}
		}
	}
	walk(treeOf(group), nil)
	slices.SortFunc(all, func(a, b place) int { return strings.Compare(a.String(), b.String()) })
	return all
}

// removable says whether a part may go: not the group's own frame, nor what keeps it apart from others.
func removable(value any, at place) bool {
	if len(at) == 1 || at[0] == "requests" && len(at) < 3 || slices.Contains([]string{"uid", "user", "way", "about", "apiVersion", "kind", "metadata", "name", "policyName", "spec", "object", "group"}, at[len(at)-1]) {
		return false
	}
	content, err := json.Marshal(value)
	if err != nil {
		return false
	}
	frame := len(at) > 2 && at[0] == "policies"
	return !frame || !strings.Contains(string(content), `"group":"`+placeholder) && !strings.Contains(string(content), "userInfo.?uid")
}

func treeOf(group Group) Object {
	tree := Object{}
	replaceIn(group, &tree, placeholder, placeholder)
	return tree
}

// without returns the group without some of its parts.
func (g Group) without(paths []place) (Group, bool) {
	var tree any = treeOf(g)
	sorted := slices.Clone(paths)
	slices.SortFunc(sorted, func(a, b place) int { return strings.Compare(padded(b), padded(a)) }) // later elements of lists first
	for _, p := range sorted {
		tree = remove(tree, p)
	}
	var smaller Group
	content, err := json.Marshal(tree)
	if err != nil || json.Unmarshal(content, &smaller) != nil || len(smaller.Requests) != 1 {
		return smaller, false
	}
	return smaller, true
}

// padded makes indices sort as numbers.
func padded(p place) string {
	parts := slices.Clone(p)
	for i, part := range parts {
		if n, err := strconv.Atoi(part); err == nil {
			parts[i] = fmt.Sprintf("%06d", n)
		}
	}
	return parts[0] + "/" + strings.Join(parts[1:], "/")
}

func remove(value any, p place) any {
	switch v := value.(type) {
	case Object:
		if len(p) == 1 {
			delete(v, p[0])
		} else if inner, found := v[p[0]]; found {
			v[p[0]] = remove(inner, p[1:])
		}
		return v
	case List:
		i, err := strconv.Atoi(p[0])
		if err != nil || i >= len(v) {
			return v
		}
		if len(p) == 1 {
			return slices.Delete(v, i, i+1)
		}
		v[i] = remove(v[i], p[1:])
		return v
	}
	return value
}
