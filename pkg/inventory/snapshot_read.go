package inventory

import (
	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// snapshotReader reads a snapshot's own documents and counts the others.
type snapshotReader struct {
	begin   Position
	header  snapshotHeader
	index   *snapshotIndex
	objects int
}

// readSnapshot reads a document that the snapshot added to the manifests.
func (b *filesBuilder) readSnapshot(object *fileObject) error {
	if gv := object.kind.GroupVersion().String(); gv != snapshotAPIVersion {
		return inputErrorf(object.Position, "this program reads %s, not %s; take the snapshot again, or use a newer program", snapshotAPIVersion, gv)
	}
	switch {
	case object.kind.Kind == snapshotKind && b.snapshot != nil:
		return inputErrorf(object.Position, "there is a snapshot already, in %s; read one at a time", b.snapshot.begin)
	case object.kind.Kind == snapshotKind:
		b.snapshot = &snapshotReader{begin: object.Position}
		return object.parsed.into(&b.snapshot.header)
	case object.kind.Kind != snapshotIndexKind:
		return inputErrorf(object.Position, "%s has no kind %s", snapshotAPIVersion, object.kind.Kind)
	case b.snapshot == nil || b.snapshot.index != nil:
		return inputErrorf(object.Position, "this is the end of a snapshot without its beginning")
	}
	b.snapshot.index = &snapshotIndex{}
	return object.parsed.into(b.snapshot.index)
}

func (p parsedItem) into(target any) error {
	if err := utiljson.Unmarshal(p.json, target); err != nil {
		return inputErrorf(p.raw.Position, "this snapshot is damaged: %w", err)
	}
	return nil
}

// count counts the objects between the snapshot's beginning and its end.
func (s *snapshotReader) count(object *fileObject) {
	if s.index == nil && object.File == s.begin.File {
		s.objects++
	}
}

// finish gives the inventory what the snapshot says of itself, once it is known to be whole.
func (s *snapshotReader) finish(f *files) error {
	if s.index == nil {
		return inputErrorf(s.begin, "this snapshot is cut short: it has no end; take it again")
	}
	if s.objects != s.index.Objects {
		return inputErrorf(s.begin, "this snapshot is not whole: it had %d objects and has %d; take it again", s.index.Objects, s.objects)
	}
	unread, err := s.header.unreadVersions()
	if err != nil {
		return inputErrorf(s.begin, "this snapshot is damaged: %w", err)
	}
	f.unreadVersions = unread
	f.server.Version = s.header.Server.Version
	f.allDefaulted = s.header.Server.Source == SourceCluster
	f.server.Assumed = !f.allDefaulted
	f.incomplete = append(f.incomplete, s.index.Incomplete...)
	f.policies.Unread = append(f.policies.Unread, s.index.Unread...)
	f.held = map[schema.GroupResource]string{}
	for _, list := range s.index.Lists {
		f.held[schema.GroupResource{Group: list.Group, Resource: list.Resource}] = list.Error
	}
	f.redacted = map[objectKey][]string{}
	for _, r := range s.index.Redacted {
		f.redacted[objectKey{schema.GroupKind{Group: r.Group, Kind: r.Kind}, r.Namespace, r.Name}] = r.Paths
	}
	return nil
}
