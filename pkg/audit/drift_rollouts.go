package audit

import (
	"context"
	"slices"

	appsv1 "k8s.io/api/apps/v1"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// rollbacks tries the rollback of every audited Deployment whose previous ReplicaSet has other annotations with the prefix. The ReplicaSets
// are listed once, and the Deployments once more where there are any of these.
func (v *view) rollbacks(ctx context.Context) ([]drift, error) {
	audited := v.deployments()
	replicaSets, served := servedAs(v.inventory.Kinds(), appsv1.SchemeGroupVersion.WithResource("replicasets"))
	if len(audited) == 0 || !served || !slices.ContainsFunc(v.policies, guardPolicy.enforced) {
		return nil, nil
	}
	histories, err := v.histories(ctx, replicaSets, audited)
	if err != nil || len(histories) == 0 {
		return nil, err
	}
	deployments, _ := servedAs(v.inventory.Kinds(), appsv1.SchemeGroupVersion.WithResource("deployments"))
	query := v.query
	query.Kinds = []inventory.Kind{deployments}
	var found []drift
	for object, err := range v.inventory.Objects(ctx, query) {
		if err != nil {
			return found, v.leaveOut(err)
		}
		meta := object.Meta()
		past := histories[deploymentID{meta.GetNamespace(), meta.GetName(), meta.GetUID()}]
		if past == nil || past.previous.object == nil {
			continue
		}
		if one := v.rolledBack(ctx, object, past.previous); one != nil {
			found = append(found, drift{object: Ref(object), resource: typeOf(object.Kind), ways: []drifted{*one}})
		}
	}
	return found, nil
}

// deployments are the annotations with the prefix of the audited Deployments.
func (v *view) deployments() map[simulate.ObjectRef]map[string]string {
	found := map[simulate.ObjectRef]map[string]string{}
	for _, row := range v.gathered.rows {
		if row.Object.APIVersion == appsv1.SchemeGroupVersion.String() && row.Object.Kind == "Deployment" {
			found[row.Object] = row.values()
		}
	}
	return found
}

// histories lists the ReplicaSets of Deployments, and returns the histories in which some ReplicaSet has other annotations than its Deployment.
func (v *view) histories(ctx context.Context, kind inventory.Kind, audited map[simulate.ObjectRef]map[string]string) (map[deploymentID]*history, error) {
	all := map[deploymentID]*history{}
	query := inventory.Query{Kinds: []inventory.Kind{kind}, Namespace: v.query.Namespace}
	for object, err := range v.inventory.Objects(ctx, query) {
		if err != nil {
			return nil, v.leaveOut(err)
		}
		id, owned := owner(object.Meta())
		if !owned {
			continue
		}
		version, name := appsv1.SchemeGroupVersion.String(), "Deployment"
		annotations, found := audited[simulate.ObjectRef{APIVersion: version, Kind: name, Namespace: id.namespace, Name: id.name}]
		if !found {
			continue
		}
		if all[id] == nil {
			all[id] = newHistory()
		}
		all[id].add(object, annotations)
	}
	for id, h := range all {
		if h.previous.object == nil {
			delete(all, id)
		}
	}
	return all, nil
}

// leaveOut notes what could not be listed; any other error is handed back.
func (v *view) leaveOut(err error) error {
	gap, known := Gap(err)
	if !known {
		return err
	}
	v.gathered.incomplete[gap] = true
	return nil
}
