package inventory

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/downscaler"
)

// SnapshotOptions say what else a snapshot holds.
type SnapshotOptions struct {
	// Kinds are held besides those that every snapshot holds, such as pods or configmaps.
	Kinds []schema.GroupResource
}

// Snapshot writes an inventory as YAML manifests that FromFiles reads: namespaces, the kinds that the
// downscaler scales, ReplicaSets and ControllerRevisions, service accounts, RBAC, CustomResourceDefinitions,
// admission policies, their bindings and parameters, webhook configurations, and what the server serves.
// The values of containers' environment variables and Secrets are replaced by Redacted, also in copies within
// last-applied annotations, and the places are recorded. The same state gives the same bytes.
//
// The gaps returned are what the snapshot lacks; it says so itself, too. The error is the writer's or the context's.
func Snapshot(ctx context.Context, inventory Inventory, out io.Writer, options SnapshotOptions) ([]Gap, error) {
	buffer := bufio.NewWriterSize(out, 64<<10)
	w := &snapshotWriter{out: buffer, index: snapshotIndex{
		APIVersion: snapshotAPIVersion,
		Kind:       snapshotIndexKind,
		Lists:      []snapshotList{},
		Unread:     append([]Gap{}, inventory.Policies().Unread...),
		Incomplete: append([]Gap{}, inventory.Incomplete()...),
		Redacted:   []snapshotRedacted{},
	}}
	header := snapshotHeader{snapshotAPIVersion, snapshotKind, newServedKinds(inventory.Server(), inventory.Kinds())}
	if err := w.document(header); err != nil {
		return nil, err
	}
	for _, kind := range kindsToHold(inventory, options) {
		if err := w.list(ctx, inventory, kind); err != nil {
			return nil, err
		}
	}
	if err := w.document(w.index); err != nil {
		return nil, err
	}
	return w.index.Incomplete, buffer.Flush()
}

// kindsToHold returns each kind once, in the version that the server prefers, sorted by group and resource.
func kindsToHold(inventory Inventory, options SnapshotOptions) []Kind {
	wanted := map[schema.GroupResource]bool{}
	for _, resource := range slices.Concat(snapshotKinds, options.Kinds, paramKinds(inventory)) {
		wanted[resource] = true
	}
	for _, kind := range downscaler.Kinds() {
		wanted[kind.Resource.GroupResource()] = true
	}
	var kinds []Kind
	for _, kind := range inventory.Kinds().All() {
		if resource := kind.Resource.GroupResource(); wanted[resource] && slices.Contains(kind.Verbs, "list") {
			delete(wanted, resource)
			kinds = append(kinds, kind)
		}
	}
	slices.SortFunc(kinds, func(a, b Kind) int {
		return cmp.Or(cmp.Compare(a.Resource.Group, b.Resource.Group), cmp.Compare(a.Resource.Resource, b.Resource.Resource))
	})
	return kinds
}

// paramKinds are the parameter kinds that the policies name.
func paramKinds(inventory Inventory) []schema.GroupResource {
	var kinds []schema.GroupVersionKind
	for _, policy := range inventory.Policies().Validating {
		if kind := policy.Spec.ParamKind; kind != nil {
			kinds = append(kinds, schema.FromAPIVersionAndKind(kind.APIVersion, kind.Kind))
		}
	}
	for _, policy := range inventory.Policies().Mutating {
		if kind := policy.Spec.ParamKind; kind != nil {
			kinds = append(kinds, schema.FromAPIVersionAndKind(kind.APIVersion, kind.Kind))
		}
	}
	var resources []schema.GroupResource
	for _, gvk := range kinds {
		if kind, served := inventory.Kinds().ForKind(gvk); served {
			resources = append(resources, kind.Resource.GroupResource())
		}
	}
	return resources
}

// snapshotWriter writes documents and keeps the index of what it wrote.
type snapshotWriter struct {
	out     *bufio.Writer
	written int
	index   snapshotIndex
}

// document writes one YAML document.
func (w *snapshotWriter) document(content any) error {
	text, err := yaml.Marshal(content)
	if err != nil {
		return err
	}
	if w.written++; w.written > 1 {
		if _, err := w.out.WriteString("---\n"); err != nil {
			return err
		}
	}
	_, err = w.out.Write(text)
	return err
}

// list writes every object of a kind. A list that can't be read becomes a gap.
func (w *snapshotWriter) list(ctx context.Context, inventory Inventory, kind Kind) error {
	resource := kind.Resource.GroupResource()
	list := snapshotList{Group: resource.Group, Resource: resource.Resource}
	for object, err := range inventory.Objects(ctx, Query{Kinds: []Kind{kind}}) {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil {
			list.Objects++
			if err := w.object(object); err != nil {
				return err
			}
			continue
		}
		gap := Gap{What: resource.String(), Why: unwrapListError(err).Error()}
		list.Error = gap.Why
		if !slices.Contains(w.index.Incomplete, gap) {
			w.index.Incomplete = append(w.index.Incomplete, gap)
		}
	}
	w.index.Lists = append(w.index.Lists, list)
	return nil
}

func unwrapListError(err error) error {
	var listError *ListError
	if errors.As(err, &listError) {
		return listError.Err
	}
	return err
}

// object writes one object without its secrets and records where they were.
func (w *snapshotWriter) object(object Object) error {
	u, paths, err := withoutSecrets(object.Value)
	if err != nil {
		return fmt.Errorf("writing %s %s: %w", object.Kind.Kind.Kind, object.Meta().GetName(), err)
	}
	paths = append(paths, object.Redacted...)
	slices.Sort(paths)
	if paths = slices.Compact(paths); len(paths) > 0 {
		w.index.Redacted = append(w.index.Redacted, snapshotRedacted{
			Group: object.Kind.Kind.Group, Kind: object.Kind.Kind.Kind,
			Namespace: u.GetNamespace(), Name: u.GetName(), Paths: paths,
		})
	}
	w.index.Objects++
	return w.document(u.Object)
}

// withoutSecrets returns a redacted copy of an object and the paths of what is gone.
func withoutSecrets(object runtime.Object) (*unstructured.Unstructured, []string, error) {
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(object)
	if err != nil {
		return nil, nil, err
	}
	u := (&unstructured.Unstructured{Object: content}).DeepCopy()
	return u, redact(u), nil
}
