package cases

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/test/reply"
)

// differences says how the plugin's answer differs from the API server's.
func differences(server, plugin Answer) []string {
	var found reply.Differences
	found.Compare("verdict", server.Verdict, plugin.Verdict)
	found.Replies(server.Reply, plugin.Reply)
	if server.Stored == nil || plugin.Stored == nil {
		return found
	}
	stored, own := unstructured.Unstructured{Object: server.Stored}, unstructured.Unstructured{Object: plugin.Stored}
	found.Compare("annotations", stored.GetAnnotations(), own.GetAnnotations())
	found.Compare("labels", stored.GetLabels(), own.GetLabels())
	for _, missing := range lacks(server.Stored, onlyKnown(plugin.Stored), "") {
		found = append(found, "stored by the API server, against what the plugin says: "+missing)
	}
	return found
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
	if reply.JSON(whole) != reply.JSON(part) {
		return []string{mismatch(path, whole, part)}
	}
	return nil
}

func mismatch(path string, have, want any) string {
	return fmt.Sprintf("%s is %s, not %s", path, reply.JSON(have), reply.JSON(want))
}
