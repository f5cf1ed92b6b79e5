// Package audit says of every workload and namespace how well its annotations are guarded, and what is wrong with
// the guard. It reads nothing but the inventory and writes nothing: every answer comes from a simulated request. It is a
// library: a CI bot or a controller may import it.
package audit

import (
	"context"
	"time"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/chart"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// Options are the choices of one audit. The zero value audits everything with the ordinary user.
type Options struct {
	// Requester is the one that the guards are tried with; OrdinaryUser where its name is empty. Findings are
	// always those for the ordinary user: what an authorised user may do is no fault of the guard.
	Requester request.Requester

	// Query selects the objects. Without Kinds they are every workload kind of the downscaler's that the server
	// has, and namespaces. With a Namespace, that one only is audited as a namespace.
	Query inventory.Query

	// Scaled are the ids of the kinds that the downscaler scales, as its --include-resources takes them. Empty: what its
	// own arguments say where it is found in any namespace, and every kind of its otherwise.
	Scaled []string

	// Flags are the arguments that a command needs to find the same state, such as "--from" and its path. Every
	// finding's evidence has them.
	Flags []string

	// Mistakes are what is wrong with the Helm values that policies were proposed by, and Values the file of these.
	Mistakes []chart.Mistake
	Values   string

	// Rules are the ids of the rules to apply; every one where there is none. The others are in the report's SkippedRules: what they
	// would find is not known.
	Rules []string

	// Now is when the audit is made. Where it is zero, it isn't looked for exclusions that are over.
	Now time.Time

	// Concurrency is how many objects are tried at once; GOMAXPROCS where it is 0.
	Concurrency int
}

// OrdinaryUser is the requester that guards are tried with: a name nobody can have, since no mail comes from the
// top-level domain "invalid" (RFC 2606), with no group but the one of every authenticated user. A pattern that lets even
// that name through lets anyone through.
func OrdinaryUser() request.Requester {
	return request.NewRequester("nobody@ordinary.invalid", nil, "", nil)
}

// Run audits the simulator's inventory. What could not be read or tried is in the report's Incomplete, and the rest
// is audited nevertheless. The error is the context's, or one of reading that concerns more than one kind.
func Run(ctx context.Context, simulator *simulate.Simulator, options Options) (Report, error) {
	if options.Requester.Username == "" {
		options.Requester = OrdinaryUser()
	}
	applied, err := chosen(options.Rules)
	if err != nil {
		return Report{}, err
	}
	a := newAuditor(simulator, options)
	a.rules = applied
	a.looksForDrift = a.mayFindDrift()
	if err := a.collect(ctx); err != nil {
		return Report{}, err
	}
	findings, err := a.findings(ctx)
	if err != nil {
		return Report{}, err
	}
	return a.report(findings), nil
}

// auditor is one audit in progress.
type auditor struct {
	simulator *simulate.Simulator
	inventory inventory.Inventory
	options   Options
	rules     []rule // those to apply
	trier     trier  // with the requester asked for
	ordinary  *trier // with the ordinary user, where that is someone else
	gathered  *gathered
	// looksForDrift says that the objects' own templates are tried.
	looksForDrift bool
}

func newAuditor(simulator *simulate.Simulator, options Options) *auditor {
	simulator = simulator.PastAuthorization() // whether RBAC would stop someone is no matter of the guard
	related := annotationPolicies(simulator.Policies())
	a := &auditor{
		simulator: simulator,
		inventory: simulator.Inventory(),
		options:   options,
		trier:     trier{simulator: simulator, requester: options.Requester, related: related},
		gathered:  newGathered(),
	}
	if !sameRequester(options.Requester, OrdinaryUser()) {
		a.ordinary = &trier{simulator: simulator, requester: OrdinaryUser(), related: related}
	}
	return a
}

// whole says whether nothing was left out of the audit by its options.
func (a *auditor) whole() bool {
	query := a.options.Query
	return query.Namespace == "" && len(query.Kinds) == 0 && (query.Selector == nil || query.Selector.Empty())
}
