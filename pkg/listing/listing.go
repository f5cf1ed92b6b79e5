// Package listing describes admission policies: whom they let through, what they cover by which bindings, and whether their
// expressions compile and pass the API server's type checker. It reads the inventory and writes nothing. It is a library: a CI bot or a
// controller may import it.
package listing

import (
	"context"
	"slices"
	"strings"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// Kind is that of the report.
const Kind = "PolicyList"

// Options are the choices of one list.
type Options struct {
	// Namespace leaves out policies without a binding that covers this one; empty lists all.
	Namespace string
	// Proposed are those of the inventory's policies that are still to be stored; nil where none is.
	Proposed *inventory.Policies
}

// List describes the inventory's policies. The error is the context's, or one of the CEL environment, which is ours.
func List(ctx context.Context, inv inventory.Inventory, options Options) (Report, error) {
	l := &lister{inventory: inv, options: options}
	if l.options.Proposed == nil {
		l.options.Proposed = &inventory.Policies{}
	}
	l.report = Report{
		APIVersion: simulate.APIVersion, Kind: Kind, Server: inv.Server(), Scope: Scope{Namespace: options.Namespace},
		Incomplete: slices.DeleteFunc(slices.Clone(inv.Incomplete()), aboutWebhooks),
	}
	l.readNamespaces(ctx)
	for _, s := range subjects(inv.Policies()) {
		if err := ctx.Err(); err != nil {
			return Report{}, err
		}
		if err := l.add(ctx, s); err != nil {
			return Report{}, err
		}
	}
	l.addUnbound(inv.Policies())
	l.finish()
	return l.report, ctx.Err()
}

// lister is one list in progress.
type lister struct {
	inventory  inventory.Inventory
	options    Options
	namespaces namespaces
	report     Report
}

// add describes one policy.
func (l *lister) add(ctx context.Context, s subject) error {
	p := Policy{
		Kind: s.kind, Name: s.object.GetName(), Origin: l.origin(s.kind, s.object.GetName()), AboutAnnotations: s.aboutAnnotations(),
		FailurePolicy: s.failurePolicy, MatchPolicy: matchPolicyOf(s.constraints), ReinvocationPolicy: s.reinvocationPolicy,
		ParamKind: s.paramKind, Match: matchOf(s.constraints), Parties: partiesOf(s.parties),
	}
	for _, b := range s.bindings {
		if described, covers := l.binding(b, s); covers {
			p.Bindings = append(p.Bindings, described)
		}
	}
	if l.options.Namespace != "" && len(p.Bindings) == 0 {
		l.report.Summary.Elsewhere++
		return nil
	}
	var err error
	if p.Compile, err = l.compile(s, p.Origin); err != nil {
		return err
	}
	p.TypeCheck = l.typeCheck(ctx, s)
	l.report.Policies = append(l.report.Policies, p)
	return nil
}

// incomplete notes something that was asked for and could not be found out.
func (l *lister) incomplete(what, why string) {
	l.report.Incomplete = append(l.report.Incomplete, inventory.Gap{What: what, Why: why})
}

// aboutWebhooks says whether what was not read is no policy.
func aboutWebhooks(gap inventory.Gap) bool {
	return strings.HasSuffix(gap.What, "webhookconfigurations.admissionregistration.k8s.io")
}

func (l *lister) finish() {
	summary := &l.report.Summary
	for _, p := range l.report.Policies {
		summary.Policies++
		for n, counts := range map[*int]bool{
			&summary.AboutAnnotations: p.AboutAnnotations,
			&summary.WithoutBinding:   len(p.Bindings) == 0,
			&summary.NotCompiling:     p.Compile.State == DoesNotCompile,
			&summary.TypeWarnings:     p.TypeCheck.Warns(),
		} {
			if counts {
				*n++
			}
		}
	}
	l.report.Incomplete = sorted(l.report.Incomplete)
	l.report.Assumptions = sorted(l.report.Assumptions)
}

// sorted brings gaps into a stable order, each once.
func sorted(gaps []inventory.Gap) []inventory.Gap {
	slices.SortFunc(gaps, func(a, b inventory.Gap) int {
		return strings.Compare(a.What+"\x00"+a.Why, b.What+"\x00"+b.Why)
	})
	return slices.Compact(gaps)
}
