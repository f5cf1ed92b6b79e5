package audit

import (
	"context"
	"fmt"
	"maps"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// optOut is something that the writer of an object chooses, in it or in the request, and by which the object may get out of its guard.
type optOut struct {
	field string // labels, annotations, name or fieldManager, or the path of another field
	key   string
	value *string // nil: taken out
	// to is what another field is set to; nil: it is taken out.
	to any
	// who makes the request; the ordinary user where nobody is named.
	who string
}

const (
	fieldManager    = "fieldManager"
	finalizers      = "metadata.finalizers"
	ownerReferences = "metadata.ownerReferences"
)

// String names it in a sentence: the label sleep-guard: off.
func (o optOut) String() string {
	one := map[string]string{"labels": "label", "annotations": "annotation"}[o.field]
	switch {
	case o.field == "name":
		return "the name " + *o.value
	case o.field == fieldManager:
		return "the field manager " + *o.value
	case one == "" && o.to == nil:
		return "no " + o.field
	case one == "":
		return fmt.Sprintf("%s: %s", o.field, inJSON(o.to))
	case o.value == nil:
		return fmt.Sprintf("no %s %s", one, o.key)
	}
	return fmt.Sprintf("the %s %s: %s", one, o.key, *o.value)
}

// requester is who makes the request with it.
func (o optOut) requester() request.Requester {
	if o.who == "" {
		return OrdinaryUser()
	}
	return request.NewRequester(o.who, nil, "", nil)
}

func (o optOut) applyTo(object runtime.Object) {
	meta := metaOf(object)
	switch o.field {
	case "name":
		meta.SetName(*o.value)
	case "labels":
		meta.SetLabels(o.changed(meta.GetLabels()))
	case "annotations":
		meta.SetAnnotations(o.changed(meta.GetAnnotations()))
	case fieldManager:
	case finalizers:
		list, _ := o.to.([]string)
		meta.SetFinalizers(list)
	case ownerReferences:
		list, _ := o.to.([]metav1.OwnerReference)
		meta.SetOwnerReferences(list)
	default:
		setField(object, o.field, o.to)
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

// tryOut makes a prevented change of an ordinary user's with an opt-out, by each of the ways that there are for it, and returns those that lead out. Where it
// is made in somebody else's name, it has to be prevented for them, too.
func (v *view) tryOut(ctx context.Context, s *stop, o optOut) []wayOut {
	t := v.trier("")
	t.requester = o.requester()
	if o.who != "" && !t.tryProbe(ctx, s.Probe, &controls{trier: t, object: s.object}).protection.Prevents() {
		return nil
	}
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
	if how == outCreated || o.field == fieldManager { // which only the request itself has
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

// outFirst makes the opt-out alone and returns the object that is stored then.
func (v *view) outFirst(ctx context.Context, object inventory.Object, o optOut) (inventory.Object, bool) {
	r, err := request.Annotate(o.requester(), object, request.Change{}, request.Options{})
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
	o.applyTo(r.Proposed)
	switch o.field {
	case "name":
		r.Name = *o.value
	case fieldManager:
		r.Options = r.Options.DeepCopyObject()
		switch options := r.Options.(type) {
		case *metav1.CreateOptions:
			options.FieldManager = *o.value
		case *metav1.UpdateOptions:
			options.FieldManager = *o.value
		}
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
