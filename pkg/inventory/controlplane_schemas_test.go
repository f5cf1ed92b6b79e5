package inventory

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"maps"
	"os"
	"testing"
)

// TestRecordSchemas compares builtin_schemas.json.gz with a running API server of the same version, and writes it anew with
//
//	KUBEBUILDER_ASSETS=$PWD/.bin/controlplane go test ./pkg/inventory -run TestRecordSchemas -record-builtin
func TestRecordSchemas(t *testing.T) {
	inventory, err := Live(t.Context(), startControlPlane(t), LiveOptions{})
	if err != nil {
		t.Fatal(err)
	}
	found := schemas{}
	for _, kind := range inventory.Kinds().All() {
		published, err := inventory.(*live).schemasOf(t.Context(), kind.Kind)
		if err != nil {
			t.Fatal(err)
		}
		maps.Copy(found, published)
	}
	text, err := json.Marshal(found)
	if err != nil {
		t.Fatal(err)
	}
	if text, err = withoutDescriptions(text); err != nil {
		t.Fatal(err)
	}
	if *recordBuiltin {
		if err := os.WriteFile("builtin_schemas.json.gz", compressed(t, text), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	recorded, err := json.Marshal(builtinSchemas())
	if err != nil {
		t.Fatal(err)
	}
	if recorded, err = withoutDescriptions(recorded); err != nil {
		t.Fatal(err)
	}
	if inventory.Server().Version == builtin().Server.Version && string(recorded) != string(text) {
		t.Errorf("builtin_schemas.json.gz is not what this API server publishes; record it anew: %d characters, now %d", len(recorded), len(text))
	}
}

// withoutDescriptions leaves the descriptions out, but not a property of that name, and brings the rest into one order.
func withoutDescriptions(text []byte) ([]byte, error) {
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		return nil, err
	}
	undescribe(value)
	return json.Marshal(value)
}

func undescribe(value any) {
	switch value := value.(type) {
	case map[string]any:
		if _, isText := value["description"].(string); isText {
			delete(value, "description")
		}
		for _, inner := range value {
			undescribe(inner)
		}
	case []any:
		for _, inner := range value {
			undescribe(inner)
		}
	}
}

func compressed(t *testing.T, text []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	writer, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := writer.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
