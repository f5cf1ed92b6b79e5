package request

import (
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// strategyUpdate is the strategies' PrepareForUpdate for the request's resource or subresource.
func (p *Prepared) strategyUpdate(r Request, s strategy) {
	switch r.Subresource {
	case "scale":
		p.updateScale(r)
	case "status":
		p.updateStatus(r, s)
	case "finalize": // pkg/registry/core/namespace: namespaceFinalizeStrategy
		keepPart(p.Object, r.Before, "status")
		p.canonicalize()
	default:
		p.updateMain(r, s)
	}
}

func (p *Prepared) updateMain(r Request, s strategy) {
	if s.status {
		keepPart(p.Object, r.Before, "status")
	}
	if s.prepareUpdate != nil {
		p.Unknown = append(p.Unknown, s.prepareUpdate(p.Object, r.Before)...)
	}
	if !changesGeneration(s.generation, p.Object, r.Before) {
		return
	}
	meta := p.Object.(metav1.Object)
	meta.SetGeneration(meta.GetGeneration() + 1)
	if r.Undefaulted || len(r.Redacted) > 0 || s.generation == sinceSome {
		// The difference may be a default, or a value that was taken out of a snapshot.
		p.Unknown = append(p.Unknown, "metadata.generation")
	}
}

func changesGeneration(rule bump, object, old runtime.Object) bool {
	switch rule {
	case onSpec, sinceSome:
		return !samePart(object, old, "spec")
	case onSpecOrAnnotations:
		return !samePart(object, old, "spec") ||
			!equality.Semantic.DeepEqual(object.(metav1.Object).GetAnnotations(), old.(metav1.Object).GetAnnotations())
	case onAnything:
		return !sameContent(object.(*unstructured.Unstructured), old.(*unstructured.Unstructured))
	}
	return false
}

// sameContent compares custom resources without their metadata.
func sameContent(a, b *unstructured.Unstructured) bool {
	without := func(u *unstructured.Unstructured) map[string]any {
		content := map[string]any{}
		for key, value := range u.Object {
			if key != "metadata" {
				content[key] = value
			}
		}
		return content
	}
	return equality.Semantic.DeepEqual(without(a), without(b))
}

// updateStatus is the status strategies' PrepareForUpdate.
func (p *Prepared) updateStatus(r Request, s strategy) {
	if u, ok := p.Object.(*unstructured.Unstructured); ok {
		updateCustomStatus(u, r.Before.(*unstructured.Unstructured))
		return
	}
	keepPart(p.Object, r.Before, "spec")
	if set, ok := p.Object.(*appsv1.DaemonSet); ok { // part of the spec, which v1 has as an annotation
		setTemplateGeneration(set, templateGeneration(r.Before.(*appsv1.DaemonSet)))
	}
	if s.statusKeepsLabels {
		p.Object.(metav1.Object).SetLabels(r.Before.DeepCopyObject().(metav1.Object).GetLabels())
	}
	p.canonicalize()
}

// updateCustomStatus takes the stored custom resource and nothing but status and managedFields from the new one
// (k8s.io/apiextensions-apiserver pkg/registry/customresource/status_strategy.go).
func updateCustomStatus(object, old *unstructured.Unstructured) {
	status, found := object.Object["status"]
	managed := object.GetManagedFields()
	object.Object = old.DeepCopy().Object
	object.SetManagedFields(managed)
	if found {
		object.Object["status"] = status
		return
	}
	delete(object.Object, "status")
}

// updateScale makes the scale anew of the workload, which takes nothing but the number of replicas from it
// (pkg/registry/apps/deployment/storage, scaleUpdatedObjectInfo).
func (p *Prepared) updateScale(r Request) {
	scale, old := p.Object.(*autoscalingv1.Scale), r.Before.DeepCopyObject().(*autoscalingv1.Scale)
	replicas := scale.Spec.Replicas
	*scale = *old
	scale.Spec.Replicas = replicas
}

// mustSpecifyVersion is the answer to an update without resourceVersion where one is needed (Store.Update).
func mustSpecifyVersion(r Request) *metav1.Status {
	// The API server puts the resource where the kind belongs.
	kind := schema.GroupKind{Group: r.Kind.Resource.Group, Kind: r.Kind.Resource.Resource}
	errs := field.ErrorList{field.Invalid(field.NewPath("metadata").Child("resourceVersion"), 0, "must be specified for an update")}
	return statusOf(apierrors.NewInvalid(kind, r.Name, errs))
}
