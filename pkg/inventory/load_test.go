package inventory

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func source(text string) FileSource {
	return FileSource{Path: "apps.yaml", Reader: strings.NewReader(text)}
}

// found describes documents as "position: kind name".
func found(documents []Document) []string {
	var all []string
	for _, d := range documents {
		all = append(all, d.String()+": "+d.Object.GetKind()+" "+d.Object.GetName())
	}
	return all
}

func TestLoadForms(t *testing.T) {
	const cm = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"
	for name, test := range map[string]struct {
		text string
		want []string
	}{
		"one": {cm, []string{"apps.yaml, document 1, line 1: ConfigMap a"}},
		"empty documents and comments": {
			"# a\n---\n---\n# b\n\n---\n" + cm + "...\n%YAML 1.1\n---\n" + cm + "---\n",
			[]string{"apps.yaml, document 1, line 7: ConfigMap a", "apps.yaml, document 2, line 13: ConfigMap a"},
		},
		"content on the separator's line": {
			"--- {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\n--- # c\n" + cm,
			[]string{"apps.yaml, document 1, line 1: ConfigMap a", "apps.yaml, document 2, line 2: ConfigMap a"},
		},
		"last line is a separator without newline": {cm + "--- {apiVersion: v1, kind: Pod, metadata: {name: p}}", []string{
			"apps.yaml, document 1, line 1: ConfigMap a", "apps.yaml, document 2, line 4: Pod p",
		}},
		"byte order mark and carriage returns": {
			"\xef\xbb\xbf" + strings.ReplaceAll(cm+"---\n"+cm, "\n", "\r\n"),
			[]string{"apps.yaml, document 1, line 1: ConfigMap a", "apps.yaml, document 2, line 5: ConfigMap a"},
		},
		"JSON values": {
			`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"}}` + "\n\n" + `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"b"}}`,
			[]string{"apps.yaml, document 1, line 1: Pod a", "apps.yaml, document 1, line 3: Pod b"},
		},
		"JSON list": {
			"{\"apiVersion\":\"v1\",\n\"items\": [\n{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"a\"}},\n{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"b\"}}],\n\"kind\":\"List\"}",
			[]string{"apps.yaml, document 1, item 1, line 3: Pod a", "apps.yaml, document 1, item 2, line 4: Pod b"},
		},
		"typed JSON list": {
			`{"kind":"PodList","apiVersion":"v1","items":[{"metadata":{"name":"a"}}]}`,
			[]string{"apps.yaml, document 1, item 1, line 1: Pod a"},
		},
		"YAML list as kubectl writes it": {
			"apiVersion: v1\nitems:\n- apiVersion: v1\n  kind: Pod\n  metadata:\n    name: a\n# c\n- apiVersion: v1\n  kind: Pod\n  metadata: {name: b}\nkind: List\nmetadata:\n  resourceVersion: \"\"\n",
			[]string{"apps.yaml, document 1, item 1, line 3: Pod a", "apps.yaml, document 1, item 2, line 8: Pod b"},
		},
		"indented YAML list": {
			"apiVersion: v1\nkind: PodList\nitems:\n\n  - metadata:\n      name: a\n    spec:\n      containers:\n      - name: c\n  - metadata: {name: b}\n",
			[]string{"apps.yaml, document 1, item 1, line 5: Pod a", "apps.yaml, document 1, item 2, line 10: Pod b"},
		},
		"YAML list with an anchor": {
			"apiVersion: v1\nkind: List\nitems:\n- &a {apiVersion: v1, kind: Pod, metadata: {name: a}}\n- {<<: *a, kind: Service}\n",
			[]string{"apps.yaml, document 1, item 1, line 1: Pod a", "apps.yaml, document 1, item 2, line 1: Service a"},
		},
		"list in braces": {
			"{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: Pod, metadata: {name: a}}]}",
			[]string{"apps.yaml, document 1, item 1, line 1: Pod a"},
		},
		"empty list beside an object": {"apiVersion: v1\nkind: List\nitems: []\n---\n" + cm, []string{"apps.yaml, document 2, line 5: ConfigMap a"}},
		"items below the top":         {cm + "data:\n  items: x\n", []string{"apps.yaml, document 1, line 1: ConfigMap a"}},
	} {
		t.Run(name, func(t *testing.T) {
			documents, err := Load(t.Context(), source(test.text))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, found(documents)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestLoadErrors(t *testing.T) {
	const good = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n---\n"
	for name, test := range map[string]struct{ text, want string }{
		"empty":              {"", "apps.yaml: no objects found: every file is empty or holds only comments"},
		"comments":           {"# nothing\n---\n", "apps.yaml: no objects found: every file is empty or holds only comments"},
		"no kind":            {good + "metadata: {name: b}\n", "apps.yaml, document 2, line 5: no kind; every document needs apiVersion and kind"},
		"no apiVersion":      {good + "kind: Pod\n", "apps.yaml, document 2, line 5: no apiVersion; every document needs apiVersion and kind"},
		"kind is a number":   {"apiVersion: v1\nkind: 3\n", "apps.yaml, document 1, line 1: apiVersion and kind have to be strings: json: cannot unmarshal number into Go struct field TypeMeta.kind of type string"},
		"not an object":      {good + "hello\n", `apps.yaml, document 2, line 5: an object with apiVersion and kind is expected, not "\"hello\""`},
		"an array":           {"- a\n- b\n", `apps.yaml, document 1, line 1: an object with apiVersion and kind is expected, not "[\"a\",\"b\"]"`},
		"not YAML":           {good + "a: b: c\n", "apps.yaml, document 2, line 5: this is not valid YAML: mapping values are not allowed in this context"},
		"tabs":               {"a:\n\tb: c\n", "apps.yaml, document 1, line 2: this is not valid YAML: found character that cannot start any token"},
		"binary":             {"\x00\x01\x02", "apps.yaml, line 1: this is not text; a YAML or JSON manifest is expected"},
		"not UTF-8":          {"a: \xff\xfe\n", "apps.yaml, document 1, line 1: this is not UTF-8 text; a YAML or JSON manifest is expected"},
		"JSON cut short":     {`{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"v1",`, "apps.yaml, document 1, line 1: this is not valid JSON: the file is cut short: it ends in the middle of an object"},
		"JSON value":         {"{\n\"a\": nope\n}", "apps.yaml, document 1, line 1: no kind; every document needs apiVersion and kind"},
		"JSON mistake":       {"{\n\"a\": 1,\n,}", "apps.yaml, document 1, line 3: this is not valid JSON: invalid character ',' looking for beginning of object key string"},
		"YAML cut in string": {"apiVersion: v1\nkind: Pod\nmetadata: {name: \"ab", "apps.yaml, document 1, line 3: the file is cut short: it ends in the middle of an object"},
		"YAML cut in list":   {"apiVersion: v1\nitems:\n- apiVersion: v1\n  kind: Po", ""},
		"metadata type":      {good + "apiVersion: example.com/v1\nkind: X\nmetadata:\n  name: b\n  labels:\n    a: 1\n", "apps.yaml, document 2, line 10: metadata.labels.a: cannot unmarshal number into string"},
		"list in a list":     {"apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: List\n  items: []\n", "apps.yaml, document 1, item 1, line 4: a List within a List; give its items a place of their own"},
	} {
		t.Run(name, func(t *testing.T) {
			documents, err := Load(t.Context(), source(test.text))
			switch {
			case test.want == "" && err == nil:
			case err == nil:
				t.Errorf("no error, but %v", found(documents))
			default:
				if diff := cmp.Diff(test.want, err.Error()); diff != "" {
					t.Error(diff)
				}
			}
		})
	}
}

func TestLoadFolder(t *testing.T) {
	folder := t.TempDir()
	for name, kind := range map[string]string{"b.yaml": "B", "a/c.yml": "C", "a/d.json": "D", "z.txt": "no: [good"} {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("{apiVersion: v1, kind: "+kind+", metadata: {name: x}}"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for shallow, want := range map[bool]string{false: "C D B", true: "B"} {
		documents, err := Load(t.Context(), FileSource{Path: folder, Shallow: shallow})
		if err != nil {
			t.Fatal(err)
		}
		var kinds []string
		for _, d := range documents {
			kinds = append(kinds, d.Object.GetKind())
		}
		if got := strings.Join(kinds, " "); got != want {
			t.Errorf("shallow %v: got %s, want %s", shallow, got, want)
		}
	}
}

func TestLoadNoSuchFile(t *testing.T) {
	_, err := Load(t.Context(), FileSource{Path: "testdata/none.yaml"})
	if err == nil || err.Error() != "testdata/none.yaml: no such file or directory" || !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	empty := t.TempDir()
	if _, err := Load(t.Context(), FileSource{Path: empty}); err == nil || err.Error() != empty+": no *.yaml, *.yml or *.json file in this folder" {
		t.Error(err)
	}
}

// A read from standard input that never ends must not outlast the context.
func TestLoadStops(t *testing.T) {
	reader, writer := io.Pipe()
	defer writer.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := Load(ctx, FileSource{Path: "-", Reader: reader}); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}
