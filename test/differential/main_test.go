package differential

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"testing"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/test/cluster"
)

var (
	seedFlag  = flag.Uint64("seed", 0, "the seed of the random cases; 0 takes one from the clock")
	casesFlag = flag.Int("cases", 400, "how many requests to compare, in whole rounds; `make differential` says 2000")
)

// rig is the API server that all tests of this package share.
var rig *Rig

func TestMain(m *testing.M) {
	flag.Parse()
	code, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func run(m *testing.M) (code int, err error) {
	server, err := cluster.Start()
	if err != nil {
		return 1, err
	}
	defer func() {
		if stopErr := server.Stop(); err == nil {
			err = stopErr
		}
	}()
	if rig, err = NewRig(ctx, server); err != nil {
		return 1, err
	}
	defer func() { err = errors.Join(err, rig.Close()) }()
	return m.Run(), nil
}
