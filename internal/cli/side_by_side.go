package cli

import (
	"context"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/authorization"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/compare"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// sideBySide puts the same requests to both sides.
type sideBySide struct {
	options  *simulateOptions
	run      comparison
	proposal changeProposed

	tried       []compare.Tried
	requests    []request.Request // those of the first requester
	gaps        []inventory.Gap
	assumptions []inventory.Gap
}

// bench is where the requests of one side are tried: with namespaces of its own, which a run would store.
type bench struct {
	overlay   *inventory.Overlay
	simulator *simulate.Simulator
}

// benches are those of today and tomorrow, where an authorizer says who may do what.
func (s *sideBySide) benches(ctx context.Context, authorizer *authorization.Authorizer) (benches [2]bench, err error) {
	for i, side := range []*simulate.Simulator{s.run.today, s.run.tomorrow} {
		overlay := inventory.NewOverlay(side.Inventory())
		simulator, err := simulate.NewWithAuthorizer(ctx, overlay, side.Policies(), authorizer)
		if err != nil {
			return benches, err
		}
		if s.options.pastAuthorization {
			simulator = simulator.PastAuthorization()
		}
		benches[i] = bench{overlay, simulator}
	}
	return benches, nil
}

// tryNamed tries as those who were named.
func (s *sideBySide) tryNamed(ctx context.Context) error {
	benches, err := s.benches(ctx, s.run.authorizer)
	if err != nil {
		return err
	}
	for _, r := range append([]request.Requester{s.options.requester}, s.options.others...) {
		if err := s.try(ctx, benches, compare.Named(r), r); err != nil {
			return err
		}
	}
	return nil
}

// tryHolders tries as every subject that roles and bindings let make one of the requests. The same roles and bindings decide what
// each of them may do: a live API server would have to be asked once for each of them and each object.
func (s *sideBySide) tryHolders(ctx context.Context) error {
	authorizer, err := authorization.New(s.run.today.Inventory(), authorization.Options{})
	if err != nil {
		return err
	}
	rbac, gaps, err := compare.ReadRBAC(ctx, authorizer)
	if rbac == nil {
		s.gaps = simulate.AddGaps(s.gaps, gaps)
		return err
	}
	s.assumptions = simulate.AddGaps(s.assumptions, gaps)
	benches, err := s.benches(ctx, authorizer)
	if err != nil {
		return err
	}
	for _, subject := range s.holders(rbac) {
		if err := s.try(ctx, benches, compare.Representing(subject), subject.Requester()); err != nil {
			return err
		}
	}
	return nil
}

// holders are the subjects that may make one of the requests and were not tried yet.
func (s *sideBySide) holders(rbac *authorization.RBAC) []authorization.Subject {
	known := map[authorization.Subject]bool{}
	for _, t := range s.tried {
		known[t.Requester.Subject] = true
	}
	var found []authorization.Subject
	for _, r := range s.requests {
		for _, subject := range rbac.Holders(r) {
			if !known[subject] {
				known[subject] = true
				found = append(found, subject)
			}
		}
	}
	return found
}

func (s *sideBySide) try(ctx context.Context, benches [2]bench, as compare.Requester, r request.Requester) error {
	tried := compare.Tried{Requester: as}
	options := *s.options
	options.requester = r
	for i, results := range []*[]simulate.Result{&tried.Today, &tried.Tomorrow} {
		trial := &trial{simulator: benches[i].simulator}
		if len(s.requests) == 0 {
			trial.seen = func(r request.Request) { s.requests = append(s.requests, r) }
		}
		benches[i].overlay.Clear()
		if err := s.put(ctx, &options, trial, benches[i].overlay); err != nil {
			return err
		}
		var gaps []inventory.Gap
		*results, gaps = trial.wait()
		s.gaps = simulate.AddGaps(s.gaps, gaps)
	}
	s.tried = append(s.tried, tried)
	return nil
}

func (s *sideBySide) put(ctx context.Context, options *simulateOptions, trial *trial, overlay *inventory.Overlay) error {
	if options.manifests.given() {
		return options.trySequence(ctx, trial, overlay, s.proposal.documents)
	}
	return options.tryEach(ctx, trial, s.proposal.all)
}
