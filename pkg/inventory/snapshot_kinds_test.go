package inventory

import (
	"bytes"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var configMap = schema.GroupVersionKind{Version: "v1", Kind: "ConfigMap"}

// Any kind may become the parameters of a policy that is proposed later, though no policy has it now.
func TestSnapshotHoldsFutureParams(t *testing.T) {
	text, gaps := takeSnapshot(t, readFiles(t, customCluster+`
---
apiVersion: v1
kind: ConfigMap
metadata: {name: allowed, namespace: a}
data: {teams: "red,green"}
---
apiVersion: v1
kind: Pod
metadata: {name: p, namespace: a}
`))
	if len(gaps) > 0 {
		t.Error(gaps)
	}
	read := readFiles(t, text)
	for _, kind := range []schema.GroupVersionKind{configMap, {Group: "example.com", Version: "v1", Kind: "Widget"}} {
		if params, _, err := read.Params(t.Context(), kind); len(params) != 1 || err != nil {
			t.Error(kind, params, err)
		}
	}
	_, _, err := read.Params(t.Context(), schema.GroupVersionKind{Version: "v1", Kind: "Pod"})
	if err == nil || err.Error() != "the snapshot doesn't hold pods; take the snapshot again with --include pods, or ask the cluster itself" {
		t.Error(err)
	}
}

// A kind that nobody asked for and that can't be read makes no later question incomplete but those about it.
func TestSnapshotWithoutUnaskedKind(t *testing.T) {
	f := newFakeServer()
	f.answer("/api/v1/configmaps", forbidden("", "configmaps"))
	text, gaps := takeSnapshot(t, f.live(t))
	if len(gaps) != 1 || gaps[0].What != "configmaps" {
		t.Error("the summary leaves out what is missing:", gaps)
	}
	read := readFiles(t, text)
	if len(read.Incomplete()) > 0 {
		t.Error(read.Incomplete())
	}
	if _, _, err := read.Params(t.Context(), configMap); !errors.As(err, new(*UnreadKindError)) {
		t.Error(err)
	}
}

func TestSnapshotKindsChosen(t *testing.T) {
	inventory := readFiles(t, smallCluster)
	held := func(options SnapshotOptions) []string {
		var names []string
		for _, kind := range kindsToHold(inventory, options) {
			switch kind.Resource.Resource {
			case "pods", "events", "leases", "secrets", "configmaps", "deployments", "localsubjectaccessreviews":
				names = append(names, kind.Resource.Resource)
			}
		}
		return names
	}
	if diff := cmp.Diff([]string{"configmaps", "deployments"}, held(SnapshotOptions{})); diff != "" {
		t.Error(diff)
	}
	chosen := SnapshotOptions{Kinds: []schema.GroupResource{secrets}, Without: []schema.GroupResource{{Resource: "configmaps"}}}
	if diff := cmp.Diff([]string{"secrets", "deployments"}, held(chosen)); diff != "" {
		t.Error(diff)
	}
	if _, err := Snapshot(t.Context(), inventory, &bytes.Buffer{}, chosen); err != nil {
		t.Error(err)
	}
}
