package inventory

import (
	"encoding/json"
	"flag"
	"os"
	"testing"

	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

var recordBuiltin = flag.Bool("record-builtin", false, "write builtin.json from the API server in KUBEBUILDER_ASSETS")

// startControlPlane starts an API server and etcd from the folder in KUBEBUILDER_ASSETS, or skips the test.
func startControlPlane(t *testing.T) *rest.Config {
	t.Helper()
	if os.Getenv("KUBEBUILDER_ASSETS") == "" {
		t.Skip("KUBEBUILDER_ASSETS does not name a folder with kube-apiserver and etcd")
	}
	environment := &envtest.Environment{}
	config, err := environment.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := environment.Stop(); err != nil {
			t.Error(err)
		}
	})
	return config
}

// TestRecordBuiltin compares builtin.json with a running API server of the same version, and writes it anew with
//
//	KUBEBUILDER_ASSETS=$PWD/.bin/controlplane go test ./pkg/inventory -run TestRecordBuiltin -record-builtin
//
// The server is one without custom resources; its defaults decide which versions are served.
func TestRecordBuiltin(t *testing.T) {
	inventory, err := Live(t.Context(), startControlPlane(t), LiveOptions{})
	if err != nil {
		t.Fatal(err)
	}
	recorded := newServedKinds(Server{Version: inventory.Server().Version}, inventory.Kinds())
	text, err := json.MarshalIndent(recorded, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	text = append(text, '\n')
	if *recordBuiltin {
		if err := os.WriteFile("builtin.json", text, 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if recorded.Server == builtin().Server && string(text) != string(builtinJSON) {
		t.Error("builtin.json is not what this API server serves; record it anew")
	}
}
