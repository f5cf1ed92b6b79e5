package cli

import (
	"context"

	"k8s.io/apiserver/pkg/admission"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/verify"
)

// putManifests asks about the objects of -f or -k, each by itself. One that kubectl would not send is left out.
func (o *verifyOptions) putManifests(ctx context.Context, i *inquiry) error {
	created := map[string]bool{}
	for document, err := range o.ask.manifests.documents(ctx, o.ask.streams.In) {
		if err == nil {
			err = o.ask.state.scope.checkPlace(document)
		}
		if err != nil {
			return err
		}
		if !selects(o.ask.selection.selector, document) {
			continue
		}
		object := document.Object.DeepCopy()
		o.ask.change.change.ApplyTo(object)
		q, err := verify.AboutFile(ctx, i.inventory, o.ask.requester, verify.File{
			Object: object, Via: o.ask.manifests.way, DefaultNamespace: o.ask.state.scope.home, Options: o.ask.change.options(),
		})
		if err != nil {
			i.gaps = append(i.gaps, gapOf(&unreadError{describeDocument(document), err}))
			continue
		}
		i.noteOrder(created, q.Request, document)
		i.batch.Start(ctx, q)
	}
	return nil
}

// noteOrder says where an object goes into a namespace that a file before it creates.
func (i *inquiry) noteOrder(created map[string]bool, r request.Request, document inventory.Document) {
	switch {
	case r.Operation != admission.Create:
	case !r.Kind.Namespaced:
		created[r.Name] = created[r.Name] || r.Kind.Kind.Kind == "Namespace"
	case created[r.Namespace]:
		i.assumptions = append(i.assumptions, inventory.Gap{
			What: describeDocument(document),
			Why:  "each object is asked about by itself: a dry run stores nothing, so that a Namespace before it in the files is not there",
		})
	}
}
