package inventory

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"
)

// Snapshot writes an inventory as YAML manifests that FromFiles reads, and what the server serves: enough that a policy
// that is proposed later, and an object that is applied later, is decided as on the live cluster.
//
// It holds every kind that can be listed and written, ConfigMaps and all custom kinds included: any of them may become a
// policy's parameters. What the cluster itself writes over and over is left out, and Secrets: Pods, Events, Leases, Endpoints and
// EndpointSlices, Nodes, volumes and their attachments, reports of scanners and the like. SnapshotOptions add and take away.
//
// These values are replaced by Redacted, and the places are recorded: the data of Secrets; the values of environment
// variables, in fields named env, environment, envVars and the like; and copies of both in annotations, in JSON, YAML and packed
// text, and in managedFields. All else is held as it is: a password that somebody put into another field of a
// custom resource or plainly into a ConfigMap is in the snapshot.
//
// The same state gives the same bytes. The error is the writer's or the context's; what can't be read is in the summary.
func Snapshot(ctx context.Context, inventory Inventory, out io.Writer, options SnapshotOptions) (SnapshotSummary, error) {
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
		return SnapshotSummary{}, err
	}
	asked := askedKinds(inventory, options)
	kinds := kindsToHold(inventory, options)
	for i, kind := range kinds {
		if options.Progress != nil {
			options.Progress(i+1, len(kinds))
		}
		if err := w.list(ctx, inventory, kind, asked[kind.Resource.GroupResource()]); err != nil {
			return SnapshotSummary{}, err
		}
	}
	if err := w.document(w.index); err != nil {
		return SnapshotSummary{}, err
	}
	summary := w.index.summary()
	summary.Incomplete = slices.Concat(summary.Incomplete, w.unasked)
	return summary, buffer.Flush()
}

// snapshotWriter writes documents and keeps the index of what it wrote.
type snapshotWriter struct {
	out     *bufio.Writer
	written int
	index   snapshotIndex
	unasked []Gap // what is missing of the kinds that nobody asked for; it matters once a request or a policy needs them
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
func (w *snapshotWriter) list(ctx context.Context, inventory Inventory, kind Kind, asked bool) error {
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
		w.gap(gap, asked)
	}
	w.index.Lists = append(w.index.Lists, list)
	return nil
}

func (w *snapshotWriter) gap(gap Gap, asked bool) {
	switch {
	case slices.Contains(w.index.Incomplete, gap):
	case asked:
		w.index.Incomplete = append(w.index.Incomplete, gap)
	default:
		w.unasked = append(w.unasked, gap)
	}
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
