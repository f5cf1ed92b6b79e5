package whocan

import (
	"context"
	"slices"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/audit"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/authorization"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// ask finds out about one object: it tries the change as everybody who may write it, and then looks for paths.
func (a *asking) ask(ctx context.Context, object inventory.Object) error {
	found := map[authorization.Subject]Requester{}
	var gaps, assumed []inventory.Gap
	probe := audit.Ask(object, columns[a.asked.Change], a.asked.Key)
	ordinary := map[string]*audit.Trial{}
	for _, subresource := range append([]string{""}, audit.Subresources(object.Kind)...) {
		writers, err := a.writers(ctx, object, subresource)
		if err != nil {
			return err
		}
		for _, writer := range writers {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			as := writer.Subject.Requester()
			trial := a.trier.As(as).TryOne(ctx, object, probe, subresource)
			trial = now(trial)
			gaps, assumed = append(gaps, trial.Incomplete...), append(assumed, trial.Assumptions...)
			r := Requester{
				Subject: writer.Subject, Username: as.Username, Groups: as.Groups, Administrator: a.administrators.Include(writer.Subject),
				Result: trial.Protection, Subresource: subresource, By: trial.By, RefusedAnyway: trial.Refused, GrantedBy: writer.By,
			}
			if before, tried := found[r.Subject]; tried && rank(r.Result) >= rank(before.Result) {
				continue
			}
			if r.Result.Passes() {
				if ordinary[subresource] == nil {
					trial := now(a.trier.TryOne(ctx, object, probe, subresource))
					ordinary[subresource] = &trial
				}
				r.Unguarded = ordinary[subresource].Protection.Passes()
				r.Exemptions = a.exemptions.Of(as, ordinary[subresource].By)
			}
			found[r.Subject] = r
		}
	}
	o := Object{Object: audit.Ref(object)}
	for _, r := range found {
		o.Requesters = append(o.Requesters, r)
	}
	slices.SortFunc(o.Requesters, func(x, y Requester) int { return x.Compare(y.Subject) })
	paths, unread, err := a.pathsAround(ctx, object, o.Requesters)
	if err != nil {
		return err
	}
	o.Paths = paths
	a.mu.Lock()
	defer a.mu.Unlock()
	a.objects = append(a.objects, o)
	a.incomplete, a.assumptions = append(append(a.incomplete, gaps...), unread...), append(a.assumptions, assumed...)
	return nil
}

// now is what becomes of a request at present, where another policy than a guard of the annotation refuses it, or the API server itself: whether there is a guard
// behind these may be open, and what is asked is who can.
func now(trial audit.Trial) audit.Trial {
	if trial.Refused {
		trial.Protection, trial.By, trial.Incomplete = audit.ProtectionBlocked, trial.RefusedBy, nil
	}
	return trial
}

// rank puts first by what the most gets through.
func rank(p audit.Protection) int {
	switch {
	case p.Passes():
		return 0
	case p == audit.ProtectionUnknown:
		return 1
	}
	return 2
}

// writers reads the service accounts only where some of them may be among the writers as members of a group.
func (a *asking) writers(ctx context.Context, object inventory.Object, subresource string) ([]authorization.Grant, error) {
	writers := audit.Writers(a.rbac, nil, object, subresource)
	if !slices.ContainsFunc(writers, func(w authorization.Grant) bool { return audit.HasAccounts(w.Subject) }) {
		return writers, nil
	}
	accounts, err := a.knownAccounts(ctx)
	if err != nil {
		return nil, err
	}
	return audit.Writers(a.rbac, accounts, object, subresource), nil
}

func (a *asking) knownAccounts(ctx context.Context) ([]authorization.Subject, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.accounts != nil {
		return *a.accounts, nil
	}
	accounts, err := audit.Accounts(ctx, a.simulator.Inventory())
	if gap, known := audit.Gap(err); err != nil && known {
		a.incomplete = append(a.incomplete, gap)
		err = nil
	}
	if err != nil {
		return nil, err
	}
	a.accounts = &accounts
	return accounts, nil
}
