package cases

import (
	"encoding/json"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/downscaler"
)

// Answer is what one side says of a request.
type Answer struct {
	Verdict Verdict
	// Status denies the request; nil where it passes.
	Status *metav1.Status
	// Possible are the statuses any one of which is right. Only the plugin knows them.
	Possible []metav1.Status
	Warnings []string
	Audit    map[string]string
	// Stored is the object as it is stored; nil where none is.
	Stored Object
	// NotSimulated is why the plugin claims no answer.
	NotSimulated string
	// Assumed is what the plugin took for granted.
	Assumed string
}

// canonical puts an answer into the form that is compared: what the API server has in no order is sorted.
func (a Answer) canonical() Answer {
	if a.Status != nil {
		status := withoutKind(*a.Status)
		a.Status = &status
	}
	a.Possible = slices.Clone(a.Possible)
	for i, status := range a.Possible {
		a.Possible[i] = withoutKind(status)
	}
	a.Warnings = slices.Sorted(slices.Values(a.Warnings))
	audit := map[string]string{}
	for key, value := range a.Audit {
		audit[key] = inOrder(key, value)
	}
	a.Audit = audit
	return a
}

func withoutKind(status metav1.Status) metav1.Status {
	status.TypeMeta, status.ListMeta = metav1.TypeMeta{}, metav1.ListMeta{}
	return status
}

// validationFailure is the audit annotation in which the API server lists the validations that failed.
const validationFailure = "validation.policy.admission.k8s.io/validation_failure"

// inOrder sorts the parts of an audit annotation: bindings and parameters come in no order.
func inOrder(key, value string) string {
	if key != validationFailure {
		parts := strings.Split(value, ", ")
		slices.Sort(parts)
		return strings.Join(parts, ", ")
	}
	var failures []Object
	if err := json.Unmarshal([]byte(value), &failures); err != nil {
		return value
	}
	sorted := make([]string, len(failures))
	for i, failure := range failures {
		sorted[i] = compact(failure)
	}
	slices.Sort(sorted)
	return "[" + strings.Join(sorted, ",") + "]"
}

func compact(value any) string {
	content, err := json.Marshal(value)
	if err != nil {
		return err.Error()
	}
	return string(content)
}

// verdictOf says what became of a request that passes, by what was proposed and what is stored.
func verdictOf(proposed, stored Object) Verdict {
	before, after := guarded(proposed), guarded(stored)
	if compact(before) != compact(after) {
		return Altered
	}
	return Allowed
}

// guarded are an object's annotations with the downscaler's prefix.
func guarded(object Object) map[string]string {
	kept := map[string]string{}
	for key, value := range (&unstructured.Unstructured{Object: object}).GetAnnotations() {
		if strings.HasPrefix(key, downscaler.Prefix) {
			kept[key] = value
		}
	}
	return kept
}
