package inventory

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What this program wrote into a folder is left out of it, and nothing else is; a report that is named is an error.
func TestReportsInFolders(t *testing.T) {
	const web = "apiVersion: v1\nkind: Namespace\nmetadata: {name: team-a}\n"
	const head = "apiVersion: compliance.downscaler.dev/v1alpha1\nkind: "
	folder := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write("a.yaml", web)
	named := write("known.yaml", head+"AuditBaseline\nfindings: []\n")
	for _, kind := range reportKinds {
		write(kind+".yaml", head+kind+"\nitems: []\nresults: []\n---\n"+strings.ReplaceAll(web, "team-a", "of-"+strings.ToLower(kind)))
	}
	inventory, err := FromFiles(t.Context(), FileSource{Path: folder})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append([]string{"a"}, reportKinds...) {
		want := "team-a"
		if name != "a" {
			want = "of-" + strings.ToLower(name)
		}
		if _, err := inventory.Namespace(t.Context(), want); err != nil {
			t.Errorf("%s: %v", want, err)
		}
	}
	if _, err := FromFiles(t.Context(), FileSource{Path: named}); err == nil || !strings.HasSuffix(err.Error(), "has no kind AuditBaseline") {
		t.Errorf("a baseline that is named: %v", err)
	}
	write("z.yaml", head+"Other\n")
	if _, err := FromFiles(t.Context(), FileSource{Path: folder}); err == nil || !strings.HasSuffix(err.Error(), "has no kind Other") {
		t.Errorf("another kind: %v", err)
	}
}
