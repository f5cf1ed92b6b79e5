package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apiequality "k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apiserver/pkg/admission"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/downscaler"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// keptByRollback are the annotations that kubectl rollout undo leaves as they are; all others become the ReplicaSet's
// (k8s.io/kubectl pkg/polymorphichelpers/rollback.go, annotationsToSkip).
var keptByRollback = []string{
	corev1.LastAppliedConfigAnnotation,
	revisionAnnotation,
	"deployment.kubernetes.io/revision-history",
	"deployment.kubernetes.io/desired-replicas",
	"deployment.kubernetes.io/max-replicas",
	appsv1.DeprecatedRollbackTo,
}

// rolledBack tries kubectl rollout undo of a Deployment to a ReplicaSet; nil where kubectl would send nothing, and where not all is known.
func (v *view) rolledBack(ctx context.Context, object inventory.Object, to revision) *drifted {
	deployment, replicaSet := object.Value.(*appsv1.Deployment), to.object.Value.(*appsv1.ReplicaSet)
	selector, err := metav1.LabelSelectorAsSelector(deployment.Spec.Selector)
	if err != nil || !selector.Matches(labels.Set(replicaSet.Labels)) {
		return nil // kubectl does not count this ReplicaSet
	}
	target := replicaSet.Spec.Template.DeepCopy()
	delete(target.Labels, appsv1.DefaultDeploymentUniqueLabelKey)
	current := deployment.Spec.Template.DeepCopy()
	delete(current.Labels, appsv1.DefaultDeploymentUniqueLabelKey)
	if deployment.Spec.Paused || len(deployment.Annotations) == 0 || apiequality.Semantic.DeepEqual(target, current) {
		return nil
	}
	for _, value := range replicaSet.Annotations {
		if inventory.HoldsRedacted(value) {
			return nil
		}
	}
	one := driftBy(ctx, v.simulator, object, guardedAnnotations(replicaSet), v.rollsBack(*to.object, target))
	if one != nil {
		one.way, one.replicaSet = "kubectl rollout undo", replicaSet.Name
		one.template = fmt.Sprintf("revision %d (ReplicaSet %s)", to.number, replicaSet.Name)
	}
	return one
}

// rollsBack sends the template and the annotations of a ReplicaSet, as a JSON patch of the Deployment.
func (v *view) rollsBack(replicaSet inventory.Object, target *corev1.PodTemplateSpec) sending {
	return func(ctx context.Context, object inventory.Object, annotations map[string]string) (simulate.Result, bool) {
		r, err := request.Annotate(OrdinaryUser(), object, rollbackChange(object.Meta(), replicaSet.Meta(), annotations), request.Options{Operation: admission.Update})
		if err != nil {
			return simulate.Result{}, false
		}
		proposed, ok := r.Proposed.(*appsv1.Deployment)
		if !ok {
			return simulate.Result{}, false
		}
		proposed.Spec.Template = *target.DeepCopy()
		r.Options = &metav1.UpdateOptions{TypeMeta: metav1.TypeMeta{APIVersion: metav1.SchemeGroupVersion.String(), Kind: "UpdateOptions"}}
		for _, path := range replicaSet.Redacted {
			if strings.HasPrefix(path, "spec.template") {
				r.UnknownProposed = append(slices.Clone(r.UnknownProposed), path)
				r.Redacted = append(slices.Clone(r.Redacted), path)
			}
		}
		r.UndefaultedProposed = r.UndefaultedProposed || !replicaSet.Defaulted
		return v.simulator.Run(ctx, r, simulate.Options{}), true
	}
}

// rollbackChange makes a Deployment's annotations those of a ReplicaSet, but for those with the prefix, which are given.
func rollbackChange(deployment, replicaSet metav1.Object, annotations map[string]string) request.Change {
	wanted := merged(nil, annotations)
	if wanted == nil {
		wanted = map[string]string{}
	}
	for key, value := range replicaSet.GetAnnotations() {
		if !slices.Contains(keptByRollback, key) && !strings.HasPrefix(key, downscaler.Prefix) {
			wanted[key] = value
		}
	}
	change := request.Change{Set: wanted}
	for key := range deployment.GetAnnotations() {
		if _, kept := wanted[key]; !kept && !slices.Contains(keptByRollback, key) {
			change.Remove = append(change.Remove, key)
		}
	}
	slices.Sort(change.Remove)
	return change
}
