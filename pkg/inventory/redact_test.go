package inventory

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"
)

const canary = "c4nary-0f-secrets"

func gzipped(t *testing.T, text string) string {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(out.Bytes())
}

// canaries is one custom resource with a secret value in every place that may hold one.
func canaries(t *testing.T) string {
	t.Helper()
	list := []any{map[string]any{"name": "A", "value": canary}}
	secret := map[string]any{"apiVersion": "v1", "kind": "Secret", "data": map[string]any{"a": canary}, "stringData": map[string]any{"b": canary}}
	applied := func(content map[string]any) string {
		text, err := json.Marshal(content)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	withEnv := applied(map[string]any{"spec": map[string]any{"containers": []any{map[string]any{"name": "c", "env": list}}}})
	withSecret := applied(map[string]any{"items": []any{secret}, "metadata": map[string]any{"annotations": map[string]any{"kubectl.kubernetes.io/last-applied-configuration": withEnv}}})
	object := map[string]any{
		"apiVersion": "example.com/v1", "kind": "Widget",
		"metadata": map[string]any{
			"name": "w", "namespace": "a",
			"labels": map[string]any{"env": "prod"},
			"annotations": map[string]any{
				"kubectl.kubernetes.io/last-applied-configuration":   withEnv + "\n",
				"kapp.k14s.io/original":                              withEnv,
				"kopf.zalando.org/last-handled-configuration":        withSecret + "\n",
				"helm.example.com/values":                            "a: 1\n---\nextraEnvVars:\n- name: A\n  value: " + canary + "\n",
				"objectset.rio.cattle.io/applied":                    gzipped(t, withEnv),
				"packed.example.com/json":                            base64.StdEncoding.EncodeToString([]byte(withSecret)),
				"list.example.com/json":                              "[ " + withEnv + " ]",
				"plain.example.com/json":                             `{"a": 1}`,
				"client.example.com/environment":                     "prod",
				"broken.example.com/not-yaml-and-not-json-just-text": "environment: [",
			},
			"managedFields": []any{map[string]any{
				"manager": "m", "operation": "Apply", "apiVersion": "example.com/v1", "fieldsType": "FieldsV1",
				"fieldsV1": map[string]any{"f:spec": map[string]any{
					"f:env":       map[string]any{fmt.Sprintf(`v:"A=%s"`, canary): map[string]any{}},
					"f:extraEnvs": map[string]any{fmt.Sprintf(`k:{"name":"A","value":%q}`, canary): map[string]any{"f:value": map[string]any{}}},
					"f:finalizer": map[string]any{`v:"kept"`: map[string]any{}},
				}},
			}},
		},
		"spec": map[string]any{
			"env":                  map[string]any{"A": canary, "on": true, "secretRef": map[string]any{"name": "kept"}, "B": map[string]any{"value": canary}},
			"extraEnv":             list,
			"extraEnvVars":         list,
			"envVars":              []any{map[string]any{"A": canary}},
			"environment":          []any{"A=" + canary, "B"},
			"extra_env_vars":       list,
			"podEnvironmentVars":   map[string]any{"A": canary},
			"template":             secret,
			"values":               "env:\n  A: " + canary + "\n",
			"manifests":            []any{applied(secret)},
			"release":              gzipped(t, canary),
			"environmentOfOffices": "kept",
		},
	}
	text, err := yaml.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestRedactEveryPlace(t *testing.T) {
	configMap := "\n---\n" + `{apiVersion: v1, kind: ConfigMap, metadata: {name: c, namespace: a}, data: {plain: kept, values.yaml: "env: {A: ` + canary + `}"}, binaryData: {r: ` + gzipped(t, canary) + `}}`
	text, gaps := takeSnapshot(t, readFiles(t, canaries(t)+configMap))
	for _, gap := range gaps {
		if !strings.Contains(gap.What, "Widget") {
			t.Error(gap)
		}
	}
	for _, secret := range []string{canary, base64.StdEncoding.EncodeToString([]byte(canary))[:16], gzipped(t, canary)} {
		if strings.Contains(text, secret) {
			t.Errorf("the snapshot tells %s:\n%s", secret, linesWith(text, secret))
		}
	}
	for _, kept := range []string{"env: prod", `{"a": 1}`, "client.example.com/environment: prod", `v:"kept"`, "name: kept", "environmentOfOffices: kept", "plain: kept", `environment: [`} {
		if !strings.Contains(text, kept) {
			t.Errorf("the snapshot has lost %s:\n%s", kept, text)
		}
	}
	again, _ := takeSnapshot(t, readFiles(t, text))
	if diff := cmp.Diff(text, again); diff != "" {
		t.Error("a snapshot of the snapshot differs:", diff)
	}
}

func linesWith(text, part string) string {
	var lines []string
	for line := range strings.Lines(text) {
		if strings.Contains(line, part) {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "")
}

// Fields that are named alike in what defines others are no secrets.
func TestRedactSparesDefinitions(t *testing.T) {
	const definition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  names: {kind: Widget, plural: widgets}
  scope: Namespaced
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {env: {type: object, description: kept}}}}}
`
	text, _ := takeSnapshot(t, readFiles(t, definition))
	if !strings.Contains(text, "description: kept") || strings.Contains(text, Redacted) {
		t.Error(text)
	}
}
