package policy

import (
	"strconv"
	"strings"
)

// pathTree holds field paths by their elements; an empty tree is the end of one.
type pathTree map[string]pathTree

func newPathTree(paths []string) pathTree {
	root := pathTree{}
	for _, path := range paths {
		node := root
		for _, element := range splitPath(path) {
			if node[element] == nil {
				node[element] = pathTree{}
			}
			node = node[element]
		}
	}
	return root
}

// splitPath splits a field path into its keys and indexes: a.b[0].c["x.y/z"] into a, b, 0, c and x.y/z. The grammar is that
// of inventory.Object's Redacted.
func splitPath(path string) []string {
	var elements []string
	for path != "" {
		var element string
		switch path[0] {
		case '.':
			path = path[1:]
			continue
		case '[':
			element, path = bracketed(path[1:])
		default:
			end := strings.IndexAny(path, ".[")
			if end < 0 {
				end = len(path)
			}
			element, path = path[:end], path[end:]
		}
		elements = append(elements, element)
	}
	return elements
}

// bracketed takes an index, or a quoted key, and the bracket behind it from the front of a path.
func bracketed(path string) (element, rest string) {
	if quoted, err := strconv.QuotedPrefix(path); err == nil {
		key, _ := strconv.Unquote(quoted)
		return key, strings.TrimPrefix(path[len(quoted):], "]")
	}
	element, rest, _ = strings.Cut(path, "]")
	return element, rest
}
