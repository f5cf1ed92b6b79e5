package differential

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// client speaks to the API server in plain HTTP, so that what is sent and what comes back is seen as it is.
type client struct {
	http  *http.Client
	host  string
	kinds *inventory.Kinds
}

func newClient(config *rest.Config, kinds *inventory.Kinds) (*client, error) {
	httpClient, err := rest.HTTPClientFor(config)
	if err != nil {
		return nil, err
	}
	return &client{http: httpClient, host: strings.TrimSuffix(config.Host, "/"), kinds: kinds}, nil
}

// kindOf finds the kind of an object among those that are served.
func (c *client) kindOf(object Object) (inventory.Kind, error) {
	gvk := schema.FromAPIVersionAndKind(textAt(object, "apiVersion"), textAt(object, "kind"))
	kind, found := c.kinds.ForKind(gvk)
	if !found {
		return kind, fmt.Errorf("%s is not served", gvk)
	}
	return kind, nil
}

// pathOf is the path of a resource, or of one object of it.
func pathOf(kind inventory.Kind, namespace, name, subresource string) string {
	parts := []string{"/apis", kind.Resource.Group, kind.Resource.Version}
	if kind.Resource.Group == "" {
		parts = []string{"/api", kind.Resource.Version}
	}
	if kind.Namespaced && namespace != "" {
		parts = append(parts, "namespaces", namespace)
	}
	return path.Join(append(parts, kind.Resource.Resource, name, subresource)...)
}

// call is one HTTP request.
type call struct {
	method, path string
	query        url.Values
	header       http.Header
	body         any
}

// response is the answer to a call.
type response struct {
	code   int
	header http.Header
	body   []byte
}

func (c *client) do(ctx context.Context, one call) (response, error) {
	content, err := json.Marshal(one.body)
	if err != nil {
		return response{}, err
	}
	if one.body == nil {
		content = nil
	}
	r, err := http.NewRequestWithContext(ctx, one.method, c.host+one.path+"?"+one.query.Encode(), bytes.NewReader(content))
	if err != nil {
		return response{}, err
	}
	r.Header = one.header.Clone()
	if r.Header == nil {
		r.Header = http.Header{}
	}
	if r.Header.Get("Content-Type") == "" {
		r.Header.Set("Content-Type", "application/json")
	}
	r.Header.Set("Accept", "application/json")
	answer, err := c.http.Do(r)
	if err != nil {
		return response{}, err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	return response{code: answer.StatusCode, header: answer.Header, body: body}, err
}

// failure is the Status of a response that says no, nil for one that says yes.
func (r response) failure() (*metav1.Status, error) {
	if r.code < 300 {
		return nil, nil
	}
	status := &metav1.Status{}
	if err := json.Unmarshal(r.body, status); err != nil {
		return nil, fmt.Errorf("HTTP %d without a Status: %s", r.code, r.body)
	}
	return status, nil
}

// post creates an object as the administrator. The error is the API server's message.
func (c *client) post(ctx context.Context, object Object) error {
	kind, err := c.kindOf(object)
	if err != nil {
		return err
	}
	answer, err := c.do(ctx, call{
		method: http.MethodPost, path: pathOf(kind, namespaceOf(object), "", ""),
		query: url.Values{"fieldManager": {"setup"}, "fieldValidation": {"Strict"}}, body: object,
	})
	if err != nil {
		return err
	}
	status, err := answer.failure()
	if status != nil {
		err = fmt.Errorf("%s %s: %s", kind.Kind.Kind, nameOf(object), status.Message)
	}
	return err
}
