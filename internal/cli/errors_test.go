package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/internal/cli/exitcode"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
)

func TestConclude(t *testing.T) {
	interrupted, cancel := context.WithCancel(t.Context())
	cancel()
	for name, test := range map[string]struct {
		ctx    context.Context
		err    error
		code   exitcode.Code
		stderr string
	}{
		"nothing":                    {err: nil, code: exitcode.OK},
		"found":                      {err: errFound, code: exitcode.Found},
		"incomplete":                 {err: errIncomplete, code: exitcode.Failed},
		"input":                      {err: errors.New("bad"), code: exitcode.Failed, stderr: "error: bad\n"},
		"usage":                      {err: fmt.Errorf("x: %w", usageErrorf("bad")), code: exitcode.Failed, stderr: "error: x: bad\nSee 'plugin --help' for usage.\n"},
		"usage, found by a library":  {err: &request.UsageError{Message: "bad"}, code: exitcode.Failed, stderr: "error: bad\nSee 'plugin --help' for usage.\n"},
		"interrupted":                {ctx: interrupted, err: errors.New("reading: context canceled"), code: exitcode.Interrupted, stderr: "interrupted: nothing is reported\n"},
		"interrupted after a report": {ctx: interrupted, err: errFound, code: exitcode.Found},
	} {
		t.Run(name, func(t *testing.T) {
			if test.ctx == nil {
				test.ctx = t.Context()
			}
			var stderr bytes.Buffer
			code := conclude(test.ctx, &stderr, &cobra.Command{Use: "plugin"}, test.err)
			if code != test.code || stderr.String() != test.stderr {
				t.Errorf("code %d and %q, want %d and %q", code, stderr.String(), test.code, test.stderr)
			}
		})
	}
}

func TestOneLine(t *testing.T) {
	got := oneLine("a\nb\x1b[2J\u202ec\n")
	if got != `a; b\x1b[2J\u202ec` {
		t.Error(got)
	}
	if strings.ContainsFunc(got, func(r rune) bool { return r < ' ' }) {
		t.Error("a control character is left")
	}
}
