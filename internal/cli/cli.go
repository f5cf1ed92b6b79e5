// Package cli is the command line: one file a command, the flags that several of them share, and the one
// place that turns an error into an exit code. It decides nothing about policies.
package cli

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/go-logr/logr"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/internal/cli/exitcode"
)

// Run runs the command line and returns what to exit with. The first interrupt ends the run at the
// next opportunity; the second one kills the process.
func Run(streams genericiooptions.IOStreams, args []string) exitcode.Code {
	silence()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	defer context.AfterFunc(ctx, stop)()

	root := newRootCommand(streams)
	root.SetArgs(args)
	command, err := root.ExecuteContextC(ctx)
	return conclude(ctx, streams.ErrOut, command, err)
}

// silence keeps client-go from writing to standard error, where only we speak.
func silence() {
	klog.SetLogger(logr.Discard())
	rest.SetDefaultWarningHandler(rest.NoWarnings{})
}
