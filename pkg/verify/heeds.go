package verify

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/openapi"
	"k8s.io/client-go/rest"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// heeding knows which kinds' writes heed a dry run. The API server's own do, and custom resources; what an aggregated API
// server does with the parameter is for it to publish, and one that ignores it would write.
type heeding struct {
	reader rest.Interface

	mu    sync.Mutex
	known map[schema.GroupVersionKind]func() error
}

// check returns nil for a kind whose writes heed a dry run. It asks once a kind.
func (h *heeding) check(ctx context.Context, kind inventory.Kind) error {
	if scheme.Scheme.Recognizes(kind.Kind) {
		return nil
	}
	h.mu.Lock()
	if h.known == nil {
		h.known = map[schema.GroupVersionKind]func() error{}
	}
	known, found := h.known[kind.Kind]
	if !found {
		known = sync.OnceValue(func() error { return h.ask(ctx, kind) })
		h.known[kind.Kind] = known
	}
	h.mu.Unlock()
	return known()
}

func (h *heeding) ask(ctx context.Context, kind inventory.Kind) error {
	name := kind.Resource.GroupResource().String()
	err := h.reader.Get().AbsPath("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", name).Do(ctx).Error()
	if err == nil {
		return nil // it is defined here, not served by someone else
	}
	published, openAPIErr := h.published(ctx, kind.Kind)
	switch {
	case openAPIErr != nil:
		return fmt.Errorf("whether writes of %s heed a dry run is not known: %w", name, errors.Join(notFoundIsNone(err), openAPIErr))
	case !published:
		return fmt.Errorf("writes of %s don't heed a dry run: its API server publishes no such parameter", name)
	}
	return nil
}

func notFoundIsNone(err error) error {
	if apierrors.IsNotFound(err) {
		return nil
	}
	return err
}

// openAPIDocument is what is looked at of an OpenAPI document.
type openAPIDocument struct {
	Paths map[string]struct {
		Patch *struct {
			Kind       schema.GroupVersionKind `json:"x-kubernetes-group-version-kind"`
			Parameters []openAPIParameter      `json:"parameters"`
		} `json:"patch"`
	} `json:"paths"`
}

type openAPIParameter struct {
	Name string `json:"name"`
	In   string `json:"in"`
}

// published says whether the API server that serves a kind publishes the parameter for its patches
// (k8s.io/cli-runtime pkg/resource/query_param_verifier_v3.go).
func (h *heeding) published(ctx context.Context, kind schema.GroupVersionKind) (bool, error) {
	paths, err := openapi.NewClientWithContext(h.reader).PathsWithContext(ctx)
	if err != nil {
		return false, err
	}
	path, found := paths["apis/"+kind.GroupVersion().String()]
	if !found {
		return false, nil
	}
	content, err := path.SchemaWithContext(ctx, runtime.ContentTypeJSON)
	if err != nil {
		return false, err
	}
	var document openAPIDocument
	if err := json.Unmarshal(content, &document); err != nil {
		return false, fmt.Errorf("reading the OpenAPI document of %s: %w", kind.GroupVersion(), err)
	}
	for _, path := range document.Paths {
		if path.Patch == nil || path.Patch.Kind != kind {
			continue
		}
		for _, parameter := range path.Patch.Parameters {
			if parameter.Name == dryRunParameter && parameter.In == "query" {
				return true, nil
			}
		}
	}
	return false, nil
}
