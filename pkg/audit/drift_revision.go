package audit

import (
	"maps"
	"strconv"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// revisionAnnotation numbers a Deployment's ReplicaSets (k8s.io/kubectl pkg/util/deployment).
const revisionAnnotation = "deployment.kubernetes.io/revision"

// revision is one ReplicaSet of a Deployment's.
type revision struct {
	number int64
	// object is kept only of a ReplicaSet whose annotations with the prefix are not the Deployment's.
	object *inventory.Object
}

// history has a Deployment's newest two revisions: kubectl rollout undo goes back to the second.
type history struct{ latest, previous revision }

// deploymentID tells a Deployment from one that had its name before.
type deploymentID struct {
	namespace, name string
	uid             types.UID
}

// owner is the Deployment that a ReplicaSet belongs to.
func owner(replicaSet metav1.Object) (deploymentID, bool) {
	ref := metav1.GetControllerOfNoCopy(replicaSet)
	if ref == nil || ref.Kind != "Deployment" || ref.APIVersion != appsv1.SchemeGroupVersion.String() {
		return deploymentID{}, false
	}
	return deploymentID{replicaSet.GetNamespace(), ref.Name, ref.UID}, true
}

// add goes by the numbers as kubectl does (pkg/polymorphichelpers, deploymentRevision): none counts as 0, and what is no number not at all.
func (h *history) add(object inventory.Object, deployment map[string]string) {
	r := revision{}
	if text, found := object.Meta().GetAnnotations()[revisionAnnotation]; found {
		number, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return
		}
		r.number = number
	}
	if !maps.Equal(guardedAnnotations(object.Meta()), deployment) {
		object.Value = slim(object.Value.(*appsv1.ReplicaSet))
		r.object = &object
	}
	switch {
	case r.number > h.latest.number:
		h.previous, h.latest = h.latest, r
	case r.number > h.previous.number:
		h.previous = r
	}
}

func newHistory() *history { return &history{revision{number: -1}, revision{number: -1}} }

// slim is what a rollback looks at.
func slim(r *appsv1.ReplicaSet) *appsv1.ReplicaSet {
	return &appsv1.ReplicaSet{
		ObjectMeta: metav1.ObjectMeta{Name: r.Name, Namespace: r.Namespace, Labels: r.Labels, Annotations: r.Annotations},
		Spec:       appsv1.ReplicaSetSpec{Template: r.Spec.Template},
	}
}
