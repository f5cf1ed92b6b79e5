package audit

import (
	"context"
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/authorization"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// namespaceSelectorFinding tries labels of the namespaces that hold what the policy prevents changes of.
func (v *view) namespaceSelectorFinding(ctx context.Context, s selecting) (Finding, bool, error) {
	if s.match.NamespaceSelector == nil {
		return Finding{}, false, nil
	}
	for _, stop := range v.telling(s.policy.policyName) {
		namespace, found := v.namespaceOf(ctx, stop.object)
		if !found {
			continue
		}
		for _, o := range labelsOut(s.match.NamespaceSelector, namespace.Meta().GetLabels()) {
			passed, err := v.passesIn(ctx, namespace, o, stop)
			if err != nil {
				return Finding{}, false, err
			}
			if !passed {
				continue
			}
			who, may, err := v.whoMayLabel(ctx, namespace, stop)
			if err != nil || !may {
				return Finding{}, false, err
			}
			return v.namespaceFinding(s, namespace, o, stop, who), true, nil
		}
	}
	return Finding{}, false, nil
}

func (v *view) namespaceFinding(s selecting, namespace inventory.Object, o optOut, stop *stop, who string) Finding {
	subject := s.subject
	subject.Field += ".namespaceSelector"
	evidence := v.auditCommand(OrdinaryUser(), exampleOf(stop.tried))
	return Finding{
		Subject: subject, Distinct: metav1.FormatLabelSelector(s.match.NamespaceSelector),
		Message: fmt.Sprintf("The selector %s lets go of namespace %s with %s: then %s passes, and is prevented without. %s",
			metav1.FormatLabelSelector(s.match.NamespaceSelector), namespace.Meta().GetName(), o, exampleOf(stop.tried), who),
		Evidence: evidence,
		Remedy: fmt.Sprintf("Select namespaces by %s, which can't be changed, in %s %s, or take the namespaceSelector out.",
			corev1.LabelMetadataName, subject.Kind, subject.Name),
	}
}

// namespaceOf is the namespace that an object lies in, if it was read.
func (v *view) namespaceOf(ctx context.Context, object inventory.Object) (inventory.Object, bool) {
	kind, served := v.inventory.Kinds().ForKind(corev1.SchemeGroupVersion.WithKind("Namespace"))
	if name := object.Meta().GetNamespace(); served && name != "" {
		namespace, err := v.inventory.Get(ctx, kind, "", name)
		return namespace, err == nil
	}
	return inventory.Object{}, false
}

// passesIn labels a namespace as the ordinary user, and says whether a prevented change of an object in it passes then.
func (v *view) passesIn(ctx context.Context, namespace inventory.Object, o optOut, s *stop) (bool, error) {
	labelled, ok := v.outFirst(ctx, namespace, o)
	if !ok {
		return false, nil
	}
	stored, ok := labelled.Value.(*corev1.Namespace)
	if !ok {
		return false, nil
	}
	overlay := inventory.NewOverlay(v.inventory)
	overlay.Store(stored)
	simulator, err := simulate.NewWithAuthorizer(ctx, overlay, v.simulator.Policies(), v.simulator.Authorizer())
	if err != nil {
		return false, err
	}
	t := *v.trier("")
	t.simulator = simulator.PastAuthorization()
	one := t.tryProbe(ctx, s.Probe, &controls{trier: &t, object: s.object})
	return passes(one.protection) && len(one.orders) == 0, nil
}

// whoMayLabel says in a sentence who may change a namespace's labels besides the cluster's administrators and those whom the guard lets through; may is false
// where nobody may.
func (v *view) whoMayLabel(ctx context.Context, namespace inventory.Object, prevented *stop) (who string, may bool, err error) {
	rbac, err := v.simulator.Authorizer().RBAC(ctx)
	switch {
	case errors.Is(err, authorization.ErrNoRBAC):
		return "The files hold no roles and no bindings: it is assumed that an ordinary user may change the namespace's labels.", true, nil
	case ctx.Err() != nil:
		return "", false, ctx.Err()
	case err != nil:
		v.gathered.incomplete[inventory.Gap{What: "who may change the labels of namespace " + namespace.Meta().GetName(), Why: err.Error()}] = true
		return "", false, nil
	}
	administrators := rbac.Administrators()
	var list []string
	for _, grant := range Writers(rbac, nil, namespace, "") {
		if administrators.Include(grant.Subject) {
			continue
		}
		if _, authorised := v.letThroughAs(ctx, []*stop{prevented}, grant.Subject.Requester()); !authorised {
			list = append(list, fmt.Sprintf("%s, by %s", nameOf(grant.Subject), grant.Role()))
		}
	}
	return fmt.Sprintf("Inferred from RBAC: its labels may be changed by %s.", enumerate(list)), len(list) > 0, nil
}
