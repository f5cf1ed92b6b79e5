package audit

import (
	"context"
	"fmt"
	"slices"

	"k8s.io/apiserver/pkg/authorization/authorizer"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/authorization"
)

// editorPaths finds who can act as somebody who may write the guard, or give themselves the right. Of those whom the guard lets through anyway,
// privileged-path says who can act as them.
func (v *view) editorPaths(ctx context.Context, rbac *authorization.RBAC, parts []part) ([]Finding, error) {
	parties, err := v.authorised(ctx, rbac)
	if err != nil {
		return nil, err
	}
	accounts, err := v.accounts(ctx)
	if err != nil {
		return nil, err
	}
	paths, err := EditingPaths(rbac, editingsOf(rbac, parts), accounts, func(to authorization.Subject, asked ...authorizer.AttributesRecord) ([]authorization.Path, error) {
		if p := parties[to]; p != nil && p.direct {
			return nil, nil
		}
		found := rbac.Paths(to)
		if authorization.ImpersonatesConstrained(v.inventory.Server().Version) {
			found = authorization.JoinPaths(found, rbac.ConstrainedPaths(to, asked...))
		}
		through, err := v.pathsThrough(ctx, rbac, to)
		return append(found, through...), err
	})
	if err != nil {
		return nil, err
	}
	var groups pathGroups
	what := map[authorization.Subject]string{}
	for _, path := range paths {
		if p := parties[path.From]; p != nil && p.direct {
			continue // the guard does not stop them
		}
		what[path.To] = path.What
		groups.add(groups.partyOf(path.To), path.Path)
	}
	var findings []Finding
	for _, group := range groups.joined() {
		findings = append(findings, group.editing(ctx, v, what[group.parties[0].subject], parts))
	}
	return findings, nil
}

// partyOf is the one of a subject, a new one where there is none yet.
func (g pathGroups) partyOf(subject authorization.Subject) *authorised {
	at := slices.IndexFunc(g, func(group *pathGroup) bool { return group.parties[0].subject == subject })
	if at < 0 {
		return &authorised{subject: subject}
	}
	return g[at].parties[0]
}

// editing is the finding about those who can change the guard by these paths.
func (g *pathGroup) editing(ctx context.Context, v *view, what string, parts []part) Finding {
	to := g.parties[0].subject
	f := Finding{
		Subject: Subject{Kind: to.Kind, Namespace: to.Namespace, Name: to.Name}, Distinct: distinct(string(g.kind), distinctSet(named(g.from()))),
		Message: fmt.Sprintf("Inferred from RBAC: %s can %s, who may %s. Whoever may do that can switch the guard off.",
			g.sources(), fmt.Sprintf(g.words().can, g.names()), what),
		Remedy:   fmt.Sprintf(g.words().remedy, g.names()),
		Evidence: commandLine([]string{"audit", "-A", "--rule", policyEditableID}, v.flags),
	}
	if g.kind == authorization.PathRights {
		f.Message = fmt.Sprintf("Inferred from RBAC: %s can give themselves every right, and so switch the guard off.", g.sources())
		f.Remedy = "Take bind and escalate on clusterroles out of these roles, or let bind name others than cluster-admin (resourceNames)."
		return f
	}
	if to == masters || g.kind != authorization.PathCertificate {
		f.Evidence = (&editor{subjects: []authorization.Subject{to}, parts: parts, verbs: []string{"patch"}}).evidence(ctx, v)
	}
	return f
}
