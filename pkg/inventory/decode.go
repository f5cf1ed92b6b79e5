package inventory

import (
	"cmp"
	"fmt"
	"slices"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/client-go/kubernetes/scheme"
)

// isBuiltIn says whether a kind is one that client-go's scheme knows, so that its objects are typed.
func isBuiltIn(kind schema.GroupVersionKind) bool { return scheme.Scheme.Recognizes(kind) }

// typed decodes an item of a built-in kind. Unknown fields are tolerated, as the API server does with what is
// stored, unless the source is strict.
func (p parsedItem) typed() (runtime.Object, error) {
	if p.raw.strict {
		if err := p.checkFields(); err != nil {
			return nil, err
		}
	}
	decode := func(data []byte) (runtime.Object, error) { return decodeTyped(data, p.kind) }
	if p.kind.Group == admissionregistrationv1.GroupName {
		decode = func(data []byte) (runtime.Object, error) { return decodeAdmission(data, p.kind) }
	}
	object, err := decode(p.json)
	if err != nil {
		return nil, p.fieldError(err, func(data []byte) error { _, err := decode(data); return err })
	}
	return object, nil
}

// decodeTyped decodes JSON into the scheme's type for a kind.
func decodeTyped(data []byte, kind schema.GroupVersionKind) (runtime.Object, error) {
	object, err := scheme.Scheme.New(kind)
	if err != nil {
		return nil, err
	}
	if err := utiljson.Unmarshal(data, object); err != nil {
		return nil, err
	}
	object.GetObjectKind().SetGroupVersionKind(kind)
	return object, nil
}

// decodeAdmission decodes an admission policy, binding or webhook configuration of any version into
// the v1 type, whose JSON is the same in all of them, and sets the API server's defaults.
func decodeAdmission(data []byte, kind schema.GroupVersionKind) (runtime.Object, error) {
	v1 := admissionregistrationv1.SchemeGroupVersion.WithKind(kind.Kind)
	if !isBuiltIn(v1) {
		return nil, fmt.Errorf("%s has no kind %s", v1.GroupVersion(), kind.Kind)
	}
	object, err := decodeTyped(data, v1)
	if err != nil {
		return nil, err
	}
	setPolicyDefaults(object, kind.Version)
	return object, nil
}

// add puts an admission object in its list, and leaves any other out.
func (p *Policies) add(object runtime.Object) {
	switch o := object.(type) {
	case *admissionregistrationv1.ValidatingAdmissionPolicy:
		p.Validating = append(p.Validating, o)
	case *admissionregistrationv1.ValidatingAdmissionPolicyBinding:
		p.ValidatingBindings = append(p.ValidatingBindings, o)
	case *admissionregistrationv1.MutatingAdmissionPolicy:
		p.Mutating = append(p.Mutating, o)
	case *admissionregistrationv1.MutatingAdmissionPolicyBinding:
		p.MutatingBindings = append(p.MutatingBindings, o)
	case *admissionregistrationv1.ValidatingWebhookConfiguration:
		p.ValidatingWebhooks = append(p.ValidatingWebhooks, o)
	case *admissionregistrationv1.MutatingWebhookConfiguration:
		p.MutatingWebhooks = append(p.MutatingWebhooks, o)
	}
}

// sort orders every list by name.
func (p *Policies) sort() {
	sortByName(p.Validating)
	sortByName(p.ValidatingBindings)
	sortByName(p.Mutating)
	sortByName(p.MutatingBindings)
	sortByName(p.ValidatingWebhooks)
	sortByName(p.MutatingWebhooks)
}

func sortByName[T metav1.Object](objects []T) {
	slices.SortFunc(objects, func(a, b T) int { return cmp.Compare(a.GetName(), b.GetName()) })
}

func compareName[T metav1.Object](object T, name string) int {
	return cmp.Compare(object.GetName(), name)
}
