package audit

import (
	"cmp"
	"context"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/downscaler"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
)

// valuesOf are values of each form that the downscaler takes, written so that a policy may know the one and not the other.
var valuesOf = map[downscaler.Form][]string{
	downscaler.Timespans: {"always", "Mon-Fri 08:00-20:00 Europe/Berlin", "true", "TRUE"},
	downscaler.Time:      {"2030-01-31T18:00:00Z", "2031-01-31T18:00:00+01:00"},
	downscaler.Replicas:  {"1", "0"},
	downscaler.Duration:  {"15m", "900"},
	downscaler.Boolean:   {"true", "TRUE", "1"},
}

// further are changes like one that is prevented: of each of the keys that the downscaler reads on such an object, with several values.
func further(s *stop) []Probe {
	var probes []Probe
	for _, a := range downscaler.Keys() {
		if isNamespace(s.object.Kind) && !a.OnNamespace {
			continue
		}
		values := slices.DeleteFunc(slices.Clone(valuesOf[a.Form]), func(value string) bool {
			return downscaler.Check(a.Key, value, s.object.Kind.Kind.GroupKind()) != nil
		})
		if s.Column == ColumnEdit && len(values) < 2 {
			continue // there is nothing to edit it to
		}
		for i, value := range values[:min(len(values), manyValues(s.Column, a.Key))] {
			probes = append(probes, changing(s.object, s.Column, a.Key, value, values[(i+1)%len(values)]))
		}
	}
	return probes
}

// manyValues is how many are tried: all where a policy that goes by values is found by them, and else as many as show whether it knows the key.
func manyValues(column Column, key string) int {
	switch {
	case column == ColumnRemove:
		return 1
	case key == downscaler.Exclude:
		return len(valuesOf[downscaler.Timespans])
	case column == ColumnAdd:
		return 2
	}
	return 1
}

// changing is a change of a key: to a value from another one where it is an edit.
func changing(object inventory.Object, column Column, key, value, from string) Probe {
	p := Probe{Column: column, Key: key, Object: object, Change: request.Change{Set: map[string]string{key: value}}}
	stored, carried := object.Meta().GetAnnotations()[key]
	before := request.Change{}
	switch column {
	case ColumnCreate:
		before.Remove = keysOf(object)
	case ColumnAdd:
		if carried {
			before.Remove = []string{key}
		}
	case ColumnEdit:
		if !carried || stored == value {
			before.Set = map[string]string{key: from}
		}
	case ColumnRemove:
		p.Change = request.Change{Remove: []string{key}}
		if !carried {
			before.Set = map[string]string{key: value}
		}
	}
	if p.Copied = !before.Empty(); p.Copied {
		p.Object = withAnnotations(object, before)
	}
	return p
}

// called is a creation under another name.
func called(s *stop, name string) Probe {
	p := s.Probe
	p.Object = withAnnotations(p.Object, request.Change{})
	meta := metaOf(p.Object.Value)
	meta.SetName(name)
	if labels := meta.GetLabels(); isNamespace(p.Object.Kind) && labels[corev1.LabelMetadataName] != "" {
		labels[corev1.LabelMetadataName] = name
		meta.SetLabels(labels)
	}
	return p
}

// otherNames are a name that no object has and those that rules leave out.
func otherNames(guards []guardPolicy, resource schema.GroupResource) []string {
	const most = 10
	list := []string{madeUpName}
	for _, p := range guards {
		for _, s := range selectings(p) {
			for _, rule := range s.match.ExcludeResourceRules {
				if has(rule.APIGroups, resource.Group) && has(rule.Resources, resource.Resource) {
					list = append(list, rule.ResourceNames...)
				}
			}
		}
	}
	return list[:min(len(list), most)]
}

// passing is a change that passes and is like one that is prevented.
type passing struct {
	tried
	stop *stop
	// named says that it is the creation of an object under another name.
	named bool
}

// like tells changes of one key apart.
type like struct {
	column Column
	key    string
}

// furtherChanges are those that pass, and of which keys some value did not. A change of a key is tried on one object for all that the same policies prevent such changes of, a creation under
// another name on one of each kind.
func (v *view) furtherChanges(ctx context.Context, guards []guardPolicy) (found []passing, partly map[like]bool) {
	partly = map[like]bool{}
	seen := map[stopKey]bool{}
	for _, key := range v.stopKeys() {
		s := v.gathered.stops[key]
		try := func(probe Probe, named bool) {
			t := v.trier("")
			one := t.tryProbe(ctx, probe, &controls{trier: t, object: s.object})
			switch {
			case len(one.orders) > 0:
			case passes(one.protection):
				found = append(found, passing{one, s, named})
			default:
				partly[like{one.Column, one.Key}] = true
			}
		}
		if once := (stopKey{column: key.column, by: key.by}); !seen[once] {
			seen[once] = true
			for _, probe := range further(s) {
				try(probe, false)
			}
		}
		if key.column == ColumnCreate {
			for _, name := range otherNames(guards, s.object.Kind.Resource.GroupResource()) {
				try(called(s, name), true)
			}
		}
		if ctx.Err() != nil {
			break
		}
	}
	return found, partly
}

// stopKeys are in a fixed order: by kind of change, by the policies and by kind of object.
func (v *view) stopKeys() []stopKey {
	var keys []stopKey
	for key := range v.gathered.stops {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b stopKey) int {
		return cmp.Or(cmp.Compare(slices.Index(examplesFirst, a.column), slices.Index(examplesFirst, b.column)),
			cmp.Compare(a.by, b.by), strings.Compare(a.kind, b.kind))
	})
	return keys
}
