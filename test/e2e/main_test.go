// Package e2e tries the plugin against a real API server, through the real kubectl.
package e2e

import (
	"context"
	"errors"
	"fmt"
	"os"
	"testing"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/test/cluster"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/test/plugin"
)

// The API server and the plugin that all tests of this package share.
var (
	server *cluster.Cluster
	built  *plugin.Plugin
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
	if server, err = cluster.Start(); err != nil {
		return 1, err
	}
	defer func() { err = errors.Join(err, server.Stop()) }()
	if built, err = plugin.Build(server.Kubectl); err != nil {
		return 1, err
	}
	defer func() { err = errors.Join(err, built.Remove()) }()
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
