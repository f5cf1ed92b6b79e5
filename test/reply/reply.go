// Package reply is what an API server says of a request, and whether the plugin says the same.
package reply

import (
	"encoding/json"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Reply is what one side says of a request.
type Reply struct {
	// Status denies the request; nil where it passes.
	Status *metav1.Status
	// Possible are the statuses any one of which is right. Only the plugin knows them.
	Possible []metav1.Status
	Warnings []string
	// Audit are the annotations that admission added to the audit event.
	Audit map[string]string
}

// Canonical is the form that is compared: what the API server has in no order is sorted, and statuses have no kind and no retry hints.
func (r Reply) Canonical() Reply {
	if r.Status != nil {
		status := withoutKind(*r.Status)
		r.Status = &status
	}
	r.Possible = slices.Clone(r.Possible)
	for i, status := range r.Possible {
		r.Possible[i] = withoutKind(status)
	}
	r.Warnings = slices.Sorted(slices.Values(r.Warnings))
	audit := map[string]string{}
	for key, value := range r.Audit {
		audit[key] = inOrder(key, value)
	}
	r.Audit = audit
	return r
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
	var failures []map[string]any
	if err := json.Unmarshal([]byte(value), &failures); err != nil {
		return value
	}
	sorted := make([]string, len(failures))
	for i, failure := range failures {
		sorted[i] = JSON(failure)
	}
	slices.Sort(sorted)
	return "[" + strings.Join(sorted, ",") + "]"
}

// JSON writes a value in one line, maps by key.
func JSON(value any) string {
	content, err := json.Marshal(value)
	if err != nil {
		return err.Error()
	}
	return string(content)
}
