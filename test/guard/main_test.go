// Package guard tries the guards that policies render writes on a real API server: that it takes them, that they hold in every way round a guard, and
// that ordinary work passes.
package guard

import (
	"errors"
	"fmt"
	"os"
	"testing"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/test/cluster"
)

// server is the API server that all tests of this package share.
var server *cluster.Cluster

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
	return m.Run(), nil
}
