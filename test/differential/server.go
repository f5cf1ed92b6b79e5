package differential

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utilnet "k8s.io/apimachinery/pkg/util/net"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// ask puts a request to the API server, by dry run and in the requester's name. The audit annotations are not in the
// answer yet: they are in the audit log, under the given ID.
func (c *client) ask(ctx context.Context, r Request, auditID string) (Answer, error) {
	one, err := c.callFor(ctx, r)
	if err != nil {
		return Answer{}, err
	}
	one.query.Set("dryRun", "All")
	one.header = impersonating(r)
	one.header.Set("Audit-ID", auditID)
	if r.Way == Annotate && one.method == http.MethodPatch {
		one.header.Set("Content-Type", "application/merge-patch+json")
	}
	if r.Way == ServerSideApply {
		one.header.Set("Content-Type", "application/apply-patch+yaml")
	}
	response, err := c.do(ctx, one)
	if err != nil {
		return Answer{}, err
	}
	return answerOf(r, response)
}

func answerOf(r Request, response response) (Answer, error) {
	answer := Answer{}
	headers, errs := utilnet.ParseWarningHeaders(response.header.Values("Warning"))
	if len(errs) > 0 {
		return answer, fmt.Errorf("warning headers: %v", errs)
	}
	for _, header := range headers {
		answer.Warnings = append(answer.Warnings, header.Text)
	}
	var err error
	if answer.Status, err = response.failure(); err != nil || answer.Status != nil || r.Way == Delete {
		return answer, err
	}
	stored := &unstructured.Unstructured{}
	if err := json.Unmarshal(response.body, &stored.Object); err != nil {
		return answer, err
	}
	answer.Annotations, answer.Labels = stored.GetAnnotations(), stored.GetLabels()
	return answer, nil
}

func impersonating(r Request) http.Header {
	header := http.Header{}
	who := requesterOf(r)
	header.Set("Impersonate-User", who.Username)
	for _, group := range who.Groups {
		header.Add("Impersonate-Group", group)
	}
	if who.UID != "" {
		header.Set("Impersonate-Uid", who.UID)
	}
	for key, values := range who.Extra {
		for _, value := range values {
			header.Add("Impersonate-Extra-"+url.PathEscape(key), value)
		}
	}
	return header
}

// callFor is the call that kubectl would make.
func (c *client) callFor(ctx context.Context, r Request) (call, error) {
	kind, err := c.kindOf(r.Object)
	if err != nil {
		return call{}, err
	}
	one := call{path: pathOf(kind, namespaceOf(r.Object), nameOf(r.Object), r.Subresource), query: url.Values{}, body: r.Object}
	switch r.Way {
	case Annotate:
		err = c.annotate(ctx, &one, r, kind)
	case Create:
		one.method, one.path = http.MethodPost, pathOf(kind, namespaceOf(r.Object), "", "")
		one.manage("kubectl-create")
	case Replace:
		one.method = http.MethodPut
		one.manage("kubectl-replace")
		one.body = c.withVersion(ctx, r.Object, kind)
	case ServerSideApply:
		one.method = http.MethodPatch
		one.manage("kubectl")
		one.query.Set("force", "false")
	case Delete:
		one.method = http.MethodDelete
		one.body = Object{"kind": "DeleteOptions", "apiVersion": "v1", "propagationPolicy": "Background", "dryRun": List{"All"}}
	default:
		err = fmt.Errorf("there is no way %q", r.Way)
	}
	return one, err
}

// manage names the field manager and asks for strict validation.
func (o *call) manage(manager string) {
	o.query.Set("fieldManager", manager)
	o.query.Set("fieldValidation", "Strict")
}

// annotate is a merge patch of annotations, or for namespaces/finalize, which takes no patch, a PUT.
func (c *client) annotate(ctx context.Context, one *call, r Request, kind inventory.Kind) error {
	changes := Object{}
	for key, value := range r.Set {
		changes[key] = value
	}
	for _, key := range r.Remove {
		changes[key] = nil
	}
	one.method, one.body = http.MethodPatch, Object{"metadata": Object{"annotations": changes}}
	one.query.Set("fieldManager", "kubectl-annotate")
	switch r.Subresource {
	case "status", "scale":
		one.query.Set("fieldManager", "kubectl-patch")
	case "finalize":
		one.method = http.MethodPut
		one.query.Del("fieldManager")
		stored, err := c.get(ctx, kind, namespaceOf(r.Object), nameOf(r.Object))
		if err != nil {
			return err
		}
		merge(stored, changes)
		one.body = stored
	}
	return nil
}

func merge(stored, changes Object) {
	metadata := stored["metadata"].(Object)
	annotations, _ := metadata["annotations"].(Object)
	if annotations == nil {
		annotations = Object{}
	}
	for key, value := range changes {
		if value == nil {
			delete(annotations, key)
			continue
		}
		annotations[key] = value
	}
	metadata["annotations"] = annotations
}

// withVersion returns the object with the stored one's resourceVersion, as kubectl replace does.
func (c *client) withVersion(ctx context.Context, object Object, kind inventory.Kind) Object {
	if textAt(object, "metadata", "resourceVersion") != "" {
		return object
	}
	stored, err := c.get(ctx, kind, namespaceOf(object), nameOf(object))
	if err != nil {
		return object // there is none: the API server will say so
	}
	copied := (&unstructured.Unstructured{Object: object}).DeepCopy()
	copied.SetResourceVersion(textAt(stored, "metadata", "resourceVersion"))
	return copied.Object
}

func (c *client) get(ctx context.Context, kind inventory.Kind, namespace, name string) (Object, error) {
	answer, err := c.do(ctx, call{method: http.MethodGet, path: pathOf(kind, namespace, name, ""), query: url.Values{}})
	if err != nil {
		return nil, err
	}
	if answer.code != http.StatusOK {
		return nil, fmt.Errorf("reading %s %s: HTTP %d", kind.Kind.Kind, name, answer.code)
	}
	object := Object{}
	err = json.Unmarshal(answer.body, &object)
	return object, err
}
