package audit

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/admission"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/downscaler"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
)

// Column is one of the four kinds of change that a guard is tried with.
type Column string

// The columns, in the order of Guard's fields.
const (
	ColumnCreate Column = "create"
	ColumnAdd    Column = "add"
	ColumnEdit   Column = "edit"
	ColumnRemove Column = "remove"
)

// Columns returns all four.
func Columns() []Column { return []Column{ColumnCreate, ColumnAdd, ColumnEdit, ColumnRemove} }

// UnusedKey is the key that the probes use for objects which carry downscaler/exclude already.
const UnusedKey = downscaler.Prefix + "compliance-probe"

// Probe is one change that a guard is tried with: that of one annotation and nothing else.
type Probe struct {
	Column Column
	Key    string
	// Object is what the change is made to: the object itself, a copy that has the key, or for ColumnCreate one
	// without any annotation of the downscaler's.
	Object inventory.Object
	Change request.Change
	// Copied says that Object differs from the stored one in its annotations.
	Copied bool
}

// Probes are the changes that an object's guard is tried with: a key that it does not carry is created with the object,
// added, edited and removed, the last two on a copy that has it, and each key that it carries is edited and removed.
// They make no request yet, see Request.
func Probes(object inventory.Object) []Probe {
	carried := slices.Sorted(maps.Keys(guardedAnnotations(object.Meta())))
	key := freshKey(carried)
	fresh := request.Change{Set: map[string]string{key: "true"}}
	having := withAnnotations(object, fresh)
	probes := []Probe{
		{Column: ColumnCreate, Key: key, Object: stripped(object, carried), Change: fresh, Copied: len(carried) > 0},
		{Column: ColumnAdd, Key: key, Object: object, Change: fresh},
		{Column: ColumnEdit, Key: key, Object: having, Change: edit(key, "true"), Copied: true},
		{Column: ColumnRemove, Key: key, Object: having, Change: request.Change{Remove: []string{key}}, Copied: true},
	}
	for _, key := range carried {
		probes = append(probes,
			Probe{Column: ColumnEdit, Key: key, Object: object, Change: edit(key, object.Meta().GetAnnotations()[key])},
			Probe{Column: ColumnRemove, Key: key, Object: object, Change: request.Change{Remove: []string{key}}})
	}
	return probes
}

// Request is the request by which a requester makes the change, through a subresource or, with "", the object
// itself. A subresource that the kind does not serve, and a creation through one, is a *request.UsageError.
func (p Probe) Request(requester request.Requester, subresource string) (request.Request, error) {
	options := request.Options{Operation: admission.Update, Subresource: subresource}
	if p.Column == ColumnCreate {
		options.Operation = admission.Create
	}
	return request.Annotate(requester, p.Object, p.Change, options)
}

// guardedAnnotations are those with the downscaler's prefix.
func guardedAnnotations(object metav1.Object) map[string]string {
	found := map[string]string{}
	for key, value := range object.GetAnnotations() {
		if strings.HasPrefix(key, downscaler.Prefix) {
			found[key] = value
		}
	}
	return found
}

// freshKey is a key that is not carried.
func freshKey(carried []string) string {
	key := downscaler.Exclude
	for i := 1; slices.Contains(carried, key); i++ {
		key = UnusedKey
		if i > 1 {
			key = fmt.Sprintf("%s-%d", UnusedKey, i)
		}
	}
	return key
}

// edit changes a value to another one.
func edit(key, value string) request.Change {
	other := "true"
	if value == other {
		other = "false"
	}
	return request.Change{Set: map[string]string{key: other}}
}

func stripped(object inventory.Object, carried []string) inventory.Object {
	if len(carried) == 0 {
		return object
	}
	return withAnnotations(object, request.Change{Remove: carried})
}

// withAnnotations returns a copy of an object with a change of annotations made.
func withAnnotations(object inventory.Object, change request.Change) inventory.Object {
	object.Value = object.Value.DeepCopyObject()
	change.ApplyTo(metaOf(object.Value))
	return object
}

func metaOf(object runtime.Object) metav1.Object {
	if m, ok := object.(metav1.Object); ok {
		return m
	}
	return &metav1.ObjectMeta{}
}
