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

// Guards makes the same requests for every object that an audit looks at, and for ReplicaSets where a policy is about them, with both sets of
// policies, on the object itself and through its subresources: the changes by which guards are tried, and an update and a creation that
// touch none of the annotations. A requester is tried with what RBAC lets it write; the ordinary user, who is nobody, with everything.
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
	today, tomorrow *simulate.Simulator
	requesters      []Requester
	rbac            *authorization.RBAC // nil unless its subjects are tried
	found           *findings           // what concerns no object in particular
}

func newGuards(ctx context.Context, today, tomorrow *simulate.Simulator, options Options) (*guards, error) {
	requesters, rbac, found, err := options.resolve(ctx, tomorrow.Authorizer())
	if err != nil {
		return nil, err
	}
	return &guards{
		today: today.PastAuthorization(), tomorrow: tomorrow.PastAuthorization(), // rights are looked at before
		requesters: requesters, rbac: rbac, found: found,
	}, nil
}

// send puts the objects into the channel. What can't be listed is left open, and the rest is sent nevertheless.
func (g *guards) send(ctx context.Context, query inventory.Query, objects chan<- inventory.Object) error {
	if len(query.Kinds) == 0 {
		query.Kinds = g.kinds()
	}
	for object, err := range audit.Objects(ctx, g.tomorrow.Inventory(), query) {
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
		ask := asking{ctx: ctx, authorizer: g.tomorrow.Authorizer(), object: object, subresource: subresource, found: into}
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
	clear(into.alike) // which is about one object
	for subject, may := range writers {
		if may {
			into.writable[subject]++
		}
	}
}

// compareFor makes an object's requests for one requester, and keeps what differs.
func (g *guards) compareFor(ctx context.Context, r Requester, may rights, ask asking) {
	ask.found.requesters[r.Subject] = r
	for _, p := range ask.requests() {
		if !may.allow(p.Column) || ctx.Err() != nil {
			continue
		}
		asked, err := p.Request(r.request, ask.subresource)
		if err != nil {
			ask.found.incomplete[inventory.Gap{What: "requests for " + p.Object.Kind.Resource.GroupResource().String(), Why: err.Error()}] = true
			continue
		}
		today, tomorrow := g.today.Run(ctx, asked, simulate.Options{}), g.tomorrow.Run(ctx, asked, simulate.Options{})
		for _, c := range differences(sent{object: audit.Ref(ask.object), subresource: ask.subresource}, today, tomorrow) {
			ask.found.add(r.Subject, c)
		}
		for _, result := range []simulate.Result{today, tomorrow} {
			ask.found.leaveOpen(result.Incomplete)
			ask.found.assume(result.Assumptions)
		}
	}
}
