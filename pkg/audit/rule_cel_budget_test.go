package audit

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// walking is a guard with matchConditions before its own, each of which goes through all annotations. What it asks of one is costly, so that some hundreds
// exhaust the budget, and the request that does it is simulated in no time.
func walking(g guard, annotations string) string {
	costly := fmt.Sprintf("%s.all(k, !%q.contains(k))", annotations, strings.Repeat("x", 10_000))
	var conditions strings.Builder
	for i := range 3 {
		fmt.Fprintf(&conditions, "  - {name: walks-%d, expression: %q}\n", i, costly)
	}
	return strings.Replace(g.String(), "  matchConditions:\n", "  matchConditions:\n"+conditions.String(), 1)
}

const (
	ofNew = `object.metadata.?annotations.orValue({})`
	ofOld = `(oldObject == null ? {} : oldObject.metadata.?annotations.orValue({}))`
)

var exhausts = regexp.MustCompile(`By what 50 of them cost, (\d+) further ones that (were|the)`)

// What the rule says of many annotations is true of them: the change passes with as many as it names, and does not with half.
func TestCELBudget(t *testing.T) {
	deployments := []string{"apps/deployments"}
	additions := guard{name: "g", resources: deployments}
	removals := guard{name: "g", removals: true, resources: deployments}
	stripping, restoring, backstop := additions, removals, removals
	stripping.mutating, restoring.mutating, backstop.name = true, true, "h"
	for name, test := range map[string]struct {
		policies string
		evidence string
		before   bool
		column   Column
	}{
		"additions":                      {walking(additions, ofNew), "--set downscaler/exclude=true --past-authorization $(seq -f '--set=j/%.0f=' ", false, ColumnAdd},
		"additions, stripped":            {walking(stripping, ofNew), "$(seq -f '--set=j/%.0f=' ", false, ColumnAdd},
		"removals":                       {walking(removals, ofOld), "audit -n team-a", true, ColumnRemove},
		"removals, with a weak backstop": {walking(restoring, ofOld) + walking(backstop, ofOld), "audit -n team-a", true, ColumnRemove},
	} {
		t.Run(name, func(t *testing.T) {
			manifests := []any{test.policies, teamA, deployment("team-a", "web", `"downscaler/uptime": always`)}
			f := one(t, auditOf(t, manifests...), "cel-budget", test.evidence)
			if f.Subject.Name != "g" || f.Subject.Field != "spec.matchConditions" || f.Severity != High {
				t.Errorf("%+v", f)
			}
			match := exhausts.FindStringSubmatch(f.Message)
			if len(match) != 3 || (match[2] == "were") != test.before {
				t.Fatal(f.Message)
			}
			n, err := strconv.Atoi(match[1])
			if err != nil {
				t.Fatal(err)
			}
			for n, want := range map[int]bool{n: true, n / 2: false} {
				if got := passesBurdened(t, load(t, manifests...), test.column, n, test.before); got != want {
					t.Errorf("with %d annotations it passes: %v", n, got)
				}
			}
		})
	}
}

// passesBurdened really makes the request.
func passesBurdened(t *testing.T, inv inventory.Inventory, column Column, n int, before bool) bool {
	t.Helper()
	simulator := simulatorOf(t, inv).PastAuthorization()
	kinds := GuardedKinds(inv.Kinds())
	for object, err := range inv.Objects(t.Context(), inventory.Query{Kinds: kinds}) {
		if err != nil {
			t.Fatal(err)
		}
		for _, probe := range Probes(object) {
			if isNamespace(object.Kind) || probe.Column != column || probe.Copied {
				continue
			}
			r, err := probe.withJunk(n, before).Request(OrdinaryUser(), "")
			if err != nil {
				t.Fatal(err)
			}
			return simulator.Run(t.Context(), r, simulate.Options{}).Outcome == simulate.Allowed
		}
	}
	t.Fatal("there is no such probe")
	return false
}

func TestCELBudgetSilent(t *testing.T) {
	deployments := []string{"apps/deployments"}
	walks := func(g guard) string { return walking(g, ofNew) }
	once := guard{name: "g", resources: deployments, validation: "object.metadata.annotations.all(k, !k.startsWith('downscaler/'))", condition: "'downscaler/' != ''"}
	for name, manifests := range map[string][]any{
		"the chart's, with few patterns": {rendered(t, false)},
		"hardened":                       {hardened(t)},
		"it fails closed":                {walks(guard{name: "g", resources: deployments, failure: "Fail"})},
		"the annotations once":           {once},
		"no annotations at all":          {walking(guard{name: "g", resources: deployments}, "request.userInfo.groups")},
		"a backstop that holds":          {walks(guard{name: "g", resources: deployments}), guard{name: "h", resources: deployments}},
		"it only warns":                  {walks(guard{name: "g", resources: deployments, actions: "[Warn]"})},
		"another tool's":                 {walks(guard{name: "g", resources: deployments, condition: "'example.com/cost' in object.metadata.annotations"})},
	} {
		t.Run(name, func(t *testing.T) {
			silent(t, auditOf(t, append(manifests, teamA, deployment("team-a", "web", `"downscaler/uptime": always`))...), "cel-budget")
		})
	}
}

// Junk leaves a change as it is.
func TestWithJunk(t *testing.T) {
	change := request.Change{Remove: []string{"downscaler/uptime"}}
	p := Probe{Change: change}.withJunk(2, false)
	if len(p.Change.Set) != 2 || len(p.Change.Remove) != 1 || len(change.Set) != 0 {
		t.Errorf("%+v, of %+v", p.Change, change)
	}
}
