package audit

import (
	"context"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/downscaler"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// drift is an object whose own template does not go with its annotations any more.
type drift struct {
	object   simulate.ObjectRef
	resource string // such as deployments.apps
	ways     []drifted
}

// drifted is what one way of sending the template comes to, on account of an annotation.
type drifted struct {
	way      string // the kubectl command
	template string // what it sends
	// replicaSet is the one that a rollback takes the annotations from.
	replicaSet string
	// annotations are those that the request changes or a policy acts on.
	annotations []simulate.Annotation
	blocked     bool
	by          []policyName // who denies or alters it; nobody where it is a conflict of server-side apply
	// repeat is the change of annotations alone, if it comes to the same.
	repeat *request.Change
}

// conflict says that the API server itself refuses a server-side apply, because another manager has the annotation.
func (w drifted) conflict() bool { return len(w.by) == 0 }

// sending sends a template as an ordinary user. The template's annotations with the prefix are those given; the object may
// be a copy of the stored one.
type sending func(ctx context.Context, object inventory.Object, annotations map[string]string) (simulate.Result, bool)

// noteDrift tries what an object's template comes to, where it can be known from the object itself. Only objects that carry or were
// applied with a downscaler's annotation are looked at.
func (a *auditor) noteDrift(ctx context.Context, object inventory.Object, into *gathered) {
	if !a.looksForDrift || !mayDrift(object.Meta()) {
		return
	}
	d := drift{object: Ref(object), resource: typeOf(object.Kind)}
	for _, t := range a.templatesOf(ctx, object) {
		for _, via := range t.ways {
			if one := driftBy(ctx, a.simulator, object, t.annotations(), a.sends(t, via)); one != nil {
				one.way, one.template = commandOf(via), t.name
				d.ways = append(d.ways, *one)
			}
		}
	}
	if len(d.ways) > 0 {
		into.drifts = append(into.drifts, d)
	}
}

// mayFindDrift says whether templates are worth trying: the rule is applied, and there is a policy that may block or alter one.
func (a *auditor) mayFindDrift() bool {
	applied := slices.ContainsFunc(a.rules, func(r rule) bool { return r.ID == driftID })
	return applied && slices.ContainsFunc(policiesIn(a.simulator.Policies()), guardPolicy.enforced)
}

func mayDrift(object metav1.Object) bool {
	return len(guardedAnnotations(object)) > 0 || strings.Contains(object.GetAnnotations()[corev1.LastAppliedConfigAnnotation], downscaler.Prefix)
}

// driftBy sends a template and, where it is blocked or altered, two controls: the same without any change of the downscaler's annotations,
// and the same without any of these on either side. It is nil where both come to the same as the template, and where something is not known.
func driftBy(ctx context.Context, simulator *simulate.Simulator, object inventory.Object, annotations map[string]string, send sending) *drifted {
	result, known := send(ctx, object, annotations)
	if !known || result.Outcome != simulate.Blocked && result.Outcome != simulate.Altered {
		return nil
	}
	unchanged, known := send(ctx, object, guardedAnnotations(object.Meta()))
	one := onItsAccount(result, unchanged, known)
	if one == nil {
		without, known := send(ctx, stripped(object, keysOf(object)), nil)
		one = onItsAccount(result, without, known)
	}
	if one != nil {
		one.repeat = repeating(ctx, simulator, object, result)
	}
	return one
}
