package cases

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const sound = `
describes: a statement
source: a page
objects:
- {apiVersion: v1, kind: ConfigMap, metadata: {name: config}}
requests:
- about: a request
  annotate: configmaps/config
  set: {a: b}
  expect: {verdict: denied, code: 403, reason: Forbidden, message: no}
`

// TestLoadRefuses has cases that would test less than they seem to.
func TestLoadRefuses(t *testing.T) {
	for about, test := range map[string]struct{ from, to, says string }{
		"nothing wrong":             {"", "", ""},
		"an unknown field":          {"expect: {", "expect: {verdit: allowed, ", `unknown field "verdit"`},
		"a field twice":             {"source: a page", "source: a page\nsource: another", "already set"},
		"no statement":              {"describes: a statement", "", "describes and source"},
		"no source":                 {"source: a page", "", "describes and source"},
		"no requests":               {"requests:", "policies:", "a case needs requests"},
		"nothing said of a request": {"about: a request", "user: dev", "about is missing"},
		"two ways":                  {"set: {a: b}", "delete: configmaps/config", "give one of send, annotate and delete"},
		"an unknown verdict":        {"verdict: denied", "verdict: forbidden", `no verdict "forbidden"`},
		"a denial without a code":   {"code: 403, ", "", "code and reason"},
		"a denial without words":    {", message: no", "", "message, oneOf or contains"},
		"a denial that stores":      {", message: no", ", message: no, stored: {spec: {}}", "nothing is stored"},
		"a refusal without words":   {"requests:", "refused: [{about: it, object: {kind: ConfigMap}}]\nrequests:", "about, object and says"},
	} {
		t.Run(about, func(t *testing.T) {
			if !strings.Contains(sound, test.from) {
				t.Fatalf("there is no %q", test.from)
			}
			_, err := Load(folder(t, map[string]string{"one.yaml": strings.Replace(sound, test.from, test.to, 1)}))
			if (err == nil) != (test.says == "") || err != nil && !strings.Contains(err.Error(), test.says) {
				t.Errorf("%v, want %q", err, test.says)
			}
		})
	}
}

func TestLoadRefusesAnEmptyFolder(t *testing.T) {
	if _, err := Load(t.TempDir()); err == nil || !strings.Contains(err.Error(), "there is no case in this folder") {
		t.Errorf("%v", err)
	}
}

func TestLoadRefusesNamesThatAreTaken(t *testing.T) {
	elsewhere := strings.Replace(sound, "name: config}", "name: config, namespace: one}", 1)
	_, err := Load(folder(t, map[string]string{"one.yaml": sound, "two.yaml": elsewhere}))
	if err == nil || !strings.Contains(err.Error(), "ConfigMap one/config is in the cases one and two") {
		t.Errorf("%v", err)
	}
}

func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	path := t.TempDir()
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(path, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return path
}
