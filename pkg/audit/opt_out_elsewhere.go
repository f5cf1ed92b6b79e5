package audit

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
)

// madeOptOut is the name of what is made up for an opt-out.
const madeOptOut = "opt-out"

// proposedElsewhere are the opt-outs by a field that is neither a label, an annotation nor the name. Of a spec only what the API server takes
// whatever the rest of it says is tried: switches, numbers and a template's labels and annotations, of workloads. What it refuses in the spec is not
// simulated, and a value that it may refuse would show nothing.
func proposedElsewhere(path string, reads policy.Reads, object inventory.Object) []optOut {
	switch firstTwo(path) {
	case finalizers:
		return finalized(reads, object.Meta())
	case ownerReferences:
		return owned(reads)
	}
	group := object.Kind.Kind.Group
	if group != "apps" && group != "batch" || !strings.HasPrefix(path, "spec.") {
		return nil
	}
	for _, part := range []string{"labels", "annotations"} {
		if within, key, is := strings.Cut(path, ".metadata."+part); is {
			return templated(within+".metadata."+part, strings.TrimPrefix(key, "."), reads, object)
		}
	}
	var found []optOut
	for _, value := range valuesOfType(typeOfField(object.Value, path), reads) {
		found = append(found, optOut{field: path, to: value})
	}
	return found
}

// valuesOfType are those of a switch, or of a number: the constants, and those around them.
func valuesOfType(t reflect.Type, reads policy.Reads) []any {
	if t == nil {
		return nil
	}
	switch t.Kind() {
	case reflect.Bool:
		return []any{true, false}
	case reflect.Int32, reflect.Int64:
		var values []any
		for _, n := range append([]int64{0, 1}, reads.Numbers...) {
			for _, value := range []int64{n, n + 1, n - 1} {
				if value >= 0 && value < 1<<20 && !slices.Contains(values, any(value)) {
					values = append(values, value)
				}
			}
		}
		return values
	}
	return nil
}

// finalized are lists of finalizers with one more, whose name must have a prefix, and no finalizers.
func finalized(reads policy.Reads, has metav1.Object) []optOut {
	var found []optOut
	if len(has.GetFinalizers()) > 0 {
		found = append(found, optOut{field: finalizers})
	}
	for _, name := range append(wordsOf(reads.Texts), "guard.example/"+madeOptOut) {
		if len(validation.IsQualifiedName(name)) == 0 && strings.Contains(name, "/") {
			found = append(found, optOut{field: finalizers, to: append(slices.Clone(has.GetFinalizers()), name)})
		}
	}
	return found
}

// owned are an owner of some kind and name, and none.
func owned(reads policy.Reads) []optOut {
	found := []optOut{{field: ownerReferences}}
	version := "v1"
	for _, text := range reads.Texts {
		if gv, err := schema.ParseGroupVersion(text); err == nil && gv.Group != "" && gv.Version != "" {
			version = text
		}
	}
	isController := true
	for _, kind := range append([]string{"ConfigMap"}, reads.Texts...) {
		for _, name := range append([]string{madeOptOut}, reads.Texts...) {
			if kind != "" && name != "" {
				owner := metav1.OwnerReference{APIVersion: version, Kind: kind, Name: name, UID: madeOptOut, Controller: &isController}
				found = append(found, optOut{field: ownerReferences, to: []metav1.OwnerReference{owner}})
			}
		}
	}
	return found
}

// templated are the labels or annotations of a template of pods, with one more.
func templated(path, read string, reads policy.Reads, object inventory.Object) []optOut {
	if typeOfField(object.Value, path) != reflect.TypeFor[map[string]string]() {
		return nil
	}
	var has map[string]string
	copied := object.Value.DeepCopyObject()
	if field := fieldOf(reflect.ValueOf(copied), strings.Split(path, ".")); field.IsValid() {
		has, _ = field.Interface().(map[string]string)
	}
	var found []optOut
	for _, o := range proposedIn("labels", read, reads, has) {
		if o.value != nil && o.who == "" {
			labels := maps.Clone(has)
			if labels == nil {
				labels = map[string]string{}
			}
			labels[o.key] = *o.value
			found = append(found, optOut{field: path, to: labels})
		}
	}
	return found
}
