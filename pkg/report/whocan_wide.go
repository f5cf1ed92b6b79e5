package report

import (
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/audit"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/authorization"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/whocan"
)

// whoCanWide has a row for everybody who may write an object, with what lets them through, and for each path.
func whoCanWide(report *whocan.Report, options Options) ([]byte, error) {
	table := objectTable{headers: []string{"WHO", "RESULT", "LET THROUGH BY", "HOW"}, name: fullName}
	for _, o := range report.Objects {
		for _, cells := range whoCanCells(o, options.ShowAll) {
			table.rows = append(table.rows, objectRow{ref: o.Object, cells: cells})
		}
	}
	rows, err := table.render(options)
	return whoCanDocument(rows, report, options), err
}

// whoCanCells are those of one object: who gets through, who does by a path, and the rest; administrators at the end, if at all.
func whoCanCells(o whocan.Object, all bool) [][]string {
	var direct, rest, administrators, paths [][]string
	for _, r := range o.Requesters {
		result := escape(strings.ToLower(string(r.Result)))
		if len(r.By) > 0 {
			result += " by " + escape(r.By[0].Policy)
		}
		if r.RefusedAnyway {
			result += ", with the annotation or without"
		}
		if r.Subresource != "" {
			result += " through /" + escape(r.Subresource)
		}
		cells := []string{nameOfSubject(r.Subject), result, letThroughBy(r), escape(r.GrantedBy)}
		switch {
		case r.Administrator && !all:
		case r.Administrator:
			cells[0] += " (administrator)"
			administrators = append(administrators, cells)
		case r.Result.Passes():
			direct = append(direct, cells)
		default:
			rest = append(rest, cells)
		}
	}
	for _, p := range o.Paths {
		paths = append(paths, []string{nameOfSubject(p.From), pathWord(p), none, rightsOf(p)})
	}
	return slices.Concat(direct, paths, rest, administrators)
}

// letThroughBy says why a change passes that is prevented for others.
func letThroughBy(r whocan.Requester) string {
	switch {
	case !r.Result.Passes():
		return none
	case r.Unguarded:
		return "nothing prevents it"
	case len(r.Exemptions) == 0:
		return "no name that a policy compares with a constant"
	}
	var words []string
	for _, x := range r.Exemptions {
		words = append(words, exemptionWords(x))
	}
	return firstOf(words, few, "; ")
}

var matchWords = map[policy.Match]string{policy.MatchPrefix: "startsWith", policy.MatchSuffix: "endsWith", policy.MatchContains: "contains"}

func exemptionWords(x audit.Exemption) string {
	of := " in " + escape(x.Policy)
	switch {
	case x.Match == policy.MatchEquals:
		return "its name" + of
	case x.Part:
		return quote(x.Text, 200) + of + ", which matches only a part of its name"
	case matchWords[x.Match] != "":
		return matchWords[x.Match] + "(" + quote(x.Text, 200) + ")" + of
	}
	return quote(x.Text, 200) + of
}

func pathWord(p whocan.Path) string {
	switch {
	case p.To == nil && p.Kind == authorization.PathRights:
		return "can give themselves every right"
	case p.To == nil:
		return "can change the guard"
	}
	to := nameOfSubject(*p.To)
	switch p.Kind {
	case whocan.PathPolicy:
		return "can change the guard as " + to
	case authorization.PathImpersonation:
		return "can impersonate " + to + together(p)
	case authorization.PathToken:
		return "can make a token of " + to
	case authorization.PathPod:
		return "can run pods as " + to
	case authorization.PathTemplate:
		return "can change workloads to run as " + to
	case authorization.PathExec:
		return "can enter pods of " + to
	case authorization.PathCertificate:
		return "can approve a certificate of " + to
	case authorization.PathAccount:
		return "can create an account in " + to
	}
	return "can act as " + to
}

// together says whom a path takes on besides.
func together(p whocan.Path) string {
	switch {
	case p.With == nil:
		return ""
	case *p.With == p.From:
		return " and stay themselves"
	}
	return " together with " + nameOfSubject(*p.With)
}

func rightsOf(p whocan.Path) string {
	var words []string
	for _, right := range p.Rights {
		words = append(words, escape(right.What)+": "+escape(right.By))
	}
	return strings.Join(words, "; ")
}

func nameOfSubject(s authorization.Subject) string {
	if s.Kind == rbacv1.UserKind {
		return "user " + escape(s.Name)
	}
	return escape(s.String())
}
