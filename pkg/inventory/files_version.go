package inventory

import (
	"context"
	"fmt"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/client-go/kubernetes/scheme"
)

// FromFilesFor is FromFiles for the API server of a version that ParseVersion returned: a kind of admission policy that came with a later version is an
// *InputError, since it would decide nothing there. A snapshot is decided as that server would, too, and not as the one it was taken from.
func FromFilesFor(ctx context.Context, server string, sources ...FileSource) (Inventory, error) {
	return fromFiles(ctx, &filesBuilder{server: server}, sources)
}

// ParseVersion reads the version of an API server, such as "1.34" or "v1.34.2", and returns it as the API server would tell it.
// Versions that are newer than the newest known are refused: what they do is not known.
func ParseVersion(text string) (string, error) {
	parsed, err := version.ParseGeneric(text)
	if err != nil {
		return "", fmt.Errorf("%q is no version of Kubernetes; give one such as v1.34", text)
	}
	newest := version.MustParseGeneric(builtin().Server.Version)
	if newestMinor := version.MajorMinor(newest.Major(), newest.Minor()); newestMinor.LessThan(version.MajorMinor(parsed.Major(), parsed.Minor())) {
		return "", fmt.Errorf("the newest Kubernetes that this program knows is v%s; what v%s does is not known to it", newestMinor, parsed)
	}
	return "v" + strings.TrimPrefix(text, "v"), nil
}

// servedBy returns an error for a policy or binding of a kind that a version of the API server doesn't have yet.
func (o *fileObject) servedBy(server string) error {
	if o.written.Group != admissionregistrationv1.GroupName {
		return nil
	}
	at, err := version.ParseGeneric(server)
	if err != nil {
		return nil //nolint:nilerr // a version that can't be read is taken for the newest, as where policies are compiled
	}
	since := introduced(o.written)
	if since == nil || at.AtLeast(since) {
		return nil
	}
	return inputErrorf(o.Position, "Kubernetes %s does not serve %s %s, which came with v%s; leave it out, or write it in a version that is served there",
		server, o.written.GroupVersion(), o.written.Kind, since)
}

// introduced is the version of Kubernetes that brought a kind in the version in which it is written; nil where that isn't known.
func introduced(kind schema.GroupVersionKind) *version.Version {
	object, err := scheme.Scheme.New(kind)
	if err != nil {
		return nil
	}
	lifecycle, ok := object.(interface {
		APILifecycleIntroduced() (major, minor int)
	})
	if !ok {
		return nil
	}
	major, minor := lifecycle.APILifecycleIntroduced()
	return version.MajorMinor(uint(major), uint(minor)) //nolint:gosec // they are constants of the API's types
}

// PolicyVersion returns the version in which an API server serves a kind of admission policy or binding, the best one that it has.
// The versions before v1 have to be switched on there.
func PolicyVersion(kind, server string) (string, error) {
	at, err := version.ParseGeneric(server)
	if err != nil {
		return policyVersions[0], nil //nolint:nilerr // a version that can't be read is taken for the newest
	}
	var since *version.Version
	for _, v := range policyVersions {
		brought := introduced(admissionregistrationv1.SchemeGroupVersion.WithKind(kind).GroupKind().WithVersion(v))
		if brought == nil {
			continue
		}
		if at.AtLeast(brought) {
			return v, nil
		}
		since = brought
	}
	return "", fmt.Errorf("there is no %s in Kubernetes %s: it came with v%s", kind, server, since)
}
