package cli

import (
	"context"
	goruntime "runtime"
	"sync"

	"golang.org/x/sync/errgroup"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// trial simulates requests on every processor and keeps their results in the order in which they came.
type trial struct {
	simulator *simulate.Simulator
	options   simulate.Options
	seen      func(request.Request) // what is put to the trial; nil where nobody wants to know

	once    sync.Once
	group   errgroup.Group
	results []*simulate.Result
	gaps    []inventory.Gap
}

// start simulates a request, as soon as a processor is free.
func (t *trial) start(ctx context.Context, r request.Request) {
	t.once.Do(func() { t.group.SetLimit(goruntime.GOMAXPROCS(0)) })
	t.see(r)
	slot := new(simulate.Result)
	t.results = append(t.results, slot)
	t.group.Go(func() error {
		if ctx.Err() == nil {
			*slot = t.simulator.Run(ctx, r, t.options)
		}
		return nil
	})
}

func (t *trial) see(r request.Request) {
	if t.seen != nil {
		t.seen(r)
	}
}

// finished is one request's result, and the object that it stores, if any.
type finished struct {
	result simulate.Result
	stored runtime.Object
}

// finish simulates a request alone: those before it are done by then, and none behind it has begun.
func (t *trial) finish(ctx context.Context, r request.Request) finished {
	_ = t.group.Wait() // which has no error, see wait
	t.see(r)
	var done finished
	if ctx.Err() == nil {
		done.result, done.stored = t.simulator.Store(ctx, r, t.options)
	}
	t.results = append(t.results, &done.result)
	return done
}

// empty says that nothing was asked for, not even what is left out.
func (t *trial) empty() bool { return len(t.results)+len(t.gaps) == 0 }

// leaveOut notes what can't be simulated.
func (t *trial) leaveOut(err error) { t.gaps = append(t.gaps, gapOf(err)) }

// wait returns the results and what was left out, once every request is simulated.
func (t *trial) wait() ([]simulate.Result, []inventory.Gap) {
	// No request's simulation has an error: what could not be simulated is part of its result.
	_ = t.group.Wait()
	results := make([]simulate.Result, 0, len(t.results))
	for _, result := range t.results {
		results = append(results, *result)
	}
	return results, t.gaps
}
