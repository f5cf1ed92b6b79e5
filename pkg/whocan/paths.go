package whocan

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/audit"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/authorization"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// pathsAround are the paths of those who don't get through themselves: to each who does, and through the guard itself for those who
// may write the object and are stopped. Administrators are left out.
func (a *asking) pathsAround(ctx context.Context, object inventory.Object, requesters []Requester) ([]Path, []inventory.Gap, error) {
	direct := map[authorization.Subject]bool{}
	for _, r := range requesters {
		direct[r.Subject] = r.Result.Passes()
	}
	var paths []Path
	var gaps []inventory.Gap
	for _, r := range requesters {
		switch {
		case r.Result.Passes():
			paths = append(paths, a.pathsTo(r, object, direct)...)
		case r.Result.Prevents() && !r.Administrator:
			through, unread, err := a.throughTheGuard(ctx, r, object)
			if err != nil {
				return nil, nil, err
			}
			paths, gaps = append(paths, through...), append(gaps, unread...)
		}
	}
	slices.SortStableFunc(paths, comparePaths)
	return paths, gaps, nil
}

func (a *asking) pathsTo(r Requester, object inventory.Object, direct map[authorization.Subject]bool) []Path {
	all := a.classicPaths(r.Subject)
	if a.constrained {
		all = authorization.JoinPaths(all, a.rbac.ConstrainedPaths(r.Subject, audit.Writings(object, r.Subresource)...))
	}
	var paths []Path
	for _, path := range all {
		if !direct[path.From] && !a.administrators.Include(path.From) {
			paths = append(paths, Path{Kind: path.Kind, From: path.From, To: &path.To, Rights: path.Rights})
		}
	}
	return paths
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

// throughTheGuard is the path of one who may write what stops them.
func (a *asking) throughTheGuard(ctx context.Context, r Requester, object inventory.Object) ([]Path, []inventory.Gap, error) {
	editings, gaps, err := a.editingsOf(ctx, r.By, object.Meta().GetNamespace())
	if err != nil {
		return nil, nil, err
	}
	u := r.Subject.Requester().User()
	at := slices.IndexFunc(editings, func(e audit.Editing) bool { return e.Grant.To(u) })
	if at < 0 {
		return nil, gaps, nil
	}
	right := authorization.Right{What: editings[at].What, By: editings[at].Grant.By}
	return []Path{{Kind: PathPolicy, From: r.Subject, Rights: []authorization.Right{right}}}, gaps, nil
}

// editingsOf are looked for once for each set of policies in each namespace. The gaps come with the first answer.
func (a *asking) editingsOf(ctx context.Context, by []simulate.By, namespace string) ([]audit.Editing, []inventory.Gap, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	key := fmt.Sprintf("%q %q", namespace, by)
	if editings, found := a.editings[key]; found {
		return editings, nil, nil
	}
	editings, gaps, err := audit.Editings(ctx, a.simulator, a.rbac, by, namespace)
	if err != nil {
		return nil, nil, err
	}
	a.editings[key] = editings
	return editings, gaps, nil
}

func comparePaths(a, b Path) int {
	to := func(p Path) authorization.Subject {
		if p.To == nil {
			return authorization.Subject{}
		}
		return *p.To
	}
	return cmp.Or(compareSubjects(a.From, b.From), cmp.Compare(a.Kind, b.Kind), compareSubjects(to(a), to(b)))
}
