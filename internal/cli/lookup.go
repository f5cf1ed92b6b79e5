package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// nameLookup finds objects by their names.
type nameLookup struct {
	inventory inventory.Inventory
	state     *stateFlags
	byName    map[schema.GroupVersionResource]listed // what was listed of kinds whose namespaces are not told
}

// listed are the objects of a kind by their names, and the error that cut the list short, if any.
type listed struct {
	objects map[string][]inventory.Object
	err     error
}

// found is what one name stands for.
type found struct {
	object inventory.Object
	err    error
}

// find looks every name up before anything is done with one of them.
func (l *nameLookup) find(ctx context.Context, names []target) (objects, error) {
	var all []found
	seen := map[string]bool{}
	for _, name := range names {
		kind, err := l.inventory.Kinds().Resolve(name.resource)
		if err != nil {
			return nil, asUsage(err)
		}
		key := kind.Resource.String() + "/" + name.name
		if seen[key] {
			continue
		}
		seen[key] = true
		one, err := l.one(ctx, kind, name.name)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return func(yield func(inventory.Object, error) bool) {
		for _, one := range all {
			if !yield(one.object, one.err) {
				return
			}
		}
	}, nil
}

// one finds one object. The second error is about what was asked.
func (l *nameLookup) one(ctx context.Context, kind inventory.Kind, name string) (found, error) {
	namespace := l.state.scope.namespace
	switch {
	case !kind.Namespaced:
		namespace = ""
	case l.state.allNamespaces:
		return found{}, usageErrorf("a resource cannot be retrieved by name across all namespaces; give -n in the place of -A")
	case namespace == "":
		return l.anywhere(ctx, kind, name)
	}
	object, err := l.inventory.Get(ctx, kind, namespace, name)
	if apierrors.IsNotFound(err) && kind.Namespaced {
		if _, missing := l.inventory.Namespace(ctx, namespace); apierrors.IsNotFound(missing) {
			return found{}, usageErrorf("namespaces %q not found; name another one with -n", namespace)
		}
	}
	if err != nil {
		err = &unreadError{describe(kind, namespace, name), err}
	}
	return found{object, err}, nil
}

// anywhere finds an object of a name that exists in one namespace only.
func (l *nameLookup) anywhere(ctx context.Context, kind inventory.Kind, name string) (found, error) {
	list := l.list(ctx, kind)
	candidates := list.objects[name]
	switch {
	case len(candidates) > 1:
		return found{}, usageErrorf("%s is in several namespaces (%s); choose one with -n", describe(kind, "", name), namespacesOf(candidates))
	case list.err != nil:
		return found{err: &unreadError{describe(kind, "", name), list.err}}, nil
	case len(candidates) == 1:
		return found{object: candidates[0]}, nil
	}
	err := fmt.Errorf("%s %q not found in any namespace", kind.Resource.GroupResource(), name)
	return found{err: &unreadError{describe(kind, "", name), err}}, nil
}

func (l *nameLookup) list(ctx context.Context, kind inventory.Kind) listed {
	if list, known := l.byName[kind.Resource]; known {
		return list
	}
	list := listed{objects: map[string][]inventory.Object{}}
	for object, err := range l.inventory.Objects(ctx, inventory.Query{Kinds: []inventory.Kind{kind}}) {
		if err != nil {
			list.err = err
			continue
		}
		name := object.Meta().GetName()
		list.objects[name] = append(list.objects[name], object)
	}
	l.byName[kind.Resource] = list
	return list
}

func namespacesOf(objects []inventory.Object) string {
	var names []string
	for _, object := range objects {
		names = append(names, object.Meta().GetNamespace())
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

// describe is an object in words: deployments.apps/web in team-a.
func describe(kind inventory.Kind, namespace, name string) string {
	text := kind.Resource.GroupResource().String() + "/" + name
	if namespace != "" {
		text += " in " + namespace
	}
	return text
}
