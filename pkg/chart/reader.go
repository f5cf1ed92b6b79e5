package chart

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// reader keeps what is wrong with a file, so that reading it need not stop at each field.
type reader struct {
	file string
	errs []error
}

func (r *reader) errorf(line int, field, format string, args ...any) error {
	return &inventory.InputError{Position: inventory.Position{File: r.file, Line: line}, Field: field, Err: fmt.Errorf(format, args...)}
}

func (r *reader) fail(line int, field, format string, args ...any) {
	r.errs = append(r.errs, r.errorf(line, field, format, args...))
}

// syntax puts the parser's error in the form of the others.
func (r *reader) syntax(err error) error {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	line := 0
	if rest, ok := strings.CutPrefix(text, "line "); ok {
		number, message, _ := strings.Cut(rest, ": ")
		if n, err := strconv.Atoi(number); err == nil {
			line, text = n, message
		}
	}
	return r.errorf(line, "", "this is not YAML: %s", text)
}
