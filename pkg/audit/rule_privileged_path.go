package audit

import (
	"context"
	"fmt"
	"maps"
	"slices"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/authorization"
)

// privilegedPath: someone whom the guard stops can make requests as someone whom it lets through, or as one who has its name and somebody
// else's rights. Who is let through is tried; who can act as them is inferred from RBAC. There is one finding for each of them and each kind of
// path, and one for all service accounts of a namespace to which the same paths lead. It is silent where
//
//   - only the cluster's administrators and its own components have a path;
//   - whoever has one is let through as well;
//   - whom the guard lets through may not write anything that it guards.
var privilegedPath = rule{
	Rule: Rule{ID: "privileged-path", Severity: High, Title: "Someone whom the guard stops can act as someone whom it lets through"},
	find: findPrivilegedPath,
}

func findPrivilegedPath(ctx context.Context, v *view) ([]Finding, error) {
	if !v.total.any(Protection.Prevents) {
		return nil, nil
	}
	rbac, err := v.rbac(ctx)
	if rbac == nil {
		return nil, err
	}
	parties, err := v.authorised(ctx, rbac)
	if err != nil {
		return nil, err
	}
	var groups pathGroups
	alone := map[authorization.Subject]bool{} // who gets through by one name
	for _, direct := range []bool{true, false} {
		for _, subject := range slices.SortedFunc(maps.Keys(parties), authorization.Subject.Compare) {
			party := parties[subject]
			if party.direct != direct {
				continue
			}
			paths, err := v.pathsTo(ctx, rbac, party)
			if err != nil {
				return nil, err
			}
			for _, path := range paths {
				if party.gainsOver(parties[path.From]) && (direct || !alone[path.From]) {
					groups.add(party, path)
					alone[path.From] = true
				}
			}
		}
	}
	return groups.findings(v), nil
}

// pathsTo are the paths to somebody whom the guard lets through, but for administrators'.
func (v *view) pathsTo(ctx context.Context, rbac *authorization.RBAC, party *authorised) ([]authorization.Path, error) {
	if !party.direct {
		return party.joint, nil
	}
	paths := authorization.JoinPaths(rbac.Paths(party.subject), rbac.ConstrainedPaths(party.subject, party.made...))
	through, err := v.pathsThrough(ctx, rbac, party.subject)
	administrators := rbac.Administrators()
	return slices.DeleteFunc(append(paths, through...), func(p authorization.Path) bool { return administrators.Include(p.From) }), err
}

// pathGroup are the paths of one kind to one party, or to several service accounts of a namespace to which the same lead.
type pathGroup struct {
	kind    authorization.PathKind
	parties []*authorised
	paths   []authorization.Path // to the first of the parties
}

// pathGroups are those of all parties, in the order of these.
type pathGroups []*pathGroup

// add puts the paths of one party and kind together.
func (g *pathGroups) add(party *authorised, path authorization.Path) {
	at := slices.IndexFunc(*g, func(group *pathGroup) bool { return group.kind == path.Kind && group.parties[0] == party })
	if at < 0 {
		at = len(*g)
		*g = append(*g, &pathGroup{kind: path.Kind, parties: []*authorised{party}})
	}
	(*g)[at].paths = append((*g)[at].paths, path)
}

func (g pathGroups) findings(v *view) []Finding {
	var findings []Finding
	for _, group := range g.joined() {
		findings = append(findings, group.finding(v))
	}
	return findings
}

// joined are the groups with the service accounts of a namespace in one where the same leads to them.
func (g pathGroups) joined() pathGroups {
	var joined pathGroups
	for _, group := range g {
		at := slices.IndexFunc(joined, func(other *pathGroup) bool { return other.leadsLike(group) })
		if at < 0 {
			joined = append(joined, group)
			continue
		}
		joined[at].parties = append(joined[at].parties, group.parties...)
	}
	return joined
}

func (g *pathGroup) leadsLike(other *pathGroup) bool {
	a, b := g.parties[0].subject, other.parties[0].subject
	return g.kind == other.kind && a.Kind == rbacv1.ServiceAccountKind && b.Kind == a.Kind && a.Namespace == b.Namespace &&
		slices.EqualFunc(g.paths, other.paths, func(x, y authorization.Path) bool {
			return x.From == y.From && slices.EqualFunc(x.Rights, y.Rights, func(r, s authorization.Right) bool { return r.By == s.By })
		})
}

func (g *pathGroup) finding(v *view) Finding {
	party := g.parties[0]
	shown := party.shown()
	subject := Subject{Kind: party.subject.Kind, Namespace: party.subject.Namespace, Name: party.subject.Name}
	return Finding{
		Subject: subject, Distinct: distinct(string(g.kind), distinctSet(named(g.from()))),
		Message: fmt.Sprintf("Inferred from RBAC: %s can %s, whom the guard lets through, for example with %s.",
			g.sources(), fmt.Sprintf(g.words().can, g.names()), shown),
		Evidence: v.whoCanCommand(shown),
		Remedy:   fmt.Sprintf(g.words().remedy, g.names()),
	}
}

// from are those who have the paths.
func (g *pathGroup) from() []authorization.Subject {
	var subjects []authorization.Subject
	for _, path := range g.paths {
		subjects = append(subjects, path.From)
	}
	return subjects
}

func (g *pathGroup) names() string {
	var names []string
	for _, party := range g.parties {
		names = append(names, nameOf(party.subject))
	}
	return enumerate(names)
}
