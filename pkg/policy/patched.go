package policy

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"k8s.io/apimachinery/pkg/runtime"
	celmutation "k8s.io/apiserver/pkg/cel/mutation"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// patchedFromRedacted lists the places with redacted values that a JSON patch reads: those it tests, copies or
// moves. What such an operation does hangs on the value that was taken out.
func patchedFromRedacted(patch ref.Val, object runtime.Object) []string {
	list, ok := patch.(traits.Lister)
	if !ok {
		return nil
	}
	var read []string
	for it := list.Iterator(); it.HasNext() == types.True; {
		operation, ok := it.Next().(*celmutation.JSONPatchVal)
		if !ok {
			continue
		}
		pointer := operation.From
		if operation.Op == "test" {
			pointer = operation.Path
		}
		if pointer != "" && holdsRedacted(object, pointer) {
			read = append(read, "object"+pointer)
		}
	}
	return read
}

// holdsRedacted says whether what a JSON pointer (RFC 6901) leads to is redacted, wholly or in part.
func holdsRedacted(object runtime.Object, pointer string) bool {
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(object)
	if err != nil {
		return true
	}
	var value any = content
	for _, token := range strings.Split(strings.TrimPrefix(pointer, "/"), "/") {
		value = element(value, strings.NewReplacer("~1", "/", "~0", "~").Replace(token))
	}
	text, err := json.Marshal(value)
	return err != nil || inventory.HoldsRedacted(string(text))
}

// element returns a map's or a list's element; nil where there is none.
func element(value any, token string) any {
	switch container := value.(type) {
	case map[string]any:
		return container[token]
	case []any:
		if i, err := strconv.Atoi(token); err == nil && i >= 0 && i < len(container) {
			return container[i]
		}
	}
	return nil
}
