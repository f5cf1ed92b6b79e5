package compare

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

var web = simulate.ObjectRef{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "team-a", Name: "web"}

// added is the result of a request that adds a key.
func added(outcome simulate.Outcome, effect simulate.Effect, steps ...policy.Step) simulate.Result {
	value := "true"
	return simulate.Result{
		Object: web, Operation: "UPDATE", Outcome: outcome, Steps: steps,
		Annotations: []simulate.Annotation{{Key: "downscaler/exclude", Change: simulate.Added, Proposed: &value, Effect: effect}},
	}
}

func step(decision policy.Decision) policy.Step {
	return policy.Step{Kind: "ValidatingAdmissionPolicy", Policy: "p", Binding: "b", Decision: decision}
}

func TestRequests(t *testing.T) {
	kept := added(simulate.Allowed, simulate.EffectKept)
	denied := added(simulate.Blocked, simulate.EffectBlocked, step(policy.Denied))
	stripped := added(simulate.Altered, simulate.EffectStripped)
	replaced := added(simulate.Altered, simulate.EffectReplaced)
	warned := added(simulate.Allowed, simulate.EffectKept, step(policy.Warned))
	audited := added(simulate.Allowed, simulate.EffectKept, step(policy.Audited))
	unknown := added(simulate.Unknown, simulate.EffectUnknown)
	plain := simulate.Result{Object: web, Operation: "UPDATE", Outcome: simulate.Allowed}
	plainDenied := simulate.Result{Object: web, Operation: "UPDATE", Outcome: simulate.Blocked, Steps: []policy.Step{step(policy.Denied)}}
	for name, test := range map[string]struct {
		today, tomorrow simulate.Result
		want            string
	}{
		"both pass":            {kept, kept, ""},
		"both denied":          {denied, denied, ""},
		"newly denied":         {kept, denied, "downscaler/exclude Added NewlyBlocked Allowed [] Blocked [p]"},
		"newly stripped":       {kept, stripped, "downscaler/exclude Added NewlyStripped Allowed [] Stripped []"},
		"denied, now stripped": {denied, stripped, "downscaler/exclude Added NewlyStripped Blocked [p] Stripped []"},
		"stripped, now denied": {stripped, denied, "downscaler/exclude Added NewlyBlocked Stripped [] Blocked [p]"},
		"replaced otherwise":   {stripped, replaced, "downscaler/exclude Added NewlyStripped Stripped [] Replaced []"},
		"newly passing":        {denied, kept, "downscaler/exclude Added NewlyAllowed Blocked [p] Allowed []"},
		"newly warned":         {kept, warned, "downscaler/exclude Added Otherwise Allowed [] Warned [p]"},
		"warned, now audited":  {warned, audited, "downscaler/exclude Added Otherwise Warned [p] Audited [p]"},
		"warned, now denied":   {warned, denied, "downscaler/exclude Added NewlyBlocked Warned [p] Blocked [p]"},
		"not known tomorrow":   {kept, unknown, "downscaler/exclude Added Unknown Allowed [] Unknown []"},
		"not known at all":     {unknown, unknown, "downscaler/exclude Added Unknown Unknown [] Unknown []"},
		"no annotation":        {plain, plainDenied, "  NewlyBlocked Allowed [] Blocked [p]"},
	} {
		t.Run(name, func(t *testing.T) {
			who := Named(request.NewRequester("dev", nil, "", nil))
			tried := Tried{Requester: who, Today: []simulate.Result{test.today}, Tomorrow: []simulate.Result{test.tomorrow}}
			report := Requests(simulatorOf(t), simulatorOf(t), []Tried{tried}, nil)
			var got []string
			for _, c := range report.Changes {
				got = append(got, fmt.Sprintf("%s %s %s %s %v %s %v", c.Key, c.Asked, c.Effect, c.Today.Result, names(c.Today), c.Tomorrow.Result, names(c.Tomorrow)))
			}
			var want []string
			if test.want != "" {
				want = []string{test.want}
			}
			if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func names(side Side) []string {
	list := []string{}
	for _, by := range side.By {
		list = append(list, by.Policy)
	}
	return list
}

// A request that only one side gets as far as to make, such as one into a namespace which tomorrow is not created, is not known of the
// other; what kept it from being made is incomplete.
func TestRequestsOfOneSide(t *testing.T) {
	gap := inventory.Gap{What: "web", Why: "namespaces \"team-b\" not found"}
	tried := Tried{Requester: Ordinary(), Today: []simulate.Result{added(simulate.Allowed, simulate.EffectKept)}}
	report := Requests(simulatorOf(t), simulatorOf(t), []Tried{tried}, []inventory.Gap{gap})
	if len(report.Changes) != 1 || report.Changes[0].Effect != Unknown || !cmp.Equal(report.Incomplete, []inventory.Gap{gap}) {
		t.Errorf("%+v, incomplete %v", report.Changes, report.Incomplete)
	}
}

// The same object may be sent twice in a run: each request is paired with its own.
func TestRequestsThatRepeat(t *testing.T) {
	kept, denied := added(simulate.Allowed, simulate.EffectKept), added(simulate.Blocked, simulate.EffectBlocked, step(policy.Denied))
	tried := Tried{Requester: Ordinary(), Today: []simulate.Result{kept, denied}, Tomorrow: []simulate.Result{kept, kept}}
	report := Requests(simulatorOf(t), simulatorOf(t), []Tried{tried}, nil)
	if len(report.Changes) != 1 || report.Changes[0].Effect != NewlyAllowed || report.Summary.Objects != 1 {
		t.Errorf("%+v %+v", report.Changes, report.Summary)
	}
}
