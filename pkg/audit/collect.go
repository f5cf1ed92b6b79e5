package audit

import (
	"context"
	"errors"
	"runtime"

	"golang.org/x/sync/errgroup"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// collect tries every object: they come page by page, are shared out among workers, and only compact rows
// and a few samples are kept.
func (a *auditor) collect(ctx context.Context) error {
	group, ctx := errgroup.WithContext(ctx)
	objects := make(chan inventory.Object)
	var unread []inventory.Gap
	group.Go(func() error {
		defer close(objects)
		var err error
		unread, err = a.send(ctx, objects)
		return err
	})
	parts := make([]*gathered, a.workers())
	for i := range parts {
		parts[i] = newGathered()
		group.Go(func() error { return a.work(ctx, objects, parts[i]) })
	}
	if err := group.Wait(); err != nil {
		return err
	}
	for _, part := range parts {
		a.gathered.merge(part)
	}
	for _, gap := range unread {
		a.gathered.incomplete[gap] = true
	}
	return nil
}

func (a *auditor) workers() int {
	if a.options.Concurrency > 0 {
		return a.options.Concurrency
	}
	return runtime.GOMAXPROCS(0)
}

// send puts the objects into the channel. What can't be listed is returned as gaps, and the rest is sent nevertheless.
func (a *auditor) send(ctx context.Context, objects chan<- inventory.Object) ([]inventory.Gap, error) {
	var unread []inventory.Gap
	for object, err := range Objects(ctx, a.inventory, a.options.Query) {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			gap, known := Gap(err)
			if !known {
				return nil, err
			}
			unread = append(unread, gap)
			continue
		}
		select {
		case objects <- object:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return unread, ctx.Err()
}

// Gap says what an error of Objects left out. Any other error is nothing that one could go on after.
func Gap(err error) (inventory.Gap, bool) {
	var list *inventory.ListError
	if errors.As(err, &list) {
		return inventory.Gap{What: list.Kind.Resource.GroupResource().String(), Why: list.Err.Error()}, true
	}
	var namespace *namespaceError
	if errors.As(err, &namespace) {
		return inventory.Gap{What: "namespace " + namespace.name, Why: namespace.err.Error()}, true
	}
	return inventory.Gap{}, false
}

func (a *auditor) work(ctx context.Context, objects <-chan inventory.Object, into *gathered) error {
	for object := range objects {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		a.audit(ctx, object, into)
	}
	return ctx.Err()
}

// audit tries one object.
func (a *auditor) audit(ctx context.Context, object inventory.Object, into *gathered) {
	all := a.trier.try(ctx, object)
	into.note(object, "", all)
	row := Object{
		Object: Ref(object), Annotations: annotationsOf(object, a.options.Now), MayWrite: a.mayWrite(ctx, object, into), Guard: guardOf(all),
		RefusedAnyway: refusedAnyway(all),
		Subresources:  a.trySubresources(ctx, object, into), Resource: typeOf(object.Kind),
	}
	into.rows = append(into.rows, row)
	if a.ordinary != nil {
		all = a.ordinary.try(ctx, object)
	}
	into.tally(object, all, row.Bypasses())
	into.lookForDownscaler(object)
	a.noteDrift(ctx, object, into)
}
