package audit

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"k8s.io/apiserver/pkg/admission"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// outEvidence is a command that shows a way out: the change of an existing object where annotations alone are changed, else the creation of a made-up one,
// as far as one of these was found to pass, else the audit, which tries it again.
func (v *view) outEvidence(ctx context.Context, ways []wayOut) string {
	for _, w := range ways {
		if w.field == "annotations" && w.value != nil && strings.Contains(w.key, "/") && w.how == outTogether && !exampleOf(w.stop.tried).onCopy() {
			e := exampleOf(w.stop.tried)
			return v.evidenceWith(e, "--set", w.key+"="+*w.value)
		}
	}
	for _, w := range ways {
		if made := madeUp(w.stop, w.optOut); w.how == outCreated && v.creates(ctx, made, w.stop.Key) {
			return v.sending(made)
		}
	}
	return v.auditCommand(OrdinaryUser(), exampleOf(ways[0].stop.tried))
}

// evidenceWith is an example's evidence with a further change.
func (v *view) evidenceWith(e example, more ...string) string {
	own := *v
	own.flags = append(slices.Clone(more), v.flags...)
	return own.evidence(e, "")
}

// madeUp is the manifest of a new object: of the kind, in the namespace and with the labels of a stop's, and with its annotation and an opt-out. What else the stored
// object holds may be nobody's business, and is left out.
func madeUp(s *stop, o optOut) inventory.Object {
	object := bare(s.object)
	meta := object.Meta()
	s.Change.ApplyTo(meta)
	o.applyTo(meta)
	return object
}

// creates says whether the ordinary user can create an object with an annotation, and whether a command can send it: standard input may be taken.
func (v *view) creates(ctx context.Context, object inventory.Object, key string) bool {
	r, err := request.Annotate(OrdinaryUser(), object, request.Change{}, request.Options{Operation: admission.Create})
	return err == nil && !slices.Contains(v.flags, "-") && keeps(v.simulator.Run(ctx, r, simulate.Options{}), key)
}

// sending is the command that creates an object, in the ordinary user's name.
func (v *view) sending(object inventory.Object) string {
	args := append([]string{"simulate"}, asRequester(OrdinaryUser())...)
	return "printf %s " + manifestOf(object) + " | " + commandLine(append(args, "-f", "-", "--past-authorization"), v.flags)
}

// manifestOf is an object's kind and metadata as one word for a shell.
func manifestOf(object inventory.Object) string {
	meta := map[string]any{"name": object.Meta().GetName()}
	if namespace := object.Meta().GetNamespace(); namespace != "" {
		meta["namespace"] = namespace
	}
	if labels := object.Meta().GetLabels(); len(labels) > 0 {
		meta["labels"] = labels
	}
	if annotations := object.Meta().GetAnnotations(); len(annotations) > 0 {
		meta["annotations"] = annotations
	}
	apiVersion, kind := object.Kind.Kind.ToAPIVersionAndKind()
	text, err := json.Marshal(map[string]any{"apiVersion": apiVersion, "kind": kind, "metadata": meta})
	if err != nil {
		return "" // there is nothing in it that can't be written
	}
	return quote(string(text))
}
