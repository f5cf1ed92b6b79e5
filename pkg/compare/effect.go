package compare

import "slices"

// unprevented are the results of requests that are stored as asked.
var unprevented = []Result{ResultAllowed, ResultWarned, ResultAudited}

func (r Result) passes() bool { return slices.Contains(unprevented, r) }

// effectOf says what a difference means. Of two that are both unknown nobody knows whether they differ.
func effectOf(today, tomorrow Result) (effect Effect, differs bool) {
	switch {
	case today == ResultUnknown || tomorrow == ResultUnknown:
		return Unknown, true
	case today == tomorrow:
		return "", false
	case tomorrow == ResultBlocked:
		return NewlyBlocked, true
	case !tomorrow.passes():
		return NewlyStripped, true
	case !today.passes():
		return NewlyAllowed, true
	}
	return Otherwise, true
}

// Loses says that what the requester asks for passes today and not tomorrow.
func (c Change) Loses() bool { return c.Today.Result.passes() && prevented(c.Tomorrow.Result) }

// Gains says that it passes tomorrow and not today.
func (c Change) Gains() bool { return prevented(c.Today.Result) && c.Tomorrow.Result.passes() }

func prevented(r Result) bool { return r != ResultUnknown && !r.passes() }
