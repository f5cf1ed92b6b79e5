package cli

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/spf13/pflag"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/audit"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// selection is a choice of objects that exist.
type selection struct {
	targets   targets
	all       bool
	labels    string
	selector  labels.Selector // nil: any labels
	perObject string          // a subresource that a kind has to have where kinds aren't named
}

// objects are found in an inventory. An error that comes with the sequence is about one object or one kind.
type objects = iter.Seq2[inventory.Object, error]

func (s *selection) addSelector(flags *pflag.FlagSet) {
	flags.StringVarP(&s.labels, "selector", "l", "", "Only objects with these labels, such as app=web,tier!=db")
}

func (s *selection) complete() (err error) {
	if s.labels == "" {
		return nil
	}
	if s.selector, err = labels.Parse(s.labels); err != nil {
		return usageErrorf("the provided selector %q is not valid: %w", s.labels, err)
	}
	return nil
}

// validate refuses what kubectl refuses, in its words.
func (s *selection) validate() error {
	named, bulk := len(s.targets.named) > 0, len(s.targets.types) > 0
	switch {
	case named && s.selector != nil:
		return usageErrorf("name cannot be provided when a selector is specified")
	case named && s.all:
		return usageErrorf("selectors and the all flag cannot be used when passing resource/name arguments")
	case bulk && !s.all && s.selector == nil:
		return usageErrorf("resource(s) were provided, but no name was specified; name objects, or give --all or --selector")
	case !named && !bulk && !s.all && s.selector != nil:
		return usageErrorf("at least one resource must be specified to use a selector; name types, or give --all for every guarded kind")
	}
	return nil
}

func (s *selection) empty() bool {
	return len(s.targets.named) == 0 && len(s.targets.types) == 0 && !s.all
}

// nothing is what it means that no object was found: what was selected in particular has to be there.
func (s *selection) nothing(scope scope) error {
	if s.all {
		return nil
	}
	where := "any namespace"
	if scope.namespace != "" {
		where = "namespace " + scope.namespace
	}
	return fmt.Errorf("no objects found: no %s in %s has the labels %s; correct the selector, or add --all where finding nothing is fine",
		strings.Join(s.targets.types, ","), where, s.selector)
}

// find looks the objects up. Its own error is about what was asked.
func (s *selection) find(ctx context.Context, inv inventory.Inventory, state *stateFlags) (objects, error) {
	if len(s.targets.named) > 0 {
		lookup := &nameLookup{inventory: inv, state: state, byName: map[schema.GroupVersionResource]listed{}}
		return lookup.find(ctx, s.targets.named)
	}
	if err := state.scope.checkNamespace(ctx, inv); err != nil {
		return nil, err
	}
	if len(s.targets.types) == 0 {
		return s.guarded(ctx, inv, state.scope), nil
	}
	return s.ofTypes(ctx, inv, state.scope)
}

// ofTypes are the objects of the kinds named; kinds without a namespace are looked at whole.
func (s *selection) ofTypes(ctx context.Context, inv inventory.Inventory, scope scope) (objects, error) {
	var kinds []inventory.Kind
	for _, argument := range s.targets.types {
		found, err := resolveType(inv.Kinds(), argument)
		if err != nil {
			return nil, err
		}
		kinds = append(kinds, found...)
	}
	namespaced, others := split(kinds)
	return inTurn(
		inv.Objects(ctx, inventory.Query{Kinds: namespaced, Namespace: scope.namespace, Selector: s.selector}),
		inv.Objects(ctx, inventory.Query{Kinds: others, Selector: s.selector}),
	), nil
}

// guarded are the objects of every guarded kind; in a namespace that is the namespace itself, too.
func (s *selection) guarded(ctx context.Context, inv inventory.Inventory, scope scope) objects {
	kinds := audit.GuardedKinds(inv.Kinds())
	if s.perObject != "" {
		kinds = slices.DeleteFunc(kinds, func(kind inventory.Kind) bool { return !kind.HasSubresource(s.perObject) })
	}
	namespaced, namespaces := split(kinds)
	return inTurn(
		inv.Objects(ctx, inventory.Query{Kinds: namespaced, Namespace: scope.namespace, Selector: s.selector}),
		s.namespaces(ctx, inv, namespaces, scope),
	)
}

// namespaces are the namespaces that a scope is about.
func (s *selection) namespaces(ctx context.Context, inv inventory.Inventory, kinds []inventory.Kind, scope scope) objects {
	if scope.namespace == "" || len(kinds) == 0 {
		return inv.Objects(ctx, inventory.Query{Kinds: kinds, Selector: s.selector})
	}
	return func(yield func(inventory.Object, error) bool) {
		object, err := inv.Get(ctx, kinds[0], "", scope.namespace)
		if _, known := inv.Namespace(ctx, scope.namespace); errors.As(known, new(*inventory.UnreadNamespaceError)) {
			return // no manifest of it is among the files; the report tells it where something depends on it
		}
		if err != nil {
			yield(object, &unreadError{"namespaces/" + scope.namespace, err})
		} else if s.selector == nil || s.selector.Matches(labels.Set(object.Meta().GetLabels())) {
			yield(object, nil)
		}
	}
}

// split tells kinds whose objects lie in namespaces from the others.
func split(kinds []inventory.Kind) (namespaced, others []inventory.Kind) {
	for _, kind := range kinds {
		if kind.Namespaced {
			namespaced = append(namespaced, kind)
		} else {
			others = append(others, kind)
		}
	}
	return namespaced, others
}

// inTurn yields one sequence after the other.
func inTurn(sequences ...objects) objects {
	return func(yield func(inventory.Object, error) bool) {
		for _, sequence := range sequences {
			for object, err := range sequence {
				if !yield(object, err) {
					return
				}
			}
		}
	}
}
