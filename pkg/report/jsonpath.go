package report

import (
	"bytes"
	"fmt"

	"k8s.io/cli-runtime/pkg/printers"
)

// jsonPath is kubectl's jsonpath: keys that are missing print nothing.
func jsonPath[R any](text string) (Printer[R], error) {
	return newJSONPath[R](text, false)
}

// jsonPathAsJSON prints what a jsonpath finds as a JSON list.
func jsonPathAsJSON[R any](text string) (Printer[R], error) {
	return newJSONPath[R](text, true)
}

func newJSONPath[R any](text string, asJSON bool) (Printer[R], error) {
	path, err := printers.NewJSONPathPrinter(text)
	if err != nil {
		return nil, fmt.Errorf("parsing jsonpath %q: %w", text, err)
	}
	path.AllowMissingKeys(true)
	path.EnableJSONOutput(asJSON)
	return func(report R, options Options) ([]byte, error) {
		object, err := generic(report)
		if err != nil {
			return nil, err
		}
		// Not PrintObj: its errors have the whole report in them.
		var b bytes.Buffer
		if err := path.Execute(&b, object.UnstructuredContent()); err != nil {
			return nil, fmt.Errorf("executing jsonpath %q: %w", text, err)
		}
		return templated(&b, options), nil
	}, nil
}
