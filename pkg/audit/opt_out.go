package audit

import (
	"context"
	"fmt"
	"maps"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// optOut is something in an object's metadata that its writer chooses, and by which the object may get out of its guard.
type optOut struct {
	field string // labels, annotations or name
	key   string
	value *string // nil: taken out
}

// String names it in a sentence: the label sleep-guard: off.
func (o optOut) String() string {
	one := map[string]string{"labels": "label", "annotations": "annotation"}[o.field]
	switch {
	case o.field == "name":
		return "the name " + *o.value
	case o.value == nil:
		return fmt.Sprintf("no %s %s", one, o.key)
	}
	return fmt.Sprintf("the %s %s: %s", one, o.key, *o.value)
}

func (o optOut) applyTo(meta metav1.Object) {
	switch o.field {
	case "name":
		meta.SetName(*o.value)
	case "labels":
		meta.SetLabels(o.changed(meta.GetLabels()))
	case "annotations":
		meta.SetAnnotations(o.changed(meta.GetAnnotations()))
	}
}

func (o optOut) changed(all map[string]string) map[string]string {
	all = maps.Clone(all)
	if o.value == nil {
		delete(all, o.key)
		return all
	}
	if all == nil {
		all = map[string]string{}
	}
	all[o.key] = *o.value
	return all
}

// wayOut is an opt-out that was found to work, by one of three ways.
type wayOut struct {
	optOut
	how    string
	stop   *stop
	result simulate.Result // of the request that changes the annotation
}

// The ways: both changes in one update, in a creation, or the opt-out first and the annotation next.
const (
	outTogether = "in the same update"
	outCreated  = "in its creation"
	outTwice    = "in an update before"
)

// tryOut makes a prevented change of an ordinary user's with an opt-out, by each of the ways that there are for it.
func (v *view) tryOut(ctx context.Context, s *stop, o optOut) []wayOut {
	t := v.trier("")
	r, err := s.Request(t.requester, "")
	if err != nil {
		return nil
	}
	var found []wayOut
	how := outTogether
	if s.Column == ColumnCreate {
		how = outCreated
	} else if o.field == "name" {
		return nil // which can't be changed
	}
	result := t.simulator.Run(ctx, out(r, o), simulate.Options{Explain: true})
	v.leaveOpen(result)
	if keeps(result, s.Key) {
		found = append(found, wayOut{o, how, s, result})
	}
	if how == outCreated {
		return found
	}
	object, ok := v.outFirst(ctx, s.Object, o)
	if !ok {
		return found
	}
	if r, err = (Probe{Column: s.Column, Key: s.Key, Object: object, Change: s.Change}).Request(t.requester, ""); err != nil {
		return found
	}
	result = t.simulator.Run(ctx, r, simulate.Options{Explain: true})
	v.leaveOpen(result)
	if keeps(result, s.Key) {
		found = append(found, wayOut{o, outTwice, s, result})
	}
	return found
}

// leaveOpen keeps what it is that leaves a request's outcome unknown: it might have been a way out.
func (v *view) leaveOpen(result simulate.Result) {
	if result.Outcome != simulate.Unknown {
		return
	}
	for _, gap := range result.Incomplete {
		v.gathered.incomplete[gap] = true
	}
}

// outFirst makes the opt-out alone, as the ordinary user, and returns the object that is stored then.
func (v *view) outFirst(ctx context.Context, object inventory.Object, o optOut) (inventory.Object, bool) {
	r, err := request.Annotate(OrdinaryUser(), object, request.Change{}, request.Options{})
	if err != nil {
		return object, false
	}
	result, stored := v.simulator.Store(ctx, out(r, o), simulate.Options{})
	v.leaveOpen(result)
	if result.Disorder != nil || stored == nil || result.Outcome != simulate.Allowed && result.Outcome != simulate.Altered {
		return object, false
	}
	object.Value = stored
	return object, true
}

// out is a request with an opt-out made as well.
func out(r request.Request, o optOut) request.Request {
	r.Proposed = r.Proposed.DeepCopyObject()
	o.applyTo(metaOf(r.Proposed))
	if o.field == "name" {
		r.Name = *o.value
	}
	return r
}

// keeps says whether a request passes and the change of one annotation is stored.
func keeps(result simulate.Result, key string) bool {
	if result.Disorder != nil || result.Outcome != simulate.Allowed && result.Outcome != simulate.Altered {
		return false
	}
	for _, a := range result.Annotations {
		if a.Key == key {
			return a.Change != simulate.Unchanged && a.Effect == simulate.EffectKept
		}
	}
	return false
}
