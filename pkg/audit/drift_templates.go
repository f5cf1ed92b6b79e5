package audit

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
)

// template is a manifest that an object was made from, as far as the object tells it.
type template struct {
	name     string // in a sentence
	manifest *unstructured.Unstructured
	manager  string // the field manager that applies it; empty: kubectl's own
	ways     []request.Via
}

// managerKubectl is the manager of kubectl apply --server-side, and managerLastApplied the one that keeps the last-applied annotation when
// an object moves to it (k8s.io/kubectl pkg/cmd/apply).
const (
	managerKubectl     = "kubectl"
	managerLastApplied = "kubectl-last-applied"
)

// templatesOf are an object's templates: what kubectl applied last, and what each manager applied server-side and still owns. Anything else,
// such as the file that someone replaces the object with, or what a manager applied and lost since, is not known.
func (a *auditor) templatesOf(ctx context.Context, object inventory.Object) []template {
	var found []template
	last := lastApplied(object)
	if last != nil {
		ways := []request.Via{request.ViaApply, request.ViaServerSideApply, request.ViaReplace}
		if len(object.Meta().GetManagedFields()) == 0 {
			ways = []request.Via{request.ViaApply, request.ViaReplace} // server-side apply goes by who owns what
		}
		found = append(found, template{name: "the last-applied configuration", manifest: last, ways: ways})
	}
	for _, entry := range object.Meta().GetManagedFields() {
		known := last != nil && entry.Manager == managerKubectl || entry.Manager == managerLastApplied
		if entry.Operation != metav1.ManagedFieldsOperationApply || entry.Subresource != "" || known {
			continue
		}
		if set := a.appliedSet(ctx, object, entry); set != nil {
			found = append(found, template{
				name: fmt.Sprintf("what %s applied server-side", entry.Manager), manifest: set, manager: entry.Manager,
				ways: []request.Via{request.ViaServerSideApply},
			})
		}
	}
	return found
}

// lastApplied is the manifest in the last-applied annotation; nil where there is none of this object in this version.
func lastApplied(object inventory.Object) *unstructured.Unstructured {
	text := object.Meta().GetAnnotations()[corev1.LastAppliedConfigAnnotation]
	if text == "" {
		return nil
	}
	manifest := &unstructured.Unstructured{}
	if json.Unmarshal([]byte(text), &manifest.Object) != nil || manifest.Object == nil {
		return nil
	}
	if _, _, err := unstructured.NestedStringMap(manifest.Object, "metadata", "annotations"); err != nil {
		return nil
	}
	if manifest.GroupVersionKind() != object.Kind.Kind || manifest.GetName() != object.Meta().GetName() {
		return nil
	}
	if namespace := manifest.GetNamespace(); namespace != "" && namespace != object.Meta().GetNamespace() {
		return nil
	}
	return manifest
}

// appliedSet is what a manager applied, taken from the object by the fields that it owns (as k8s.io/apimachinery pkg/util/managedfields,
// ExtractInto, does it); nil where these are of another version or can't be read.
func (a *auditor) appliedSet(ctx context.Context, object inventory.Object, entry metav1.ManagedFieldsEntry) *unstructured.Unstructured {
	if entry.FieldsV1 == nil || entry.APIVersion != object.Kind.Kind.GroupVersion().String() {
		return nil
	}
	var owned fieldpath.Set
	if err := owned.FromJSON(strings.NewReader(entry.FieldsV1.GetRawString())); err != nil {
		return nil
	}
	types, err := a.inventory.TypeConverter(ctx, object.Kind.Kind)
	if err != nil {
		return nil
	}
	typed, err := types.ObjectToTyped(object.Value)
	if err != nil {
		return nil
	}
	content, ok := typed.ExtractItems(owned.Leaves()).AsValue().Unstructured().(map[string]any)
	if !ok {
		return nil
	}
	set := (&unstructured.Unstructured{Object: content}).DeepCopy()
	set.SetGroupVersionKind(object.Kind.Kind)
	set.SetName(object.Meta().GetName())
	set.SetNamespace(object.Meta().GetNamespace())
	return set
}

func (t template) annotations() map[string]string { return guardedAnnotations(t.manifest) }
