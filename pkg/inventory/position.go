package inventory

import (
	"fmt"
	"strings"
)

// Position says where in the input an object was found.
type Position struct {
	File     string // the path; "-" is standard input
	Document int    // counted from 1, leaving out documents that hold nothing
	Item     int    // counted from 1 in a List; 0 outside one
	Line     int    // the line that the object begins in, counted from 1; 0 if it isn't known
}

// String returns the position in words, such as "apps.yaml, document 3, line 12".
func (p Position) String() string {
	parts := []string{p.file()}
	if p.Document > 0 {
		parts = append(parts, fmt.Sprintf("document %d", p.Document))
	}
	if p.Item > 0 {
		parts = append(parts, fmt.Sprintf("item %d", p.Item))
	}
	if p.Line > 0 {
		parts = append(parts, fmt.Sprintf("line %d", p.Line))
	}
	return strings.Join(parts, ", ")
}

func (p Position) file() string {
	if p.File == standardInput {
		return "standard input"
	}
	return p.File
}

// InputError says what is wrong with a file that was given as input, and where.
type InputError struct {
	Position Position
	Field    string // the path of the field, such as "spec.replicas"; may be empty
	Err      error
}

func (e *InputError) Error() string {
	if e.Field == "" {
		return e.Position.String() + ": " + e.Err.Error()
	}
	return e.Position.String() + ": " + e.Field + ": " + e.Err.Error()
}

// Unwrap returns what is wrong, without the place.
func (e *InputError) Unwrap() error { return e.Err }

func inputErrorf(p Position, format string, args ...any) error {
	return &InputError{Position: p, Err: fmt.Errorf(format, args...)}
}
