package report

import (
	"bytes"
	"fmt"

	"k8s.io/cli-runtime/pkg/printers"
)

// goTemplate is kubectl's go-template, with its functions and "<no value>" for keys that are missing.
func goTemplate[R any](text string) (Printer[R], error) {
	template, err := printers.NewGoTemplatePrinter([]byte(text))
	if err != nil {
		return nil, fmt.Errorf("parsing the template: %w", err)
	}
	template.AllowMissingKeys(true)
	return func(report R, options Options) ([]byte, error) {
		object, err := generic(report)
		if err != nil {
			return nil, err
		}
		// What it writes on an error is for debugging and holds the whole report.
		var b bytes.Buffer
		if err := template.PrintObj(object, &b); err != nil {
			return nil, err
		}
		return templated(&b, options), nil
	}, nil
}
