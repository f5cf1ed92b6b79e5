package request

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"path"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// Wire is a request as kubectl sends it: a Request is what the API server has made of it when admission begins.
// Its Method is empty where kubectl sends nothing.
type Wire struct {
	Method      string
	Path        string
	Query       url.Values // fieldManager and the like
	ContentType string
	Body        []byte
}

// OnWire returns what is sent for a request that Annotate made. A patch holds the annotations that change, and
// nothing else.
func OnWire(r Request) (Wire, error) {
	w := newWire(r)
	var err error
	switch r.Verb {
	case "create", "update":
		w.ContentType = runtime.ContentTypeJSON
		w.Body, err = encode(r.Proposed)
	case "patch":
		w.ContentType = string(types.MergePatchType)
		w.Body, err = annotationsPatch(r.Before, r.Proposed)
	case "delete":
		err = w.delete()
	}
	return w, err
}

// SendOnWire is Send, with what is sent: the three-way patch, the file for the other ways, or the options of a deletion.
func SendOnWire(ctx context.Context, inv inventory.Inventory, requester Requester, object *unstructured.Unstructured, via Via, defaultNamespace string, options Options) (Request, Wire, error) {
	s := &sending{inv: inv, file: object.DeepCopy(), via: via, options: options}
	if err := s.place(defaultNamespace); err != nil {
		return Request{}, Wire{}, err
	}
	if err := s.check(); err != nil {
		return Request{}, Wire{}, err
	}
	if err := s.read(ctx); err != nil {
		return Request{}, Wire{}, err
	}
	s.request = newRequest(requester, s.kind, s.file)
	s.request.Subresource = options.Subresource
	if err := s.build(ctx); err != nil {
		return Request{}, Wire{}, err
	}
	CheckNamespace(ctx, inv, &s.request)
	w, err := s.onWire()
	return s.request, w, err
}

// SendsMore says whether kubectl sends further requests once this one is stored, see Next.
func (r Request) SendsMore() bool {
	if r.Next == nil {
		return false
	}
	meta, err := metaOf(r.Before)
	return err == nil && len(clientSideManagers(meta)) > 0
}

// newWire is a request without its body.
func newWire(r Request) Wire {
	methods := map[string]string{"create": http.MethodPost, "update": http.MethodPut, "patch": http.MethodPatch, "delete": http.MethodDelete}
	w := Wire{Method: methods[r.Verb], Path: pathOf(r), Query: url.Values{}}
	var manager, validation string
	switch o := r.Options.(type) {
	case *metav1.CreateOptions:
		manager, validation = o.FieldManager, o.FieldValidation
	case *metav1.UpdateOptions:
		manager, validation = o.FieldManager, o.FieldValidation
	}
	for key, value := range map[string]string{"fieldManager": manager, "fieldValidation": validation} {
		if value != "" {
			w.Query.Set(key, value)
		}
	}
	return w
}

// pathOf is the path of the object, or of its collection where it is created by POST.
func pathOf(r Request) string {
	gv := r.Kind.Resource.GroupVersion()
	parts := []string{"/apis", gv.Group, gv.Version}
	if gv.Group == "" {
		parts = []string{"/api", gv.Version}
	}
	if r.Kind.Namespaced {
		parts = append(parts, "namespaces", r.Namespace)
	}
	parts = append(parts, r.Kind.Resource.Resource)
	if r.Verb != "create" {
		parts = append(parts, r.Name, r.Subresource)
	}
	return path.Join(parts...)
}

// delete sets kubectl delete's options. The API server adds a Namespace's UID to them itself.
func (w *Wire) delete() (err error) {
	w.ContentType = runtime.ContentTypeJSON
	options := deleteOptions("")
	options.APIVersion = "v1"
	w.Body, err = json.Marshal(options)
	return err
}

// annotationsPatch is the merge patch of kubectl annotate.
func annotationsPatch(before, proposed runtime.Object) ([]byte, error) {
	old, err := metaOf(before)
	if err != nil {
		return nil, err
	}
	changed, err := metaOf(proposed)
	if err != nil {
		return nil, err
	}
	annotations := map[string]any{}
	for key := range old.GetAnnotations() {
		if _, kept := changed.GetAnnotations()[key]; !kept {
			annotations[key] = nil
		}
	}
	for key, value := range changed.GetAnnotations() {
		if was, found := old.GetAnnotations()[key]; !found || was != value {
			annotations[key] = value
		}
	}
	if len(annotations) == 0 {
		return []byte("{}"), nil
	}
	return json.Marshal(map[string]any{"metadata": map[string]any{"annotations": annotations}})
}
