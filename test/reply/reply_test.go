package reply

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func denial(messages ...string) *metav1.Status {
	status := &metav1.Status{Code: 422, Message: "no", Details: &metav1.StatusDetails{}}
	for _, message := range messages {
		status.Details.Causes = append(status.Details.Causes, metav1.StatusCause{Message: message})
	}
	return status
}

const failures = `[{"policy":"a","message":"x"},{"policy":"b","message":"y"}]`

// TestReplies has what the API server says in no order, or says otherwise where that makes no difference, and what does make one.
func TestReplies(t *testing.T) {
	withKind := denial("one")
	withKind.Kind, withKind.Continue = "Status", "later"
	for name, c := range map[string]struct {
		server, plugin Reply
		same           bool
	}{
		"nothing":                  {Reply{}, Reply{Warnings: []string{}, Audit: map[string]string{}}, true},
		"a status":                 {Reply{Status: denial("one")}, Reply{Status: withKind}, true},
		"another status":           {Reply{Status: denial("one")}, Reply{Status: denial("two")}, false},
		"no status":                {Reply{Status: denial("one")}, Reply{}, false},
		"a possible status":        {Reply{Status: denial("b", "c", "a")}, Reply{Status: denial("d"), Possible: []metav1.Status{*denial("d"), *denial("c", "a", "b")}}, true},
		"an impossible status":     {Reply{Status: denial("one")}, Reply{Status: denial("two"), Possible: []metav1.Status{*denial("two")}}, false},
		"possible, and it passes":  {Reply{Status: denial("one")}, Reply{Possible: []metav1.Status{*denial("one")}}, false},
		"warnings":                 {Reply{Warnings: []string{"a", "b"}}, Reply{Warnings: []string{"b", "a"}}, true},
		"a warning less":           {Reply{Warnings: []string{"a", "b"}}, Reply{Warnings: []string{"b"}}, false},
		"a warning twice":          {Reply{Warnings: []string{"a", "a"}}, Reply{Warnings: []string{"a"}}, false},
		"bindings":                 {Reply{Audit: map[string]string{"p/k": "a, b"}}, Reply{Audit: map[string]string{"p/k": "b, a"}}, true},
		"a binding less":           {Reply{Audit: map[string]string{"p/k": "a, b"}}, Reply{Audit: map[string]string{"p/k": "b"}}, false},
		"failures":                 {Reply{Audit: map[string]string{validationFailure: failures}}, Reply{Audit: map[string]string{validationFailure: `[{"message":"y","policy":"b"},{"policy":"a","message":"x"}]`}}, true},
		"other failures":           {Reply{Audit: map[string]string{validationFailure: failures}}, Reply{Audit: map[string]string{validationFailure: `[{"policy":"a","message":"x"}]`}}, false},
		"failures, cut short":      {Reply{Audit: map[string]string{validationFailure: failures}}, Reply{Audit: map[string]string{validationFailure: failures[1:]}}, false},
		"audited under other keys": {Reply{Audit: map[string]string{"p/k": "a"}}, Reply{Audit: map[string]string{"p/l": "a"}}, false},
	} {
		var found Differences
		found.Replies(c.server, c.plugin)
		if (len(found) == 0) != c.same {
			t.Errorf("%s: %q", name, found)
		}
	}
}
