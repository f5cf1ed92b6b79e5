package differential

import (
	"encoding/json"
	"strings"
)

// placeholder stands in a Group wherever its own name is to be: in its namespaces, its policies and the
// requesters' UIDs. That keeps groups apart which are tried at the same time.
const placeholder = "GROUP"

// Object is a Kubernetes object as a manifest has it.
type Object = map[string]any

// List is a list in an Object.
type List = []any

// Group is a few policies with what they need, and requests to try them with. It is what a regression file holds.
type Group struct {
	// About says what the group is about, or where it comes from.
	About string `json:"about,omitempty"`
	// Objects are what the cluster holds before the policies are in force, namespaces first.
	Objects []Object `json:"objects"`
	// Policies are policies and bindings.
	Policies []Object  `json:"policies"`
	Requests []Request `json:"requests"`
}

// Way is how a request is made.
type Way string

// The ways. Annotate changes annotations of a stored object as kubectl annotate does, the others send
// an object as kubectl does.
const (
	Annotate        Way = "annotate"
	Create          Way = "create"
	Replace         Way = "replace"
	Apply           Way = "apply"
	ServerSideApply Way = "server-side-apply"
	Delete          Way = "delete"
)

// Request is one request, and who makes it.
type Request struct {
	User   string              `json:"user"`
	Groups []string            `json:"groups,omitempty"`
	UID    string              `json:"uid,omitempty"`
	Extra  map[string][]string `json:"extra,omitempty"`

	Way         Way    `json:"way"`
	Subresource string `json:"subresource,omitempty"`
	// Object is what is sent; for Annotate and Delete only what names the stored object.
	Object Object `json:"object"`
	// Set and Remove are the changes of Annotate.
	Set    map[string]string `json:"set,omitempty"`
	Remove []string          `json:"remove,omitempty"`
}

// Named returns a copy of the group with its name put where the placeholder stands.
func (g Group) Named(name string) Group {
	var named Group
	replaceIn(g, &named, placeholder, name)
	return named
}

// Clone returns a deep copy.
func (g Group) Clone() Group { return g.Named(placeholder) }

func replaceIn(from, to any, old, with string) {
	content, err := json.Marshal(from)
	if err != nil {
		panic(err) // nothing but maps, lists and strings
	}
	if err := json.Unmarshal([]byte(strings.ReplaceAll(string(content), old, with)), to); err != nil {
		panic(err)
	}
}

// at returns what stands at a path of an object, nil if nothing does.
func at(object Object, path ...string) any {
	var value any = object
	for _, key := range path {
		fields, ok := value.(Object)
		if !ok {
			return nil
		}
		value = fields[key]
	}
	return value
}

// textAt is at for strings.
func textAt(object Object, path ...string) string {
	text, _ := at(object, path...).(string)
	return text
}

func nameOf(object Object) string { return textAt(object, "metadata", "name") }

func namespaceOf(object Object) string { return textAt(object, "metadata", "namespace") }
