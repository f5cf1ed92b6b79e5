package inventory

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
)

// page is a part of a list.
type page struct {
	objects []runtime.Object
	next    string // the continue token of the next page; empty for the last
}

// pages yields a list page by page, up to the first error.
//
// A continue token that expired on the way comes back with another one, which goes on behind the last object
// at a newer point in time (Kubernetes API concepts, "Retrieving large results sets in chunks"): no object is yielded twice, and
// none that was there all the time is left out. Without such a token the error is yielded.
func (l *live) pages(ctx context.Context, kind Kind, namespace string, options metav1.ListOptions) iter.Seq2[page, error] {
	return func(yield func(page, error) bool) {
		for {
			got, err := l.page(ctx, kind, namespace, options)
			if token := freshToken(err); token != "" && token != options.Continue {
				options.Continue = token
				continue
			}
			if !yield(got, err) || err != nil || got.next == "" {
				return
			}
			options.Continue = got.next
		}
	}
}

// freshToken returns the token that comes with the error for an expired one.
func freshToken(err error) string {
	var status apierrors.APIStatus
	if apierrors.IsResourceExpired(err) && errors.As(err, &status) {
		return status.Status().Continue
	}
	return ""
}

// page asks for one page.
func (l *live) page(ctx context.Context, kind Kind, namespace string, options metav1.ListOptions) (page, error) {
	request := l.read(kind, namespace).SpecificallyVersionedParams(&options, scheme.ParameterCodec, schema.GroupVersion{Version: "v1"})
	data, err := send(ctx, request)
	if err != nil {
		return page{}, explain(err)
	}
	return decodePage(data, kind)
}

// read begins a request for a kind's objects.
func (l *live) read(kind Kind, namespace string) *rest.Request {
	path := []string{"/apis", kind.Resource.Group, kind.Resource.Version}
	if kind.Resource.Group == "" {
		path = []string{"/api", kind.Resource.Version}
	}
	if kind.Namespaced && namespace != "" {
		path = append(path, "namespaces", namespace)
	}
	accept := runtime.ContentTypeJSON
	if isBuiltIn(kind.Kind) {
		accept = runtime.ContentTypeProtobuf + "," + runtime.ContentTypeJSON
	}
	return l.client.Get().AbsPath(append(path, kind.Resource.Resource)...).SetHeader("Accept", accept)
}

// send returns the answer's body, or the error in the API server's words, which Raw alone leaves out.
func send(ctx context.Context, request *rest.Request) ([]byte, error) {
	result := request.Do(ctx)
	if err := result.Error(); err != nil {
		return nil, err
	}
	return result.Raw()
}

func decodePage(data []byte, kind Kind) (page, error) {
	list, err := decodeAnswer(data, kind, "List")
	if err != nil {
		return page{}, err
	}
	listMeta, err := meta.ListAccessor(list)
	if err != nil {
		return page{}, unreadable(err)
	}
	objects, err := meta.ExtractList(list)
	if err != nil {
		return page{}, unreadable(err)
	}
	for _, object := range objects {
		object.GetObjectKind().SetGroupVersionKind(kind.Kind)
	}
	return page{objects: objects, next: listMeta.GetContinue()}, nil
}

// decodeAnswer decodes an object, or a list with the suffix "List", typed if the kind is built in.
func decodeAnswer(data []byte, kind Kind, suffix string) (runtime.Object, error) {
	gvk := kind.Kind
	gvk.Kind += suffix
	var decoder runtime.Decoder = unstructured.UnstructuredJSONScheme
	if isBuiltIn(kind.Kind) {
		decoder = scheme.Codecs.UniversalDeserializer()
	}
	object, _, err := decoder.Decode(data, &gvk, nil)
	if err != nil {
		return nil, unreadable(err)
	}
	return object, nil
}

func unreadable(err error) error {
	return fmt.Errorf("the API server's answer can't be read: %w", err)
}

// collect returns a kind's objects of all namespaces: all of them, or an error. A list that expires on the way is
// read once more, in one piece, as client-go's pager does.
func (l *live) collect(ctx context.Context, kind Kind) ([]runtime.Object, error) {
	objects, err := l.collectPages(ctx, kind, l.pageSize)
	if apierrors.IsResourceExpired(err) {
		return l.collectPages(ctx, kind, 0)
	}
	return objects, err
}

func (l *live) collectPages(ctx context.Context, kind Kind, size int64) ([]runtime.Object, error) {
	var objects []runtime.Object
	options := metav1.ListOptions{Limit: size}
	for {
		got, err := l.page(ctx, kind, "", options)
		if err != nil {
			return nil, err
		}
		objects = append(objects, got.objects...)
		if got.next == "" {
			return slices.Clip(objects), nil
		}
		options.Continue = got.next
	}
}
