package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/internal/cli/exitcode"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
)

// The errors of a run that has said everything in its report.
var (
	errFound      = errors.New("something would be blocked or altered, or was found")
	errIncomplete = errors.New("something asked for was not looked at")
)

// usageError is a mistake in the command line, which --help can help with.
type usageError struct{ err error }

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

func usageErrorf(format string, args ...any) error {
	return &usageError{fmt.Errorf(format, args...)}
}

// asUsage marks an error as a mistake in the command line.
func asUsage(err error) error {
	if err == nil {
		return nil
	}
	return &usageError{err}
}

func isUsage(err error) bool {
	var ours *usageError
	var theirs *request.UsageError
	return errors.As(err, &ours) || errors.As(err, &theirs)
}

// conclude tells the user what went wrong, if anything did, and returns the exit code. No other place does.
func conclude(ctx context.Context, stderr io.Writer, command *cobra.Command, err error) exitcode.Code {
	switch {
	case err == nil:
		return exitcode.OK
	case errors.Is(err, errFound):
		return exitcode.Found
	case errors.Is(err, errIncomplete):
		return exitcode.Failed
	case ctx.Err() != nil:
		fmt.Fprintln(stderr, "interrupted: nothing is reported")
		return exitcode.Interrupted
	}
	fmt.Fprintf(stderr, "error: %s\n", oneLine(err.Error()))
	if isUsage(err) {
		fmt.Fprintf(stderr, "See '%s --help' for usage.\n", command.CommandPath())
	}
	return exitcode.Failed
}

// oneLine makes a sentence of an error's text, which may quote a file or a cluster: nothing in it can
// move a terminal's cursor or look like a further line.
func oneLine(text string) string {
	text = strings.ReplaceAll(strings.TrimSpace(text), "\n", "; ")
	var b strings.Builder
	for _, r := range text {
		if strconv.IsPrint(r) {
			b.WriteRune(r)
		} else {
			b.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
		}
	}
	return b.String()
}
