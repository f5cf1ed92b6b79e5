package listing

import (
	"context"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/downscaler"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// namespaces are those that selectors choose from.
type namespaces struct {
	all []*corev1.Namespace
	// unread says why there may be others.
	unread error
}

// readNamespaces takes the inventory's namespaces: all of them, or the one that is asked for.
func (l *lister) readNamespaces(ctx context.Context) {
	if name := l.options.Namespace; name != "" {
		namespace, err := l.inventory.Namespace(ctx, name)
		if err != nil {
			l.namespaces.unread = err
			return
		}
		l.namespaces.all = []*corev1.Namespace{namespace}
		return
	}
	l.namespaces.all = l.inventory.Namespaces()
	// An API server has some namespaces; where it has shown none, listing them tells why. Files may have them in part.
	if len(l.namespaces.all) == 0 || l.inventory.Server().Source == inventory.SourceFiles {
		l.namespaces.unread = l.listingError(ctx)
	}
}

func (l *lister) listingError(ctx context.Context) error {
	kind, served := l.inventory.Kinds().ForResource(downscaler.Namespaces)
	if !served {
		return nil
	}
	for _, err := range l.inventory.Objects(ctx, inventory.Query{Kinds: []inventory.Kind{kind}}) {
		if err != nil {
			return err
		}
	}
	return nil
}

// covered finds the namespaces that each of several selectors selects.
func (l *lister) covered(selectors ...*metav1.LabelSelector) Namespaces {
	selectors = slices.DeleteFunc(selectors, selectsAll)
	if len(selectors) == 0 {
		return Namespaces{Coverage: CoversAll}
	}
	found := Namespaces{Coverage: CoversSelected}
	if l.namespaces.unread != nil {
		found.Coverage = CoversUnknown
		l.incomplete("the namespaces that selectors choose", l.namespaces.unread.Error())
	} else if l.inventory.Server().Assumed && l.options.Namespace == "" {
		l.report.Assumptions = append(l.report.Assumptions, inventory.Gap{
			What: "the namespaces that selectors choose", Why: "only those whose Namespace objects are among the manifests are looked at",
		})
	}
	for _, namespace := range l.namespaces.all {
		if matches(namespace, selectors) {
			found.Covered = append(found.Covered, namespace.Name)
		} else {
			found.Excluded = append(found.Excluded, namespace.Name)
		}
	}
	return found
}

// matches says whether all selectors select a namespace. One that is none, which no API server stores, selects nothing.
func matches(namespace *corev1.Namespace, selectors []*metav1.LabelSelector) bool {
	return !slices.ContainsFunc(selectors, func(s *metav1.LabelSelector) bool {
		selector, err := metav1.LabelSelectorAsSelector(s)
		return err != nil || !selector.Matches(labels.Set(namespace.Labels))
	})
}
