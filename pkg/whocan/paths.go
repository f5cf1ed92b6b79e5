package whocan

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"k8s.io/apiserver/pkg/authorization/authorizer"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/audit"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/authorization"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// pathsAround are the paths of those who don't get through themselves: to each who does, to two at once who do together, and through the guard
// itself. Administrators are left out.
func (a *asking) pathsAround(ctx context.Context, object inventory.Object, requesters []Requester) ([]Path, []inventory.Gap, error) {
	direct := map[authorization.Subject]bool{}
	for _, r := range requesters {
		direct[r.Subject] = r.Result.Passes()
	}
	var paths []Path
	for _, r := range requesters {
		if !r.Result.Passes() {
			continue
		}
		to, err := a.pathsTo(ctx, r, object, direct)
		if err != nil {
			return nil, nil, err
		}
		paths = append(paths, to...)
	}
	together, gaps := a.together(ctx, object, requesters, direct)
	together = slices.DeleteFunc(together, func(p Path) bool { // who gets through by one name
		return slices.ContainsFunc(paths, func(other Path) bool { return other.From == p.From })
	})
	through, unread, err := a.throughTheGuard(ctx, object, requesters, direct)
	if err != nil {
		return nil, nil, err
	}
	paths, gaps = append(paths, together...), append(gaps, unread...)
	through = slices.DeleteFunc(through, func(p Path) bool { // who gets through as somebody anyway need not change the guard as somebody
		return p.To != nil && slices.ContainsFunc(paths, func(other Path) bool { return other.From == p.From })
	})
	paths = append(paths, through...)
	slices.SortStableFunc(paths, comparePaths)
	return paths, gaps, nil
}

func (a *asking) pathsTo(ctx context.Context, r Requester, object inventory.Object, direct map[authorization.Subject]bool) ([]Path, error) {
	all, err := a.allPaths(ctx, r.Subject, audit.Writings(object, r.Subresource)...)
	if err != nil {
		return nil, err
	}
	var paths []Path
	for _, path := range all {
		if !direct[path.From] && !a.administrators.Include(path.From) {
			paths = append(paths, Path{Kind: path.Kind, From: path.From, To: &path.To, Rights: path.Rights})
		}
	}
	return paths, nil
}

// allPaths are those to one subject, for some requests that follow.
func (a *asking) allPaths(ctx context.Context, to authorization.Subject, made ...authorizer.AttributesRecord) ([]authorization.Path, error) {
	all := a.classicPaths(to)
	if a.constrained {
		all = authorization.JoinPaths(all, a.rbac.ConstrainedPaths(to, made...))
	}
	through, err := a.pathsThrough(ctx, to)
	return slices.Concat(all, through), err
}

// pathsThrough are those through what runs in a service account's namespace, which is read once, and only where somebody may have such a path.
func (a *asking) pathsThrough(ctx context.Context, to authorization.Subject) ([]authorization.Path, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	paths, found := a.through[to]
	if found || to.Namespace == "" {
		return paths, nil
	}
	if a.rbac.MayPassThrough(to, a.administrators) {
		there, read := a.workloads[to.Namespace]
		if !read {
			found, gaps, assumptions, err := audit.Workloads(ctx, a.simulator.Inventory(), to.Namespace)
			if err != nil {
				return nil, err
			}
			a.incomplete, a.assumptions = append(a.incomplete, gaps...), append(a.assumptions, assumptions...)
			there, a.workloads[to.Namespace] = found, found
		}
		paths = a.rbac.PathsThrough(to, there)
	}
	a.through[to] = paths
	return paths, nil
}

// together are the paths on which somebody is two at once, one for each of them and each whose name lets them through.
func (a *asking) together(ctx context.Context, object inventory.Object, requesters []Requester, direct map[authorization.Subject]bool) ([]Path, []inventory.Gap) {
	var writers []authorization.Subject
	for _, r := range requesters {
		writers = append(writers, r.Subject)
	}
	var made []authorizer.AttributesRecord
	if a.constrained {
		made = audit.Writings(object, "")
	}
	var paths []Path
	var gaps []inventory.Gap
	probe := audit.Ask(object, columns[a.asked.Change], a.asked.Key)
	trials := map[string]audit.Trial{}
	for _, path := range a.joint.Paths(writers, func(s authorization.Subject) bool { return direct[s] }, made...) {
		if slices.ContainsFunc(paths, func(p Path) bool { return p.From == path.From && *p.To == path.To }) {
			continue
		}
		key := fmt.Sprintf("%q %q", path.Requester.Username, path.Requester.Groups)
		trial, tried := trials[key]
		if !tried {
			trial = a.trier.As(path.Requester).TryOne(ctx, object, probe, "")
			trials[key] = trial
			gaps = append(gaps, trial.Incomplete...)
		}
		if trial.Protection.Passes() {
			paths = append(paths, Path{Kind: path.Kind, From: path.From, To: &path.To, With: path.With, Rights: path.Rights})
		}
	}
	return paths, gaps
}

// classicPaths don't depend on the object, and are looked for once.
func (a *asking) classicPaths(to authorization.Subject) []authorization.Path {
	a.mu.Lock()
	defer a.mu.Unlock()
	paths, found := a.paths[to]
	if !found {
		paths = a.rbac.Paths(to)
		a.paths[to] = paths
	}
	return paths
}

// throughTheGuard are the paths of those who may write what stops them, or act as somebody who may. Whoever acts as one who may write the object,
// too, needs no right to it.
func (a *asking) throughTheGuard(ctx context.Context, object inventory.Object, requesters []Requester, direct map[authorization.Subject]bool) ([]Path, []inventory.Gap, error) {
	var paths []Path
	var gaps []inventory.Gap
	taken := map[authorization.Subject]bool{}
	for _, r := range requesters {
		if !r.Result.Prevents() {
			continue
		}
		changes, unread, err := a.changesOf(ctx, r.By, object.Meta().GetNamespace())
		if err != nil {
			return nil, nil, err
		}
		gaps = append(gaps, unread...)
		u := r.Subject.Requester().User()
		at := slices.IndexFunc(changes.own, func(e audit.Editing) bool { return e.Grant.To(u) })
		if at >= 0 && !r.Administrator {
			right := authorization.Right{What: changes.own[at].What, By: changes.own[at].Grant.By}
			paths = append(paths, Path{Kind: PathPolicy, From: r.Subject, Rights: []authorization.Right{right}})
			taken[r.Subject] = true
		}
		for _, path := range changes.byPath {
			_, writes := direct[path.To]
			if direct[path.From] || taken[path.From] || path.From != r.Subject && !path.Administrator && !writes {
				continue
			}
			taken[path.From] = true
			if path.Kind == authorization.PathRights {
				paths = append(paths, Path{Kind: path.Kind, From: path.From, Rights: path.Rights})
				continue
			}
			paths = append(paths, Path{Kind: PathPolicy, From: path.From, To: &path.To, Rights: path.Rights})
		}
	}
	return paths, gaps, nil
}

// changes are the ways to change some policies.
type changes struct {
	own    []audit.Editing
	byPath []audit.EditingPath
}

// changesOf are looked for once for each set of policies in each namespace. The gaps come with the first answer.
func (a *asking) changesOf(ctx context.Context, by []simulate.By, namespace string) (changes, []inventory.Gap, error) {
	key := fmt.Sprintf("%q %q", namespace, by)
	a.mu.Lock()
	known, found := a.changes[key]
	a.mu.Unlock()
	if found {
		return known, nil, nil
	}
	editings, gaps, err := audit.Editings(ctx, a.simulator, a.rbac, by, namespace)
	if err != nil {
		return changes{}, nil, err
	}
	accounts, err := a.knownAccounts(ctx)
	if err != nil {
		return changes{}, nil, err
	}
	paths, err := audit.EditingPaths(a.rbac, editings, accounts, func(to authorization.Subject, made ...authorizer.AttributesRecord) ([]authorization.Path, error) {
		return a.allPaths(ctx, to, made...)
	})
	if err != nil {
		return changes{}, nil, err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.changes[key] = changes{editings, paths}
	return a.changes[key], gaps, nil
}

func comparePaths(a, b Path) int {
	to := func(p Path) authorization.Subject {
		if p.To == nil {
			return authorization.Subject{}
		}
		return *p.To
	}
	return cmp.Or(a.From.Compare(b.From), cmp.Compare(a.Kind, b.Kind), to(a).Compare(to(b)))
}
