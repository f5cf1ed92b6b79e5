package whocan

import (
	"context"
	"iter"
	"runtime"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/audit"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/authorization"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/compare"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// Run answers for each of some objects. What could not be found out is in the report's Incomplete; the error is the context's, or one of
// reading that leaves no answer.
func Run(ctx context.Context, simulator *simulate.Simulator, objects iter.Seq[inventory.Object], asked Asked) (Report, error) {
	a, err := newAsking(ctx, simulator, asked)
	if err != nil {
		return Report{}, err
	}
	if a.rbac == nil {
		return a.report(), nil
	}
	group, ctx := errgroup.WithContext(ctx)
	queue := make(chan inventory.Object)
	group.Go(func() error {
		defer close(queue)
		for object := range objects {
			select {
			case queue <- object:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return ctx.Err()
	})
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() error {
			for object := range queue {
				if err := a.ask(ctx, object); err != nil {
					return err
				}
			}
			return ctx.Err()
		})
	}
	if err := group.Wait(); err != nil {
		return Report{}, err
	}
	return a.report(), nil
}

// asking is one question in progress.
type asking struct {
	simulator      *simulate.Simulator
	trier          *audit.Trier
	asked          Asked
	rbac           *authorization.RBAC // nil where it is not known
	administrators authorization.Administrators
	constrained    bool
	joint          *audit.Joint
	exemptions     *audit.Exemptions

	mu       sync.Mutex
	accounts *[]authorization.Subject // nil until they are needed
	// What was found before, to subjects, in namespaces, and of sets of policies in a namespace.
	paths, through map[authorization.Subject][]authorization.Path
	workloads      map[string][]authorization.Workload
	changes        map[string]changes

	objects                 []Object
	incomplete, assumptions []inventory.Gap
}

func newAsking(ctx context.Context, simulator *simulate.Simulator, asked Asked) (*asking, error) {
	a := &asking{
		simulator: simulator, trier: audit.NewTrier(simulator, audit.OrdinaryUser()), asked: asked,
		constrained: authorization.ImpersonatesConstrained(simulator.Inventory().Server().Version),
		exemptions:  audit.NewExemptions(simulator.Policies()),
		paths:       map[authorization.Subject][]authorization.Path{}, through: map[authorization.Subject][]authorization.Path{},
		workloads: map[string][]authorization.Workload{}, changes: map[string]changes{},
	}
	rbac, gaps, err := compare.ReadRBAC(ctx, simulator.Authorizer())
	switch {
	case err != nil:
		return nil, err
	case rbac == nil:
		a.incomplete = gaps
		return a, nil
	}
	a.rbac, a.administrators, a.assumptions = rbac, rbac.Administrators(), slices.Concat(gaps, []inventory.Gap{notLookedAt})
	a.joint = audit.NewJoint(simulator.Policies(), rbac)
	return a, nil
}

// notLookedAt says what may lead round the guard besides.
var notLookedAt = inventory.Gap{
	What: "further ways to act as somebody whom the guard lets through",
	Why: "not looked at: several steps; bind and escalate on roles in a namespace; Secrets that hold tokens; impersonating uids and userextras; webhooks and mutating policies that " +
		"write into others' requests; other authorizers than RBAC",
}

// report puts everything in its stable order.
func (a *asking) report() Report {
	inv := a.simulator.Inventory()
	slices.SortFunc(a.objects, func(x, y Object) int { return x.Object.Compare(y.Object) })
	incomplete := simulate.AddGaps([]inventory.Gap{}, inv.Incomplete())
	incomplete = simulate.AddGaps(incomplete, a.simulator.Policies().Unread)
	return Report{
		APIVersion: simulate.APIVersion, Kind: "WhoCanReport", Server: inv.Server(), Asked: a.asked,
		Objects:     append([]Object{}, a.objects...),
		Incomplete:  simulate.AddGaps(incomplete, inventory.SortedGaps(slices.Values(a.incomplete))),
		Assumptions: simulate.AddGaps([]inventory.Gap{}, inventory.SortedGaps(slices.Values(a.assumptions))),
		Summary:     Summarize(a.objects),
	}
}
