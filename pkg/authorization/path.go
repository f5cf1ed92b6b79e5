package authorization

import (
	"slices"

	"k8s.io/apiserver/pkg/authorization/authorizer"
)

// PathKind is a kind of way in which somebody makes requests as somebody else.
type PathKind string

// The kinds. PathPod is a pod that runs as a service account, or whatever makes one; PathTemplate a workload that is there and whose pods
// will run as it; PathExec a command in what runs as it already; PathAccount a service account that does not exist yet; PathCertificate a
// client certificate that one approves for oneself.
const (
	PathImpersonation PathKind = "Impersonation"
	PathToken         PathKind = "Token"
	PathPod           PathKind = "Pod"
	PathTemplate      PathKind = "Template"
	PathExec          PathKind = "Exec"
	PathAccount       PathKind = "Account"
	PathCertificate   PathKind = "Certificate"
)

// Path is a way in which one subject makes requests as another, by rights that roles and bindings give it.
type Path struct {
	Kind PathKind `json:"kind"`
	From Subject  `json:"from"`
	To   Subject  `json:"to"`
	// With is whom they take on as well, at once, where To alone has no rights, or only rights and no name that counts.
	With *Subject `json:"with,omitempty"`
	// Rights are all that it takes.
	Rights []Right `json:"rights"`
}

// Right is one right of a path.
type Right struct {
	// What it allows, such as "create serviceaccounts/token deployer in namespace ci".
	What string `json:"what"`
	// By names the binding, the role and its subject in the API server's words.
	By string `json:"by"`
}

// way is one way to act as somebody: what has to be allowed, and of each the alternatives.
type way struct {
	kind  PathKind
	takes [][]asking
}

// asking is one right that a way may take.
type asking struct {
	authorizer.AttributesRecord
	// some says that any name will do, and in any namespace if the kind has them: a right for one of them is enough.
	some bool
	// names are those of which one will do.
	names []string
}

// Paths are the ways in which others make requests as a subject, one of a kind for each of them: by impersonation, by a token or a
// pod of a service account, as a new service account of a namespace whose accounts are a group, or by a client certificate. What the roles
// and bindings don't say, such as which pods run already, has no part in it: see PathsThrough.
func (r *RBAC) Paths(to Subject) []Path { return r.through(to, waysTo(to)) }

// ConstrainedPaths are those by the constrained forms of impersonation (KEP-5284), which take a right for what is then requested: made
// are these requests, each of which will do.
func (r *RBAC) ConstrainedPaths(to Subject, made ...authorizer.AttributesRecord) []Path {
	if len(made) == 0 {
		return nil
	}
	return r.through(to, constrainedWaysTo(to, made))
}

// JoinPaths are those of both lists, one of a kind for each subject.
func JoinPaths(paths, more []Path) []Path {
	joined := slices.Clone(paths)
	for _, path := range more {
		if !slices.ContainsFunc(paths, func(p Path) bool { return p.Kind == path.Kind && p.From == path.From && p.To == path.To }) {
			joined = append(joined, path)
		}
	}
	return joined
}

func (r *RBAC) through(to Subject, ways []way) []Path {
	var paths []Path
	taken := map[PathKind][]Subject{}
	for _, w := range ways {
		for _, path := range r.along(w) {
			if path.From == to || slices.Contains(taken[path.Kind], path.From) {
				continue
			}
			taken[path.Kind] = append(taken[path.Kind], path.From)
			path.To = to
			paths = append(paths, path)
		}
	}
	return paths
}

// along are the paths of all who have every right that a way takes. Each right may come from another binding, and from a
// group that everybody is in.
func (r *RBAC) along(w way) []Path {
	granted := make([][]entitled, len(w.takes))
	var paths []Path
	seen := map[Subject]bool{}
	for i, alternatives := range w.takes {
		granted[i] = r.entitled(alternatives)
	}
	for _, list := range granted {
		for _, e := range list {
			if seen[e.grant.Subject] {
				continue
			}
			seen[e.grant.Subject] = true
			if rights := rightsOf(e.grant.Subject, granted); rights != nil {
				paths = append(paths, Path{Kind: w.kind, From: e.grant.Subject, Rights: rights})
			}
		}
	}
	return paths
}

// entitled is who has a right, and which.
type entitled struct {
	grant Grant
	what  string
}

func (r *RBAC) entitled(alternatives []asking) []entitled {
	var all []entitled
	for _, a := range alternatives {
		for _, grant := range r.grantsOf(a) {
			all = append(all, entitled{grant, a.String()})
		}
	}
	return all
}

// rightsOf are a subject's rights among those granted, one of each; nil where one is missing.
func rightsOf(s Subject, granted [][]entitled) []Right {
	u := s.Requester().User()
	var rights []Right
	for _, list := range granted {
		at := slices.IndexFunc(list, func(e entitled) bool { return e.grant.To(u) })
		if at < 0 {
			return nil
		}
		rights = append(rights, Right{What: list[at].what, By: list[at].grant.By})
	}
	return rights
}
