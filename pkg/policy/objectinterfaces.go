package policy

import (
	"context"
	"fmt"
	"reflect"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured/unstructuredscheme"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/client-go/kubernetes/scheme"
)

// objectInterfaces are the means to create, type and convert objects for one request: the client's
// scheme for built-in kinds and unstructured objects for all others.
func (s *Set) objectInterfaces(object runtime.Object, convertor *convertor) admission.ObjectInterfaces {
	interfaces := &admission.RuntimeObjectInterfaces{
		ObjectCreater:            scheme.Scheme,
		ObjectTyper:              scheme.Scheme,
		ObjectDefaulter:          scheme.Scheme,
		ObjectConvertor:          convertor,
		EquivalentResourceMapper: s.state.Kinds().Equivalent(),
	}
	if _, ok := object.(*unstructured.Unstructured); ok {
		interfaces.ObjectCreater = unstructuredscheme.NewUnstructuredCreator()
		interfaces.ObjectTyper = unstructuredscheme.NewUnstructuredObjectTyper()
	}
	return interfaces
}

// convertor converts objects as far as a client can. It remembers the conversions that only the API server
// could have done.
type convertor struct {
	runtime.ObjectConvertor
	mayRename  func(schema.GroupVersionKind) error
	impossible error
}

func (s *Set) newConvertor(ctx context.Context) *convertor {
	return &convertor{
		ObjectConvertor: scheme.Scheme,
		mayRename:       func(kind schema.GroupVersionKind) error { return s.mayRename(ctx, kind) },
	}
}

// Convert copies between objects of one version; between versions it succeeds only where these differ in their names.
func (c *convertor) Convert(in, out, context any) error {
	if u, ok := in.(*unstructured.Unstructured); ok {
		if target, ok := out.(*unstructured.Unstructured); ok {
			return c.convertUnstructured(u, target)
		}
	}
	if reflect.TypeOf(in) == reflect.TypeOf(out) {
		if err := internalRefuses(in); err != nil {
			return err
		}
		reflect.ValueOf(out).Elem().Set(reflect.ValueOf(in).Elem())
		return nil
	}
	c.impossible = fmt.Errorf("converting %T to %T needs the API server", in, out)
	return c.impossible
}

func (c *convertor) convertUnstructured(in, out *unstructured.Unstructured) error {
	from, to := in.GroupVersionKind(), out.GroupVersionKind()
	if to == (schema.GroupVersionKind{}) || from == to {
		out.Object = in.Object
		return nil
	}
	if err := c.mayRename(from); err != nil {
		c.impossible = fmt.Errorf("converting %s from %s to %s needs the API server: %w", from.Kind, from.GroupVersion(), to.GroupVersion(), err)
		return c.impossible
	}
	out.Object = in.DeepCopy().Object
	out.SetGroupVersionKind(to)
	return nil
}
