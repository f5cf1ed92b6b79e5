package compare

import (
	"context"
	"runtime"

	"golang.org/x/sync/errgroup"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/audit"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/authorization"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// Options are the choices of a comparison.
type Options struct {
	// Requesters are those to try besides Live; the ordinary user where there is none and Live isn't set.
	Requesters []Requester
	// Live adds every subject that roles and bindings let write an object, for that object.
	Live bool
}

// Guards tries the guard of every object that an audit looks at, on the object itself and through its subresources, with both sets
// of policies. A requester is tried with what RBAC lets it write; the ordinary user, who is nobody, with everything.
// What could not be read or tried is in the report's Incomplete; the error is the context's, or one of reading that concerns
// more than one kind.
func Guards(ctx context.Context, today, tomorrow *simulate.Simulator, query inventory.Query, options Options) (Report, error) {
	g, err := newGuards(ctx, today, tomorrow, options)
	if err != nil {
		return Report{}, err
	}
	group, ctx := errgroup.WithContext(ctx)
	objects := make(chan inventory.Object)
	group.Go(func() error {
		defer close(objects)
		return g.send(ctx, query, objects)
	})
	parts := make([]*findings, runtime.GOMAXPROCS(0))
	for i := range parts {
		parts[i] = newFindings()
		group.Go(func() error {
			for object := range objects {
				g.compare(ctx, object, parts[i])
			}
			return ctx.Err()
		})
	}
	if err := group.Wait(); err != nil {
		return Report{}, err
	}
	for _, part := range parts {
		g.found.merge(part)
	}
	return g.found.report(today, tomorrow), nil
}

// guards is one comparison of guards in progress.
type guards struct {
	today, tomorrow *audit.Trier
	simulator       *simulate.Simulator
	requesters      []Requester
	rbac            *authorization.RBAC // nil unless its subjects are tried
	found           *findings           // what concerns no object in particular
}

func newGuards(ctx context.Context, today, tomorrow *simulate.Simulator, options Options) (*guards, error) {
	requesters, rbac, found, err := options.resolve(ctx, tomorrow.Authorizer())
	if err != nil {
		return nil, err
	}
	nobody := audit.OrdinaryUser()
	return &guards{
		today: audit.NewTrier(today, nobody), tomorrow: audit.NewTrier(tomorrow, nobody),
		simulator: tomorrow, requesters: requesters, rbac: rbac, found: found,
	}, nil
}

// send puts the objects into the channel. What can't be listed is left open, and the rest is sent nevertheless.
func (g *guards) send(ctx context.Context, query inventory.Query, objects chan<- inventory.Object) error {
	for object, err := range audit.Objects(ctx, g.simulator.Inventory(), query) {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			gap, known := audit.Gap(err)
			if !known {
				return err
			}
			g.found.incomplete[gap] = true
			continue
		}
		select {
		case objects <- object:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return ctx.Err()
}

// compare tries one object, for every requester that may write it.
func (g *guards) compare(ctx context.Context, object inventory.Object, into *findings) {
	into.objects[audit.Ref(object)] = true
	writers := map[authorization.Subject]bool{}
	for _, subresource := range append([]string{""}, audit.Subresources(object.Kind)...) {
		ask := asking{ctx: ctx, authorizer: g.simulator.Authorizer(), object: object, subresource: subresource, found: into}
		tried := map[authorization.Subject]bool{}
		for _, r := range g.requesters {
			tried[r.Subject] = true
			may := ask.of(r)
			writers[r.Subject] = writers[r.Subject] || may.create || may.update
			g.compareFor(ctx, r, may, ask)
		}
		if g.rbac == nil {
			continue
		}
		for subject, may := range ask.holders(g.rbac) {
			if !tried[subject] {
				writers[subject] = true
				g.compareFor(ctx, Representing(subject), may, ask)
			}
		}
	}
	for subject, may := range writers {
		if may {
			into.writable[subject]++
		}
	}
}

// compareFor tries one object for one requester, and keeps what differs.
func (g *guards) compareFor(ctx context.Context, r Requester, may rights, ask asking) {
	ask.found.requesters[r.Subject] = r
	if !may.create && !may.update || ctx.Err() != nil {
		return
	}
	today := g.today.As(r.request).Try(ctx, ask.object, ask.subresource)
	tomorrow := g.tomorrow.As(r.request).Try(ctx, ask.object, ask.subresource)
	for i := range today { // both are in the order of the object's probes
		if !may.allow(today[i].Column) {
			continue
		}
		if change, differs := g.changeOf(ask, r, today[i], tomorrow[i]); differs {
			ask.found.changes = append(ask.found.changes, change)
		}
		for _, trial := range []audit.Trial{today[i], tomorrow[i]} {
			ask.found.leaveOpen(trial.Incomplete)
			ask.found.assume(trial.Assumptions)
		}
	}
}

func (g *guards) changeOf(ask asking, r Requester, today, tomorrow audit.Trial) (Change, bool) {
	c := Change{
		Object: audit.Ref(ask.object), Requester: r.Subject, Operation: "UPDATE", Subresource: ask.subresource,
		Key: today.Key, Asked: askedBy[today.Column],
		Today:    Side{Result: Result(today.Protection), By: today.By},
		Tomorrow: Side{Result: Result(tomorrow.Protection), By: tomorrow.By},
	}
	if today.Column == audit.ColumnCreate {
		c.Operation = "CREATE"
	}
	var differs bool
	c.Effect, differs = effectOf(c.Today.Result, c.Tomorrow.Result)
	return c, differs
}

var askedBy = map[audit.Column]simulate.ChangeKind{
	audit.ColumnCreate: simulate.Added, audit.ColumnAdd: simulate.Added, audit.ColumnEdit: simulate.Edited, audit.ColumnRemove: simulate.Removed,
}
