package cli_test

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/internal/cli"
)

var update = flag.Bool("update", false, "write what the scripts got into their golden files")

const plugin = "kubectl-downscaler_compliance"

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){plugin: func() {
		streams := genericiooptions.IOStreams{In: os.Stdin, Out: os.Stdout, ErrOut: os.Stderr}
		os.Exit(int(cli.Run(streams, os.Args[1:])))
	}})
}

// TestScripts runs testdata/script/*.txtar: command lines as a shell would run them, each script in a folder of
// its own with the files of testdata/shared in it. They have these commands beside testscript's own:
//
//	plugin CODE ARGUMENT…      run the plugin, and expect the exit code
//	apiserver DIR              start an API server that answers with DIR's files, and let KUBECONFIG name it
//	interrupt ARGUMENT…        run the plugin, interrupt it once it waits for the API server, and expect 130 and no report
//
// Run with -update to write what they got into their golden files.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup:               setUp,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"plugin":    runPlugin,
			"apiserver": startAPIServer,
			"interrupt": interruptPlugin,
		},
	})
}

// setUp gives a script the shared files, and no cluster.
func setUp(env *testscript.Env) error {
	env.Setenv("KUBECONFIG", filepath.Join(env.WorkDir, "no-kubeconfig"))
	env.Setenv("HOME", env.WorkDir)
	env.Setenv("ESC", "\x1b")
	env.Values[apiServerKey{}] = newAPIServer()
	return os.CopyFS(env.WorkDir, os.DirFS(filepath.Join("testdata", "shared")))
}

func runPlugin(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: plugin CODE ARGUMENT…")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	if got := exitCode(ts, ts.Exec(plugin, args[1:]...)); got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

func exitCode(ts *testscript.TestScript, err error) int {
	var exit *exec.ExitError
	if err == nil {
		return 0
	}
	if !errors.As(err, &exit) {
		ts.Fatalf("running the plugin: %v", err)
	}
	return exit.ExitCode()
}

func interruptPlugin(ts *testscript.TestScript, neg bool, args []string) {
	if neg {
		ts.Fatalf("usage: interrupt ARGUMENT…")
	}
	path, err := exec.LookPath(plugin)
	ts.Check(err)
	cmd := exec.Command(path, args...)
	cmd.Env = []string{"KUBECONFIG=" + ts.Getenv("KUBECONFIG"), "HOME=" + ts.Getenv("HOME")}
	var stdout, stderr outputBuffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	hanging := serverOf(ts).hanging
	for len(hanging) > 0 {
		<-hanging // of a plugin before
	}
	ts.Check(cmd.Start())
	select {
	case <-hanging:
	case <-time.After(time.Minute):
		ts.Fatalf("the plugin never asked for what hangs; it says: %s", stderr.String())
	}
	ts.Check(cmd.Process.Signal(os.Interrupt))
	if got := exitCode(ts, cmd.Wait()); got != 130 {
		ts.Fatalf("exit code %d, want 130; it says: %s", got, stderr.String())
	}
	if stdout.String() != "" || stderr.String() != "interrupted: nothing is reported\n" {
		ts.Fatalf("standard output %q, standard error %q", stdout.String(), stderr.String())
	}
}
