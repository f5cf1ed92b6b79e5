package inventory

import (
	"context"
	"iter"
	"runtime"
)

type result[T any] struct {
	value T
	err   error
}

// inOrder applies work to what a sequence yields, on every processor, and yields the results in the
// sequence's order up to the first error. At most a few results wait at any time. The sequence is read in a goroutine of
// its own, so that the context's end is noticed even while a read from standard input blocks.
func inOrder[In, Out any](ctx context.Context, sequence iter.Seq2[In, error], work func(In) (Out, error)) iter.Seq2[Out, error] {
	return func(yield func(Out, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		pending := make(chan chan result[Out], 4*runtime.GOMAXPROCS(0))
		go func() {
			defer close(pending)
			startWork(ctx, sequence, work, pending)
		}()
		for {
			r, more := nextResult(ctx, pending)
			if !more || !yield(r.value, r.err) || r.err != nil {
				return
			}
		}
	}
}

// startWork starts work on each item, as long as there is room for its result.
func startWork[In, Out any](ctx context.Context, sequence iter.Seq2[In, error], work func(In) (Out, error), pending chan<- chan result[Out]) {
	for in, err := range sequence {
		slot := make(chan result[Out], 1)
		select {
		case pending <- slot:
		case <-ctx.Done():
			return
		}
		if err != nil {
			slot <- result[Out]{err: err}
			return
		}
		go func() {
			out, err := work(in)
			slot <- result[Out]{out, err}
		}()
	}
}

// nextResult waits for the next result in order, or for the context's end, which is a result too.
func nextResult[Out any](ctx context.Context, pending <-chan chan result[Out]) (result[Out], bool) {
	select {
	case <-ctx.Done():
		return result[Out]{err: ctx.Err()}, true
	case slot, open := <-pending:
		if open {
			return <-slot, true
		}
		return result[Out]{err: ctx.Err()}, ctx.Err() != nil
	}
}
