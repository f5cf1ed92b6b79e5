package audit

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/downscaler"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// Ref names an object as reports do.
func Ref(object inventory.Object) simulate.ObjectRef {
	version, kind := object.Kind.Kind.ToAPIVersionAndKind()
	ref := simulate.ObjectRef{APIVersion: version, Kind: kind, Name: object.Meta().GetName()}
	if object.Kind.Namespaced {
		ref.Namespace = object.Meta().GetNamespace()
	}
	return ref
}

// annotationsOf lists what an object carries, sorted by key. A zero now is not known.
func annotationsOf(object inventory.Object, now time.Time) []Annotation {
	values := guardedAnnotations(object.Meta())
	list := []Annotation{}
	for _, key := range slices.Sorted(maps.Keys(values)) {
		a := Annotation{Key: key, Value: values[key]}
		a.Flaw, a.Problem = problemOf(key, values, object.Kind)
		a.Valid = a.Flaw == ""
		if a.Valid && expired(a, now) {
			a.Flaw, a.Problem = FlawExpired, "the time is past: it excludes nothing any more"
		}
		a.Meaning = meaningOf(a)
		a.SetBy, a.SetAt = setBy(object.Meta(), key)
		list = append(list, a)
	}
	return list
}

// problemOf says why the downscaler can't use an annotation: nothing reads it, the value is wrong, or another one is in its way.
func problemOf(key string, all map[string]string, kind inventory.Kind) (Flaw, string) {
	if !downscaler.Known(key) {
		return FlawUnknownKey, "the downscaler reads no annotation of this name"
	}
	var flaw Flaw
	var problems []string
	if err := downscaler.Check(key, all[key], kind.Kind.GroupKind()); err != nil {
		flaw, problems = FlawInvalid, append(problems, err.Error())
	}
	for _, conflict := range downscaler.Incompatible(all) {
		if conflict.First == key || conflict.Second == key {
			flaw, problems = cmp.Or(flaw, FlawIncompatible), append(problems, conflict.String())
		}
	}
	return flaw, strings.Join(problems, "; ")
}

// expired says whether an annotation is the end of an exclusion, and past. A time that can't be read is not.
func expired(a Annotation, now time.Time) bool {
	if a.Key != downscaler.ExcludeUntil {
		return false
	}
	until, err := time.Parse(time.RFC3339, a.Value)
	return err == nil && until.Before(now)
}

// meaningOf says in words what timespans come to.
func meaningOf(a Annotation) string {
	if downscaler.FormOf(a.Key) != downscaler.Timespans {
		return ""
	}
	words, err := downscaler.Describe(a.Value)
	if err != nil {
		return "" // what is wrong is the annotation's Problem
	}
	return words
}

// setBy finds the manager of an annotation whose write is the newest. What can't be read of managedFields
// counts as not said: the API server stores nothing that it can't read.
func setBy(object metav1.Object, key string) (manager, at string) {
	var newest time.Time
	for _, entry := range object.GetManagedFields() {
		if !owns(entry, key) {
			continue
		}
		var written time.Time
		if entry.Time != nil {
			written = entry.Time.Time
		}
		if manager == "" || written.After(newest) {
			manager, newest = entry.Manager, written
		}
	}
	if newest.IsZero() {
		return manager, ""
	}
	return manager, newest.UTC().Format(time.RFC3339)
}

func owns(entry metav1.ManagedFieldsEntry, key string) bool {
	if entry.FieldsV1 == nil {
		return false
	}
	raw := entry.FieldsV1.GetRawBytes()
	if !bytes.Contains(raw, []byte(key)) {
		return false
	}
	var fields fieldpath.Set
	if err := fields.FromJSON(bytes.NewReader(raw)); err != nil {
		return false
	}
	return fields.Has(fieldpath.MakePathOrDie("metadata", "annotations", key))
}
