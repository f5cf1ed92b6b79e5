package compare

import (
	"maps"
	"slices"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// Tried are the results of one requester's requests with both sets of policies.
type Tried struct {
	Requester       Requester
	Today, Tomorrow []simulate.Result
}

// Requests compares the results of requests that were simulated with both sets of policies. The gaps are about what was asked for and could
// not be requested at all.
func Requests(today, tomorrow *simulate.Simulator, tried []Tried, gaps []inventory.Gap) Report {
	found := newFindings()
	found.leaveOpen(gaps)
	for _, t := range tried {
		found.requesters[t.Requester.Subject] = t.Requester
		found.compare(t)
	}
	return found.report(today, tomorrow)
}

// sent tells one request of a run from the others: the same object may be sent twice.
type sent struct {
	object      simulate.ObjectRef
	subresource string
	repeated    int
}

// compare pairs the results: what could be requested of one side only, such as an object in a namespace which the other
// refuses to create, is not known of the other.
func (f *findings) compare(t Tried) {
	today, order := numbered(t.Today)
	tomorrow, more := numbered(t.Tomorrow)
	for _, r := range more {
		if _, both := today[r]; !both {
			order = append(order, r)
		}
	}
	writable := map[simulate.ObjectRef]bool{}
	for _, r := range order {
		f.objects[r.object] = true
		before, after := resultOf(today, r), resultOf(tomorrow, r)
		if !unauthorized(before) || !unauthorized(after) {
			writable[r.object] = true
		}
		for _, result := range []simulate.Result{before, after} {
			f.leaveOpen(result.Incomplete)
			f.assume(result.Assumptions)
		}
		for _, c := range differences(r, before, after) {
			f.add(t.Requester.Subject, c)
		}
	}
	f.writable[t.Requester.Subject] = len(writable)
}

func unauthorized(result simulate.Result) bool {
	return slices.ContainsFunc(result.Steps, func(s policy.Step) bool {
		return s.Phase == policy.PhaseAuthorization && s.Decision == policy.Denied
	})
}

func numbered(results []simulate.Result) (byRequest map[sent]simulate.Result, order []sent) {
	byRequest = map[sent]simulate.Result{}
	for _, result := range results {
		r := sent{object: result.Object, subresource: result.Subresource}
		for _, taken := byRequest[r]; taken; _, taken = byRequest[r] {
			r.repeated++
		}
		byRequest[r] = result
		order = append(order, r)
	}
	return byRequest, order
}

func resultOf(results map[sent]simulate.Result, r sent) simulate.Result {
	if result, found := results[r]; found {
		return result
	}
	return simulate.Result{Object: r.object, Subresource: r.subresource, Outcome: simulate.Unknown}
}

// differences are those of each annotation that the request or a policy touches. Where it touches none, the request as a whole counts.
func differences(r sent, today, tomorrow simulate.Result) []Change {
	touched := map[string]simulate.ChangeKind{}
	for _, result := range []simulate.Result{today, tomorrow} {
		for _, a := range result.Annotations {
			if a.Change != simulate.Unchanged || a.Effect != simulate.EffectKept {
				touched[a.Key] = a.Change
			}
		}
	}
	c := Change{Object: r.object, Operation: today.Operation, Subresource: r.subresource}
	if c.Operation == "" {
		c.Operation = tomorrow.Operation
	}
	if len(touched) == 0 {
		touched[""] = ""
	}
	var changes []Change
	for _, key := range slices.Sorted(maps.Keys(touched)) {
		c.Key, c.Asked = key, touched[key]
		c.Today, c.Tomorrow = sideOf(today, key), sideOf(tomorrow, key)
		var differs bool
		if c.Effect, differs = effectOf(c.Today.Result, c.Tomorrow.Result); differs {
			changes = append(changes, c)
		}
	}
	return changes
}

// sideOf is what comes of one annotation of a request; with the key "", of the request as a whole.
func sideOf(result simulate.Result, key string) Side {
	switch result.Outcome {
	case simulate.Unknown:
		return Side{Result: ResultUnknown}
	case simulate.Blocked:
		return Side{Result: ResultBlocked, By: acting(result, policy.Denied, policy.Error)}
	}
	for _, a := range result.Annotations {
		if a.Key == key && a.Effect != simulate.EffectKept {
			return Side{Result: Result(a.Effect), By: a.By}
		}
	}
	if by := acting(result, policy.Warned); len(by) > 0 {
		return Side{Result: ResultWarned, By: by}
	}
	if by := acting(result, policy.Audited); len(by) > 0 {
		return Side{Result: ResultAudited, By: by}
	}
	return Side{Result: ResultAllowed}
}

// acting are the policies whose steps came to one of some decisions.
func acting(result simulate.Result, decisions ...policy.Decision) []simulate.By {
	var found []simulate.By
	for _, s := range result.Steps {
		by := simulate.By{Kind: s.Kind, Policy: s.Policy, Binding: s.Binding}
		if s.Policy != "" && slices.Contains(decisions, s.Decision) && !slices.Contains(found, by) {
			found = append(found, by)
		}
	}
	return found
}
