package cases

import (
	"fmt"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// differences says how the plugin's answer differs from the API server's.
func differences(server, plugin Answer) []string {
	server, plugin = server.canonical(), plugin.canonical()
	if server.Status != nil && plugin.mayBe(*server.Status) {
		plugin.Status = server.Status
	}
	var found []string
	compare := func(what string, a, b any) {
		if !cmp.Equal(a, b, cmpopts.EquateEmpty()) {
			found = append(found, fmt.Sprintf("%s\n  API server: %s\n  plugin:     %s", what, compact(a), compact(b)))
		}
	}
	compare("verdict", server.Verdict, plugin.Verdict)
	compare("status", server.Status, plugin.Status)
	compare("warnings", server.Warnings, plugin.Warnings)
	compare("audit annotations", server.Audit, plugin.Audit)
	if server.Stored == nil || plugin.Stored == nil {
		return found
	}
	stored, own := unstructured.Unstructured{Object: server.Stored}, unstructured.Unstructured{Object: plugin.Stored}
	compare("annotations", stored.GetAnnotations(), own.GetAnnotations())
	compare("labels", stored.GetLabels(), own.GetLabels())
	for _, missing := range lacks(server.Stored, onlyKnown(plugin.Stored), "") {
		found = append(found, "stored by the API server, against what the plugin says: "+missing)
	}
	return found
}

// mayBe says whether a status is one of those that the plugin expects.
func (a Answer) mayBe(status metav1.Status) bool {
	return slices.ContainsFunc(a.Possible, func(possible metav1.Status) bool {
		return equality.Semantic.DeepEqual(possible, status)
	})
}

// onlyKnown is an object of the plugin's without what only storing it can tell, in the metadata, what is compared whole, and nulls, which
// Go's types write where the API server leaves a field out. What is left the API server has to have stored as well; it
// stores more, its defaults.
func onlyKnown(object Object) Object {
	known, _ := withoutNulls(object).(Object)
	if metadata, ok := known["metadata"].(Object); ok {
		for _, field := range []string{"creationTimestamp", "uid", "resourceVersion", "generation", "managedFields", "name", "annotations", "labels"} {
			delete(metadata, field)
		}
	}
	return known
}

func withoutNulls(value any) any {
	switch v := value.(type) {
	case Object:
		kept := Object{}
		for key, inner := range v {
			if inner != nil {
				kept[key] = withoutNulls(inner)
			}
		}
		return kept
	case []any:
		kept := make([]any, len(v))
		for i, inner := range v {
			kept[i] = withoutNulls(inner)
		}
		return kept
	}
	return value
}

// lacks says where a value does not hold a part: maps may hold more, a null in the part stands for nothing, lists have as many
// elements.
func lacks(whole, part any, path string) []string {
	switch p := part.(type) {
	case Object:
		w, ok := whole.(Object)
		if !ok && whole != nil { // what is not there is as good as an empty map
			return []string{mismatch(path, whole, part)}
		}
		var found []string
		for key, value := range p {
			inner, has := w[key]
			below := strings.TrimPrefix(path+"."+key, ".")
			switch {
			case value == nil && has:
				found = append(found, mismatch(below, inner, nil))
			case value != nil:
				found = append(found, lacks(inner, value, below)...)
			}
		}
		return found
	case []any:
		w, ok := whole.([]any)
		if !ok || len(w) != len(p) {
			return []string{mismatch(path, whole, part)}
		}
		var found []string
		for i, value := range p {
			found = append(found, lacks(w[i], value, fmt.Sprintf("%s[%d]", path, i))...)
		}
		return found
	}
	if compact(whole) != compact(part) {
		return []string{mismatch(path, whole, part)}
	}
	return nil
}

func mismatch(path string, have, want any) string {
	return fmt.Sprintf("%s is %s, not %s", path, compact(have), compact(want))
}
