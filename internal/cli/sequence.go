package cli

import (
	"cmp"
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apiserver/pkg/admission"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// sequence sends the objects of -f or -k one after the other, as kubectl does: a Namespace that passes counts as
// stored for the objects behind it. Other objects don't depend on each other, and are simulated at the same time.
type sequence struct {
	options   *simulateOptions
	trial     *trial
	overlay   *inventory.Overlay
	documents []inventory.Document
	doubtful  map[string]inventory.Gap // namespaces of which it isn't known what is stored
}

// run puts every object to the trial. One that kubectl would not send is left out.
func (s *sequence) run(ctx context.Context) error {
	for i, document := range s.documents {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		r, err := s.send(ctx, document)
		switch {
		case err != nil:
			s.trial.leaveOut(&unreadError{describeDocument(document), err})
		case s.storesNamespace(r, s.documents[i+1:]):
			s.settle(r, s.trial.finish(ctx, r))
		default:
			s.trial.start(ctx, r)
		}
	}
	return nil
}

func (s *sequence) send(ctx context.Context, document inventory.Document) (request.Request, error) {
	if err := s.checkServed(document); err != nil {
		return request.Request{}, err
	}
	o := s.options
	object := document.Object.DeepCopy()
	o.change.change.ApplyTo(object)
	r, err := request.Send(ctx, s.overlay, o.requester, object, o.manifests.way, o.state.scope.home, o.change.options())
	if err != nil {
		return r, err
	}
	o.spelling.see(r.Kind, document.Object)
	if doubt, found := s.doubtful[r.Namespace]; found {
		r.Incomplete = append(r.Incomplete, doubt)
	}
	return r, nil
}

// storesNamespace says whether a request is about a Namespace that objects behind it lie in.
func (s *sequence) storesNamespace(r request.Request, behind []inventory.Document) bool {
	if r.Kind.Kind.GroupKind() != corev1.SchemeGroupVersion.WithKind("Namespace").GroupKind() || r.Operation == admission.Delete {
		return false
	}
	for _, document := range behind {
		if cmp.Or(document.Object.GetNamespace(), s.options.state.scope.home) == r.Name {
			return true
		}
	}
	return false
}

// settle keeps what is known of a Namespace once its request is simulated.
func (s *sequence) settle(r request.Request, done finished) {
	stored := done.stored
	if done.result.Outcome == simulate.Unknown {
		stored = r.Proposed
		s.doubtful[r.Name] = inventory.Gap{
			What: "the namespace " + r.Name,
			Why:  "it is in the files as well, and whether that change of it passes is not known",
		}
	}
	if namespace, ok := stored.(*corev1.Namespace); ok {
		s.overlay.Store(namespace)
	}
}

// checkServed refuses a custom resource whose definition is only sent in the same run: kubectl looks every kind up
// before it sends anything.
func (s *sequence) checkServed(document inventory.Document) error {
	kind := document.Object.GroupVersionKind()
	if _, served := s.overlay.Kinds().ForKind(kind); served {
		return nil
	}
	for _, other := range s.documents {
		if defines(other, kind.Group, kind.Kind) {
			return fmt.Errorf("no matches for kind %q in version %q: kubectl looks up every kind before it sends the first object, so that the CustomResourceDefinition in %s comes too late; ensure CRDs are installed first, by a run of their own",
				kind.Kind, kind.GroupVersion(), other.Position)
		}
	}
	return nil
}
