package cli

import (
	"context"
	"errors"
	"testing"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// params is an inventory of which only the parameters are asked for.
type params struct {
	inventory.Inventory
	err error
}

func (p params) Params(context.Context, schema.GroupVersionKind) ([]runtime.Object, inventory.Kind, error) {
	return nil, inventory.Kind{}, p.err
}

// Parameters in proposed files that can't be read are not passed over in favour of those in force.
func TestProposedParametersThatCantBeRead(t *testing.T) {
	unreadable := errors.New("written in another version")
	for name, test := range map[string]struct{ files, want error }{
		"unreadable": {unreadable, unreadable},
		"not there":  {&meta.NoKindMatchError{}, nil},
		"none":       {nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			p := &proposal{Inventory: params{}, files: params{err: test.files}}
			if _, _, err := p.Params(t.Context(), schema.GroupVersionKind{}); !errors.Is(err, test.want) {
				t.Errorf("got %v, want %v", err, test.want)
			}
		})
	}
}
