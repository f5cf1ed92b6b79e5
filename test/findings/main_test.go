// Package findings makes the situation behind each finding of audit on a real API server, shows that the leak is real there and is found, and
// that the finding goes away once the situation is mended. The table of them is in docs/rules/README.md.
package findings

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strconv"
	"testing"
)

var update = flag.Bool("update", false, "write the table of situations in docs/rules/README.md anew")

// manyServers is how many API servers there are at most, each with one situation at a time. Half of the time each of them waits for policies to act,
// so that there are more than a small machine has processors.
const manyServers = 4

var servers = newPool(manyServers)

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
	if err := flag.Set("test.parallel", strconv.Itoa(manyServers)); err != nil {
		return 1, err
	}
	defer func() { err = errors.Join(err, servers.stop()) }()
	return m.Run(), nil
}
