package audit

import (
	"testing"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/chart"
)

// hardened is the guard that holds, as manifests. user1 alone may pass.
func hardened(t testing.TB) string { return rendered(t, true) }

// rendered is the chart's guard of both scopes, removals included, or the one that holds in its place.
func rendered(t testing.TB, hardened bool) string {
	t.Helper()
	values, err := chart.ReadValues("values.yaml", []byte(`
annotationsCompliance:
  authorizedUsersRegex: ["^user1$"]
  onWorkloads: {enabled: true, preventRemoval: true}
  onNamespace: {enabled: true, preventRemoval: true}
`))
	if err != nil {
		t.Fatal(err)
	}
	manifests, err := values.Render(chart.Release{Name: "downscaler", Namespace: "downscaler"}, "v1.37.1", hardened)
	if err != nil {
		t.Fatal(err)
	}
	return string(manifests)
}
