package inventory

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestMayBe(t *testing.T) {
	const original = `{"a":1,"env":[{"name":"A","value":"x"}]}`
	redacted := redactText(original)
	for _, test := range []struct {
		value, redacted any
		want            bool
	}{
		{"x", "x", true},
		{"x", "y", false},
		{"x", Redacted, true},
		{int64(7), Redacted, true},
		{nil, Redacted, false},
		{map[string]any{}, Redacted, false},
		{"eA==", redactedBytes, true},
		{"A=x", "A=" + Redacted, true},
		{"B=x", "A=" + Redacted, false},
		{original, redacted, true},
		{`{"a":1,"env":[{"name":"A","value":7}]}`, redacted, true},
		{`{"a":2,"env":[{"name":"A","value":"x"}]}`, redacted, false},
		{`{"a":1,"env":[{"name":"A","value":"x"},{"name":"A","value":"y"}]}`, redacted, false},
		{`{"a": 1, "env": [{"name": "A", "value": "x"}]}`, redacted, false},
		{[]any{"x", int64(1)}, []any{Redacted, int64(1)}, true},
		{[]any{"x", int64(2)}, []any{Redacted, int64(1)}, false},
		{[]any{"x"}, []any{Redacted, int64(1)}, false},
		{map[string]any{"a": "x"}, map[string]any{"a": Redacted}, true},
		{map[string]any{"b": "x"}, map[string]any{"a": Redacted}, false},
		{"x", []any{Redacted}, false},
	} {
		if got := MayBe(test.value, test.redacted); got != test.want {
			t.Errorf("MayBe(%v, %v) is %v", test.value, test.redacted, got)
		}
	}
}

func TestRedactedPaths(t *testing.T) {
	content := map[string]any{
		"metadata": map[string]any{"annotations": map[string]any{"example.com/a\"b": `{"x":"` + Redacted + `"}`, "kept": "x"}},
		"data":     map[string]any{"user.name": redactedBytes, "9": Redacted},
		"spec":     []any{"x", Redacted},
	}
	want := []string{`data["9"]`, `data["user.name"]`, `metadata.annotations["example.com/a\"b"]`, "spec[1]"}
	if diff := cmp.Diff(want, RedactedPaths(content)); diff != "" {
		t.Error(diff)
	}
}

func TestFieldPath(t *testing.T) {
	if got := FieldPath("spec", "containers", 0, "env", "a.b"); got != `spec.containers[0].env["a.b"]` {
		t.Error(got)
	}
}
