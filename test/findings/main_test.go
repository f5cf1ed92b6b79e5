// Package findings makes the situation behind each finding of audit on a real API server, shows that the leak is real there and is found, and
// that the finding goes away once the situation is mended.
package findings

import (
	"errors"
	"fmt"
	"os"
	"testing"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/test/cluster"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/test/plugin"
)

// The API server and the plugin that all tests of this package share. Each test has namespaces of its own and leaves no policy behind.
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
	return m.Run(), nil
}
