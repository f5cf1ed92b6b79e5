package audit

import (
	"context"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apiserver/pkg/admission"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// replicasetsNotCovered: the guard prevents that an annotation is added to a Deployment and not to a ReplicaSet, from which a rollback copies
// it (k8s.io/kubectl pkg/polymorphichelpers/rollback.go). It is tried on a ReplicaSet of the Deployment's namespace; on a made-up one where there is none.
var replicasetsNotCovered = rule{
	Rule: Rule{ID: "replicasets-not-covered", Severity: Medium, Title: "An annotation of a ReplicaSet gets to its Deployment by a rollback"},
	find: findReplicasetsNotCovered,
}

func findReplicasetsNotCovered(ctx context.Context, v *view) ([]Finding, error) {
	kind, served := servedAs(v.inventory.Kinds(), appsv1.SchemeGroupVersion.WithResource("replicasets"))
	s := v.deploymentStop()
	if s == nil || !served {
		return nil, nil
	}
	object, there := v.replicaSet(ctx, kind, s.object)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	evidence, what := "", "the creation of a ReplicaSet with it"
	if there {
		all := v.trier("").try(ctx, object)
		for _, one := range all {
			if one.Column == ColumnAdd && passes(one.protection) && len(one.orders) == 0 {
				evidence, what = v.evidence(exampleOf(one), ""), exampleOf(one).String()
			}
		}
	} else if made, passed := v.createsReplicaSet(ctx, kind, s); passed {
		evidence = v.sending(made)
	}
	if evidence == "" {
		return nil, nil
	}
	by := policiesOf(s.acting)[0]
	return []Finding{{
		Subject: Subject{Kind: by.kind, Name: by.name, Field: "spec.matchConstraints.resourceRules"},
		Message: fmt.Sprintf("The policy prevents %s, while %s passes. A rollback by somebody who is authorised copies the annotation from the ReplicaSet to its Deployment.",
			exampleOf(s.tried), what),
		Evidence: evidence,
		Remedy:   "Guard replicasets.apps and replicasets.apps/status, too, by a policy that lets system:serviceaccount:kube-system:deployment-controller pass: it copies the annotations of Deployments to their ReplicaSets.",
	}}, nil
}

// deploymentStop is an addition to a Deployment that the guard prevents.
func (v *view) deploymentStop() *stop {
	var found *stop
	for key, s := range v.gathered.stops {
		if key.kind == "deployments.apps" && key.column == ColumnAdd && (found == nil || exampleOf(s.tried).compare(exampleOf(found.tried)) < 0) {
			found = s
		}
	}
	return found
}

// replicaSet is the first one of a Deployment's namespace that can be read.
func (v *view) replicaSet(ctx context.Context, kind inventory.Kind, deployment inventory.Object) (inventory.Object, bool) {
	for object, err := range v.inventory.Objects(ctx, inventory.Query{Kinds: []inventory.Kind{kind}, Namespace: deployment.Meta().GetNamespace()}) {
		return object, err == nil
	}
	return inventory.Object{}, false
}

// createsReplicaSet tries to create one with the annotation that the Deployment may not have.
func (v *view) createsReplicaSet(ctx context.Context, kind inventory.Kind, s *stop) (inventory.Object, bool) {
	object := bare(inventory.Object{Kind: kind, Value: &appsv1.ReplicaSet{}})
	object.Meta().SetNamespace(s.object.Meta().GetNamespace())
	object.Meta().SetLabels(s.object.Meta().GetLabels())
	s.Change.ApplyTo(object.Meta())
	r, err := request.Annotate(OrdinaryUser(), object, request.Change{}, request.Options{Operation: admission.Create})
	return object, err == nil && keeps(v.simulator.Run(ctx, r, simulate.Options{}), s.Key)
}
