package inventory

import (
	"bytes"
	"errors"
	"testing"
)

// FuzzLoad looks for input that makes the loader panic or lose its way.
func FuzzLoad(f *testing.F) {
	for _, seed := range []string{
		smallCluster, customCluster, secretCluster,
		"apiVersion: v1\nitems:\n- {apiVersion: v1, kind: Pod}\n# c\nkind: List\n",
		`{"kind":"PodList","apiVersion":"v1","items":[{"metadata":{"name":"a"}}]}` + "\n---\n{a: b}",
		"--- |\n  a\n...\n%YAML 1.1\n", "a: &a [*a]", "? {}\n: {}", "\xef\xbb\xbf{", "items:\n- \n  - -", "1: 2\n~: x\n",
		"apiVersion: compliance.downscaler.dev/v1alpha1\nkind: Snapshot\n---\napiVersion: compliance.downscaler.dev/v1alpha1\nkind: SnapshotIndex\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		documents, err := Load(t.Context(), FileSource{Path: "-", Reader: bytes.NewReader(text)})
		if err == nil && len(documents) == 0 {
			t.Error("neither documents nor an error")
		}
		inventory, err := FromFiles(t.Context(), FileSource{Path: "-", Reader: bytes.NewReader(text)})
		if err != nil {
			return
		}
		for _, err := range inventory.Objects(t.Context(), Query{Kinds: inventory.Kinds().All()}) {
			if err == nil {
				continue
			}
			if !errors.As(err, new(*ListError)) {
				t.Error("not a ListError:", err)
			}
		}
	})
}
