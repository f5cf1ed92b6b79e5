package cases

import (
	"fmt"
	"os"
	"testing"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/test/cluster"
)

// apiServer is the API server of all cases.
var apiServer *cluster.Cluster

func TestMain(m *testing.M) {
	code, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func run(m *testing.M) (code int, err error) {
	if apiServer, err = cluster.Start(); err != nil {
		return 1, err
	}
	defer func() {
		if stopErr := apiServer.Stop(); err == nil {
			err = stopErr
		}
	}()
	return m.Run(), nil
}
