package findings

import (
	"errors"
	"sync"
	"testing"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/test/cluster"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/test/plugin"
)

// pool is the API servers of this package and the plugin. Policies act on everything that an API server holds, so that no two situations may share one at the
// same time. A server starts when it is first needed: the table is made without any.
type pool struct {
	free chan *cluster.Cluster // nil: one that is still to be started

	mu      sync.Mutex
	started []*cluster.Cluster
	built   *plugin.Plugin
}

func newPool(size int) *pool {
	p := &pool{free: make(chan *cluster.Cluster, size)}
	for range size {
		p.free <- nil
	}
	return p
}

// take is a server that nobody else has until the test is over.
func (p *pool) take(t *testing.T) *cluster.Cluster {
	t.Helper()
	server := <-p.free
	t.Cleanup(func() { p.free <- server })
	if server == nil {
		started, err := cluster.Start()
		if err != nil {
			t.Fatal(err)
		}
		server = started
		p.mu.Lock()
		p.started = append(p.started, server)
		p.mu.Unlock()
	}
	return server
}

// plugin builds the plugin once.
func (p *pool) plugin(t *testing.T, server *cluster.Cluster) *plugin.Plugin {
	t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.built == nil {
		built, err := plugin.Build(server.Kubectl)
		if err != nil {
			t.Fatal(err)
		}
		p.built = built
	}
	return p.built
}

func (p *pool) stop() error {
	var errs []error
	for _, server := range p.started {
		errs = append(errs, server.Stop())
	}
	if p.built != nil {
		errs = append(errs, p.built.Remove())
	}
	return errors.Join(errs...)
}
