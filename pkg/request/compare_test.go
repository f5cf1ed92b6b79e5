package request

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
)

func compareReview(t *testing.T, r Request, want review, name string) {
	t.Helper()
	options, err := runtime.DefaultUnstructuredConverter.ToUnstructured(r.Options)
	if err != nil {
		t.Fatal(err)
	}
	got := review{Operation: r.Operation, Namespace: r.Namespace, Name: name, Subresource: r.Subresource, Kind: metav1.GroupVersionKind(r.ObjectKind), Options: options}
	want.Object, want.OldObject = nil, nil
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("request (-API server +here):\n%s", diff)
	}
}

func compareStatus(t *testing.T, want, got *metav1.Status) {
	t.Helper()
	if want != nil && want.Details != nil && want.Details.RetryAfterSeconds == 0 && want.Details.Name == "" && len(want.Details.Causes) == 0 {
		want.Details = nil
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("status (-API server +here):\n%s", diff)
	}
}

// compareObject compares objects but for what is marked as unknown and, outside of metadata, what the API server defaulted.
func compareObject(t *testing.T, stage string, want map[string]any, got runtime.Object, unknown []string, undefaulted bool) {
	t.Helper()
	if got == nil || want == nil {
		if got != nil || want != nil {
			t.Errorf("%s: object is %v; want %v", stage, got, want)
		}
		return
	}
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(got.DeepCopyObject())
	if err != nil {
		t.Fatal(err)
	}
	want, content = canonical(t, want), canonical(t, content)
	for _, object := range []map[string]any{want, content} {
		for _, path := range append([]string{"metadata.managedFields"}, unknown...) {
			head, rest, indexed := strings.Cut(path, "[")
			keys := strings.Split(head, ".")
			if indexed {
				keys = append(keys, strings.Trim(rest, `"]`))
			}
			unstructured.RemoveNestedField(object, keys...)
		}
	}
	if undefaulted {
		for key := range want {
			if key != "metadata" {
				want[key] = onlyCommon(want[key], content[key])
				if want[key] == nil {
					delete(want, key)
				}
			}
		}
	}
	if diff := cmp.Diff(dropEmpty(want), dropEmpty(content)); diff != "" {
		t.Errorf("%s (-API server +here):\n%s", stage, diff)
	}
}

func canonical(t *testing.T, object map[string]any) map[string]any {
	t.Helper()
	body, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	var again map[string]any
	if err := json.Unmarshal(body, &again); err != nil {
		t.Fatal(err)
	}
	return again
}

// onlyCommon takes out of a defaulted value what is not in the undefaulted one.
func onlyCommon(want, got any) any {
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok {
			return nil
		}
		common := map[string]any{}
		for key, value := range w {
			if _, found := g[key]; found {
				common[key] = onlyCommon(value, g[key])
			}
		}
		return common
	case []any:
		g, ok := got.([]any)
		if !ok || len(g) != len(w) {
			return want
		}
		common := make([]any, len(w))
		for i := range w {
			common[i] = onlyCommon(w[i], g[i])
		}
		return common
	}
	return want
}

// dropEmpty takes out empty maps and nulls, which typed objects write and kubectl get does not.
func dropEmpty(value any) any {
	m, ok := value.(map[string]any)
	if !ok {
		return value
	}
	clean := map[string]any{}
	for key, item := range m {
		item = dropEmpty(item)
		if inner, isMap := item.(map[string]any); item == nil || isMap && len(inner) == 0 {
			continue
		}
		clean[key] = item
	}
	return clean
}
