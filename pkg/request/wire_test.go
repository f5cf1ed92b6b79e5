package request

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apiserver/pkg/admission"
)

// TestWireRecorded compares what would be sent with what kubectl sent.
func TestWireRecorded(t *testing.T) {
	for _, recorded := range recordings(t) {
		if strings.Contains(recorded.Name, "number-annotation") || recorded.Name == "create-mistyped-cr" {
			continue // refused by kubectl
		}
		t.Run(recorded.Name, func(t *testing.T) {
			inv := newFakeInventory(t, recorded.Before)
			defer unchanged(t, inv)()
			r, w := wireOf(t, inv, recorded)
			if len(recorded.Requests) == 0 {
				if w.Method != "" {
					t.Errorf("kubectl sent nothing; got %s %s", w.Method, w.Path)
				}
				return
			}
			if r.Operation == admission.Create && recorded.Before != nil && w.Method == http.MethodPost {
				return // as if there were none; kubectl has no way to send that
			}
			compareWire(t, w, recorded.Requests[0])
		})
	}
}

func wireOf(t *testing.T, inv *fakeInventory, recorded recording) (Request, Wire) {
	t.Helper()
	if recorded.Via == "annotate" {
		r := build(t, inv, recorded)
		w, err := OnWire(r)
		if err != nil {
			t.Fatal(err)
		}
		return r, w
	}
	options := Options{Subresource: recorded.Subresource, Operation: admission.Operation(strings.ToUpper(recorded.Operation))}
	r, w, err := SendOnWire(context.Background(), inv, Requester{}, recorded.File, recorded.Via, "default", options)
	if err != nil {
		t.Fatal(err)
	}
	return r, w
}

func compareWire(t *testing.T, w Wire, recorded recordedRequest) {
	t.Helper()
	path, _, _ := strings.Cut(recorded.Path, "?")
	if w.Method != recorded.Method || w.Path != path {
		t.Errorf("%s %s; kubectl sent %s %s", w.Method, w.Path, recorded.Method, path)
	}
	if recorded.Body != "" {
		var want, got any
		if err := json.Unmarshal([]byte(recorded.Body), &want); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(w.Body, &got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("body (-kubectl +here):\n%s", diff)
		}
	}
	if recorded.Mutating == nil || recorded.Mutating.Operation == admission.Delete {
		return
	}
	for _, key := range []string{"fieldManager", "fieldValidation"} {
		if want, _, _ := unstructured.NestedString(recorded.Mutating.Options, key); want != w.Query.Get(key) {
			t.Errorf("%s=%s; kubectl sent %q", key, w.Query.Get(key), want)
		}
	}
}

// TestWireContentTypes: the API server merges by the content type.
func TestWireContentTypes(t *testing.T) {
	want := map[string]string{
		"annotate-deploy-add":          "application/merge-patch+json",
		"apply-add-deploy":             "application/strategic-merge-patch+json",
		"apply-add-cr":                 "application/merge-patch+json",
		"server-side-apply-new-cr":     "application/apply-patch+yaml",
		"finalize-put-ns":              "application/json",
		"server-side-apply-foreign-ns": "application/apply-patch+yaml",
	}
	seen := 0
	for _, recorded := range recordings(t) {
		contentType, asked := want[recorded.Name]
		if !asked {
			continue
		}
		seen++
		if _, w := wireOf(t, newFakeInventory(t, recorded.Before), recorded); w.ContentType != contentType {
			t.Errorf("%s: %s, want %s", recorded.Name, w.ContentType, contentType)
		}
	}
	if seen != len(want) {
		t.Errorf("%d of %d recordings found", seen, len(want))
	}
}

// TestSendsMore: kubectl apply --server-side goes on after the first request where it has something to migrate.
func TestSendsMore(t *testing.T) {
	for _, recorded := range recordings(t) {
		if recorded.Via != ViaServerSideApply || len(recorded.Requests) == 0 || recorded.Requests[0].Status != nil || recorded.Name == "ssa-hpa-other-version" {
			continue
		}
		r, _ := wireOf(t, newFakeInventory(t, recorded.Before), recorded)
		if more := len(recorded.Requests) > 1; r.SendsMore() != more {
			t.Errorf("%s: SendsMore is %t; kubectl sent more: %t", recorded.Name, r.SendsMore(), more)
		}
	}
}
