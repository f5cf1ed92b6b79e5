package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// fromFile makes a template format out of another one: what follows "=" names the file with the template.
func fromFile[R any](template func(string) (Printer[R], error)) func(string) (Printer[R], error) {
	return func(path string) (Printer[R], error) {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, fmt.Errorf("reading the template: %w", err)
		}
		return template(string(text))
	}
}

// generic is a report as templates see it: maps and lists with the names of its JSON.
func generic[R any](report R) (*unstructured.Unstructured, error) {
	data, err := json.Marshal(report)
	if err != nil {
		return nil, fmt.Errorf("converting the report: %w", err)
	}
	content := map[string]any{}
	if err := utiljson.Unmarshal(data, &content); err != nil {
		return nil, fmt.Errorf("converting the report: %w", err)
	}
	return &unstructured.Unstructured{Object: content}, nil
}

// templated is what a template made: as it is for scripts, escaped for a terminal.
func templated(b *bytes.Buffer, options Options) []byte {
	if options.Terminal {
		return []byte(escapeLines(b.String()))
	}
	return b.Bytes()
}
