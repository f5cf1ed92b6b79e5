package verify

import (
	"context"
	"sync"

	"golang.org/x/sync/errgroup"
)

// parallel is how many questions are asked at the same time.
const parallel = 8

// Batch asks questions in parallel and keeps the results in the order in which the questions came. Its Verifier must be set.
type Batch struct {
	Verifier *Verifier

	once    sync.Once
	group   errgroup.Group
	results []*Result
}

// Start puts a question, as soon as one of those before is answered. Once the context has ended it puts none.
func (b *Batch) Start(ctx context.Context, q Question) {
	b.once.Do(func() { b.group.SetLimit(parallel) })
	slot := new(Result)
	b.results = append(b.results, slot)
	b.group.Go(func() error {
		if ctx.Err() == nil {
			*slot = b.Verifier.Run(ctx, q)
		}
		return nil
	})
}

// Empty says whether no question was put.
func (b *Batch) Empty() bool { return len(b.results) == 0 }

// Wait returns the results once every question is answered. They mean nothing where the context has ended.
func (b *Batch) Wait() []Result {
	// No question has an error: what could not be asked is part of its result.
	_ = b.group.Wait()
	results := make([]Result, 0, len(b.results))
	for _, result := range b.results {
		results = append(results, *result)
	}
	return results
}
