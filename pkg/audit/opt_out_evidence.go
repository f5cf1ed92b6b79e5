package audit

import (
	"context"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apiserver/pkg/admission"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// outEvidence is a command that shows a way out: the change of an existing object where nothing but annotations or the field manager is changed, else the
// creation of a made-up one, as far as one of these was found to pass, else the audit, which tries it again.
func (v *view) outEvidence(ctx context.Context, ways []wayOut) string {
	for _, w := range ways {
		e := exampleOf(w.stop.tried)
		switch {
		case w.how != outTogether || e.onCopy():
		case w.field == "annotations" && w.value != nil && strings.Contains(w.key, "/"):
			return v.evidenceWith(w.requester(), e, "--set", w.key+"="+*w.value)
		case w.field == fieldManager:
			return v.evidenceWith(w.requester(), e, "--field-manager", *w.value)
		}
	}
	for _, w := range ways {
		if made := madeUp(w.stop, w.optOut); w.how == outCreated && v.creates(ctx, made, w) {
			return v.sendingOut(made, w.optOut)
		}
	}
	return v.auditCommand(OrdinaryUser(), exampleOf(ways[0].stop.tried))
}

// evidenceWith is an example's evidence with a further change.
func (v *view) evidenceWith(who request.Requester, e example, more ...string) string {
	own := *v
	own.flags = append(slices.Clone(more), v.flags...)
	return own.evidenceAs(who, e, "")
}

// madeUp is the manifest of a new object: of the kind, in the namespace and with the labels of a stop's, and with its annotation and an opt-out. What else the stored
// object holds may be nobody's business, and is left out.
func madeUp(s *stop, o optOut) inventory.Object {
	object := bare(s.object)
	s.Change.ApplyTo(object.Meta())
	o.applyTo(object.Value)
	return object
}

// creates says whether an object with an annotation and a way out can be created, and whether a command can send it: standard input may be taken.
func (v *view) creates(ctx context.Context, object inventory.Object, w wayOut) bool {
	r, err := request.Annotate(w.requester(), object, request.Change{}, request.Options{Operation: admission.Create})
	if err != nil || slices.Contains(v.flags, "-") {
		return false
	}
	return keeps(v.simulator.Run(ctx, out(r, w.optOut), simulate.Options{}), w.stop.Key)
}

// sendingOut is the command that creates an object with an opt-out.
func (v *view) sendingOut(object inventory.Object, o optOut) string {
	args := append([]string{"simulate"}, asRequester(o.requester())...)
	args = append(args, "-f", "-", "--past-authorization")
	if o.field == fieldManager {
		args = append(args, "--field-manager", *o.value)
	}
	manifest := manifestContent(object)
	if o.to != nil {
		if err := unstructured.SetNestedField(manifest, generic(o.to), strings.Split(o.field, ".")...); err != nil {
			return ""
		}
	}
	return "printf %s " + asWord(manifest) + " | " + commandLine(args, v.flags)
}

// sending is the command that creates an object, in the ordinary user's name.
func (v *view) sending(object inventory.Object) string {
	args := append([]string{"simulate"}, asRequester(OrdinaryUser())...)
	return "printf %s " + manifestOf(object) + " | " + commandLine(append(args, "-f", "-", "--past-authorization"), v.flags)
}

// manifestOf is an object's kind and metadata as one word for a shell.
func manifestOf(object inventory.Object) string { return asWord(manifestContent(object)) }

func manifestContent(object inventory.Object) map[string]any {
	meta := map[string]any{"name": object.Meta().GetName()}
	if namespace := object.Meta().GetNamespace(); namespace != "" {
		meta["namespace"] = namespace
	}
	if labels := object.Meta().GetLabels(); len(labels) > 0 {
		meta["labels"] = generic(labels)
	}
	if annotations := object.Meta().GetAnnotations(); len(annotations) > 0 {
		meta["annotations"] = generic(annotations)
	}
	apiVersion, kind := object.Kind.Kind.ToAPIVersionAndKind()
	return map[string]any{"apiVersion": apiVersion, "kind": kind, "metadata": meta}
}

func asWord(manifest map[string]any) string { return quote(inJSON(manifest)) }
