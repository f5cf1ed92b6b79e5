// Package e2e tries the plugin against a real API server, through the real kubectl.
package e2e

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/test/cluster"
)

// The API server, and the folder of the built plugin, that all tests of this package share.
var (
	server    *cluster.Cluster
	pluginDir string
)

func TestMain(m *testing.M) {
	code, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func run(m *testing.M) (code int, err error) {
	pluginDir, err = os.MkdirTemp("", "plugin-")
	if err != nil {
		return 1, err
	}
	defer os.RemoveAll(pluginDir)
	build := exec.Command("go", "build", "-o", filepath.Join(pluginDir, "kubectl-downscaler_compliance"), "../../cmd/kubectl-downscaler_compliance")
	if out, err := build.CombinedOutput(); err != nil {
		return 1, fmt.Errorf("building the plugin: %w\n%s", err, out)
	}
	server, err = cluster.Start()
	if err != nil {
		return 1, err
	}
	defer func() {
		if stopErr := server.Stop(); err == nil {
			err = stopErr
		}
	}()
	// The API server publishes a new definition's schema up to a minute after it serves the kind.
	gadgets, err := os.ReadFile("testdata/gadgets.yaml")
	if err != nil {
		return 1, err
	}
	if err := server.Apply(context.Background(), gadgets); err != nil {
		return 1, err
	}
	return m.Run(), nil
}
