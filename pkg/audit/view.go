package audit

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/authorization"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/chart"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// view is what rules look at. They don't change it, and make further requests by its simulator. All of it is about
// the ordinary user.
type view struct {
	inventory inventory.Inventory
	simulator *simulate.Simulator
	gathered  *gathered
	// policies are those of the simulator, bindings also those without a policy.
	policies []guardPolicy
	bindings []guardBinding
	// kinds are the objects' counts by kind, sorted by the kind's name, and total is all of them.
	kinds []*tally
	total *tally
	// query is what was audited, and whole says that no option left anything out.
	query inventory.Query
	whole bool
	flags []string
	// now is when the audit is made; nothing has expired where it is zero.
	now time.Time

	// mistakes are those of the Helm values in the file named values.
	mistakes []chart.Mistake
	values   string

	// scaled are the ids of the kinds that the options name.
	scaled  []string
	tryouts map[policyName]*gathered
	opened  *trier
	// found are the findings of the rules that were applied.
	found map[string][]Finding

	serviceAccounts *[]authorization.Subject              // nil until they are read
	parties         map[authorization.Subject]*authorised // nil until they are tried
	workloads       map[string][]authorization.Workload   // by namespace, as far as they were read
}

func (a *auditor) view() *view {
	v := &view{
		inventory: a.inventory, simulator: a.simulator, gathered: a.gathered,
		policies: policiesIn(a.simulator.Policies()), bindings: bindingsIn(a.simulator.Policies()),
		total: newTally(inventory.Kind{}), query: a.options.Query, whole: a.whole(), flags: a.options.Flags, now: a.options.Now,
		scaled: a.options.Scaled, tryouts: map[policyName]*gathered{}, found: map[string][]Finding{},
		mistakes: a.options.Mistakes, values: a.options.Values,
	}
	byKind := map[schema.GroupKind]*tally{}
	for at, t := range a.gathered.tallies {
		if byKind[at.kind] == nil {
			byKind[at.kind] = newTally(t.kind)
		}
		byKind[at.kind].merge(t)
		v.total.merge(t)
	}
	v.kinds = slices.SortedFunc(maps.Values(byKind), func(x, y *tally) int { return cmp.Compare(typeOf(x.kind), typeOf(y.kind)) })
	return v
}

// trier tries further requests as the ordinary user, by all policies.
func (v *view) trier(subresource string) *trier {
	return &trier{simulator: v.simulator, requester: OrdinaryUser(), subresource: subresource, related: annotationPolicies(v.simulator.Policies())}
}

func (v *view) sampleOf(kind inventory.Kind) *samples {
	return v.gathered.samples[kind.Kind.GroupKind()]
}

// showing is the best example for what does not act at all: a change that passes, else any change of any object.
func (v *view) showing() (example, bool) {
	if v.total.open != nil {
		return *v.total.open, true
	}
	for _, t := range v.kinds {
		object := v.sampleOf(t.kind).first.object
		for _, probe := range Probes(object) {
			if probe.Column == ColumnAdd {
				return exampleOf(tried{Probe: probe}), true
			}
		}
	}
	return example{}, false
}

// namespacesWith counts the namespaces that hold objects of a kind.
func (v *view) namespacesWith(kind inventory.Kind) int {
	count := 0
	for at := range v.gathered.tallies {
		if at.kind == kind.Kind.GroupKind() {
			count++
		}
	}
	return count
}

// tryOpened tries an object's addition by the enforced guards alone, with every selector of theirs taken out, so that
// only their rules decide whether they match.
func (v *view) tryOpened(ctx context.Context, guards []guardPolicy, object inventory.Object) ([]tried, error) {
	if v.opened == nil {
		policies := withoutSelectors(guards)
		simulator, err := v.simulator.WithPolicies(ctx, policies)
		if err != nil {
			return nil, err
		}
		v.opened = &trier{simulator: simulator, requester: OrdinaryUser(), related: annotationPolicies(policies)}
	}
	return v.opened.try(ctx, object), nil
}

// names lists policies for a sentence.
func names(policies []guardPolicy) string {
	var list []string
	for _, p := range policies {
		list = append(list, p.kind+" "+p.name)
	}
	return enumerate(list)
}

// enumerate joins words for a sentence, and counts those beyond the tenth.
func enumerate(words []string) string {
	const most = 10
	if len(words) > most {
		words = append(slices.Clone(words[:most]), fmt.Sprintf("%d more", len(words)-most))
	}
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}

// count writes a number with its noun.
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
