package cases

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/test/reply"
)

func denial() Answer {
	return Answer{Verdict: Denied, Reply: reply.Reply{
		Status:   &metav1.Status{Code: 403, Reason: metav1.StatusReasonForbidden, Message: "no"},
		Warnings: []string{"careful"},
		Audit:    map[string]string{"p/k": "a, b"},
	}}
}

func passage() Answer {
	return Answer{Verdict: Altered, Stored: Object{
		"metadata": Object{"annotations": Object{"downscaler/exclude": "true"}},
		"spec":     Object{"tags": []any{"a", "b"}, "size": 1.0},
	}}
}

// TestEveryDifferenceCounts changes one part of an answer at a time.
func TestEveryDifferenceCounts(t *testing.T) {
	refused := Expectation{Verdict: Denied, Code: 403, Reason: "Forbidden", Message: "no", Warnings: []string{"careful"}, Audit: map[string]string{"p/k": "b, a"}}
	stored := Expectation{Verdict: Altered, Stored: Object{
		"metadata": Object{"annotations": Object{"downscaler/exclude": "true", "downscaler/uptime": nil}},
		"spec":     Object{"tags": []any{"a", "b"}, "size": int64(1)},
	}}
	for about, test := range map[string]struct {
		answer Answer
		expect Expectation
		change func(*Answer)
	}{
		"verdict":         {denial(), refused, func(a *Answer) { a.Verdict = Allowed }},
		"no status":       {denial(), refused, func(a *Answer) { a.Verdict, a.Status = Allowed, nil }},
		"code":            {denial(), refused, func(a *Answer) { a.Status.Code = 422 }},
		"reason":          {denial(), refused, func(a *Answer) { a.Status.Reason = metav1.StatusReasonInvalid }},
		"message":         {denial(), refused, func(a *Answer) { a.Status.Message = "not now" }},
		"missing warning": {denial(), refused, func(a *Answer) { a.Warnings = nil }},
		"another warning": {denial(), refused, func(a *Answer) { a.Warnings = append(a.Warnings, "more") }},
		"audit":           {denial(), refused, func(a *Answer) { a.Audit = map[string]string{"p/k": "a"} }},
		"annotation":      {passage(), stored, func(a *Answer) { annotationsOf(a)["downscaler/exclude"] = "false" }},
		"added":           {passage(), stored, func(a *Answer) { annotationsOf(a)["downscaler/uptime"] = "always" }},
		"list":            {passage(), stored, func(a *Answer) { a.Stored["spec"].(Object)["tags"] = []any{"b", "a"} }},
		"longer list":     {passage(), stored, func(a *Answer) { a.Stored["spec"].(Object)["tags"] = []any{"a", "b", "c"} }},
		"field":           {passage(), stored, func(a *Answer) { a.Stored["spec"].(Object)["size"] = 2.0 }},
		"missing field":   {passage(), stored, func(a *Answer) { delete(a.Stored, "spec") }},
	} {
		t.Run(about, func(t *testing.T) {
			server := test.answer
			if found := test.expect.unmet(server); len(found) > 0 {
				t.Fatalf("before the change: %v", found)
			}
			if found := differences(server, copyOf(server)); len(found) > 0 {
				t.Fatalf("from itself: %v", found)
			}
			changed := copyOf(server)
			test.change(&changed)
			if len(test.expect.unmet(changed)) == 0 {
				t.Error("the expectation is met all the same")
			}
			if len(differences(changed, server)) == 0 {
				t.Error("it differs in nothing")
			}
		})
	}
}

func TestOneOfSeveralDenials(t *testing.T) {
	server, plugin := denial(), denial()
	other := metav1.Status{Code: 422, Reason: metav1.StatusReasonInvalid, Message: "never"}
	plugin.Status, plugin.Possible = &other, []metav1.Status{other, *server.Status}
	if found := differences(server, plugin); len(found) > 0 {
		t.Errorf("the plugin knows it: %v", found)
	}
	plugin.Possible = []metav1.Status{other}
	if len(differences(server, plugin)) == 0 {
		t.Error("the plugin does not know it")
	}
}

func annotationsOf(a *Answer) Object { return a.Stored["metadata"].(Object)["annotations"].(Object) }

func copyOf(a Answer) Answer {
	if a.Status != nil {
		a.Status = a.Status.DeepCopy()
	}
	a.Warnings = append([]string(nil), a.Warnings...)
	a.Stored, _ = withoutNulls(a.Stored).(Object)
	return a
}
