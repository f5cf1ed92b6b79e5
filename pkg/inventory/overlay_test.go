package inventory

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestOverlay(t *testing.T) {
	base := readFiles(t, "apiVersion: v1\nkind: Namespace\nmetadata: {name: b}\n---\napiVersion: v1\nkind: Namespace\nmetadata: {name: c}\n")
	overlay := NewOverlay(base)
	if _, err := overlay.Namespace(t.Context(), "a"); !apierrors.IsNotFound(err) {
		t.Error(err)
	}
	for _, name := range []string{"a", "c"} {
		overlay.Store(&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"new": "yes"}}})
	}
	var got []string
	for _, namespace := range overlay.Namespaces() {
		got = append(got, namespace.Name+namespace.Labels["new"])
		if found, err := overlay.Namespace(t.Context(), namespace.Name); err != nil || found.Labels["new"] != namespace.Labels["new"] {
			t.Error(found, err)
		}
	}
	if len(got) != 3 || got[0] != "ayes" || got[1] != "b" || got[2] != "cyes" {
		t.Error(got)
	}
	if _, err := base.Namespace(t.Context(), "a"); !apierrors.IsNotFound(err) {
		t.Error("what is below changed:", err)
	}
}
