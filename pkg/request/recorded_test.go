package request

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/admission"
)

// recording is what kubectl 1.37.1 sent and what a kube-apiserver 1.37.1 made of it. How it was made: kubectl went
// through a proxy that kept the bodies, and a mutating and a validating webhook with the rule */* kept the admission
// reviews, whose objects are those that CEL sees at the two stages. `before` is the stored object as kubectl get
// printed it just before. Objects lost their managedFields, which hold times. One command a line.
type recording struct {
	Name        string                     `json:"name"`
	Command     string                     `json:"command"`
	Via         Via                        `json:"via"` // "annotate" for Annotate
	Subresource string                     `json:"subresource"`
	Operation   string                     `json:"operation"`
	Change      *Change                    `json:"change"`
	File        *unstructured.Unstructured `json:"file"`
	Before      *unstructured.Unstructured `json:"before"`
	Requests    []recordedRequest          `json:"requests"` // the first, and the last where there were several
}

type recordedRequest struct {
	Method     string         `json:"method"`
	Path       string         `json:"path"`
	Body       string         `json:"body"` // for client-side apply
	Mutating   *review        `json:"mutating"`
	Validating *review        `json:"validating"`
	Status     *metav1.Status `json:"status"` // where it was refused
}

type review struct {
	Operation   admission.Operation     `json:"operation"`
	Namespace   string                  `json:"namespace"`
	Name        string                  `json:"name"`
	Subresource string                  `json:"subresource"`
	Kind        metav1.GroupVersionKind `json:"kind"`
	Options     map[string]any          `json:"options"`
	Object      map[string]any          `json:"object"`
	OldObject   any                     `json:"oldObject"` // "before" where it is
}

func recordings(t *testing.T) []recording {
	t.Helper()
	paths, err := filepath.Glob("testdata/recorded/*.jsonl")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no recordings: %v", err)
	}
	var all []recording
	for _, path := range paths {
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(bytes.NewReader(content))
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			var r recording
			if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			all = append(all, r)
		}
		if lines.Err() != nil {
			t.Fatal(lines.Err())
		}
	}
	return all
}

// TestRecorded builds each recorded request and compares it with what the API server's admission saw.
func TestRecorded(t *testing.T) {
	for _, recorded := range recordings(t) {
		t.Run(recorded.Name, func(t *testing.T) {
			inv := newFakeInventory(t, recorded.Before)
			defer unchanged(t, inv)()
			if strings.Contains(recorded.Name, "number-annotation") || recorded.Name == "create-mistyped-cr" {
				refusedByKubectl(t, inv, recorded)
				return
			}
			r := build(t, inv, recorded)
			if recorded.Name == "ssa-hpa-other-version" {
				if len(r.Incomplete) == 0 {
					t.Error("the other version's fields can't be converted, and nothing says so")
				}
				return
			}
			comparePatch(t, inv, recorded)
			if len(recorded.Requests) == 0 {
				if !r.NoRequest {
					t.Error("kubectl sent nothing; got a request")
				}
				return
			}
			stored := compareRequest(t, r, recorded.Requests[0], recorded.Before)
			if len(recorded.Requests) == 1 || recorded.Requests[0].Status != nil {
				return
			}
			if r.Next == nil {
				t.Fatal("kubectl sent another request; got no Next")
			}
			next, err := r.Next(context.Background(), stored)
			if err != nil || next == nil {
				t.Fatalf("Next: %v, %v", next, err)
			}
			compareLater(t, *next, recorded.Requests[1])
		})
	}
}

func refusedByKubectl(t *testing.T, inv *fakeInventory, recorded recording) {
	t.Helper()
	_, err := Send(context.Background(), inv, Requester{}, recorded.File, recorded.Via, "default", Options{})
	var usage *UsageError
	if !errors.As(err, &usage) {
		t.Errorf("got %v; kubectl refuses it itself", err)
	}
}

// comparePatch compares what client-side apply sends, byte for byte but for the order of keys.
func comparePatch(t *testing.T, inv *fakeInventory, recorded recording) {
	t.Helper()
	if recorded.Via != ViaApply || len(recorded.Requests) == 0 {
		return
	}
	s := &sending{inv: inv, file: recorded.File.DeepCopy(), via: ViaApply}
	if err := errors.Join(s.place("default"), s.read(context.Background())); err != nil {
		t.Fatal(err)
	}
	var sent []byte
	var err error
	if s.stored != nil {
		sent, err = s.threeWayPatch()
	} else {
		sent, err = setLastApplied(s.file)
	}
	if err != nil {
		t.Fatal(err)
	}
	var want, got map[string]any
	if err := errors.Join(json.Unmarshal([]byte(recorded.Requests[0].Body), &want), json.Unmarshal(sent, &got)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("body (-kubectl +here):\n%s", diff)
	}
}

// unchanged checks that nothing wrote into the inventory.
func unchanged(t *testing.T, inv *fakeInventory) func() {
	if inv.stored == nil {
		return func() {}
	}
	before := inv.stored.Value.DeepCopyObject()
	return func() {
		if diff := cmp.Diff(before, inv.stored.Value); diff != "" {
			t.Errorf("the inventory's object changed:\n%s", diff)
		}
	}
}

func build(t *testing.T, inv *fakeInventory, recorded recording) Request {
	t.Helper()
	options := Options{Subresource: recorded.Subresource, Operation: admission.Operation(strings.ToUpper(recorded.Operation))}
	if recorded.Via != "annotate" {
		r, err := Send(context.Background(), inv, Requester{}, recorded.File, recorded.Via, "default", options)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	var change Change
	if recorded.Change != nil {
		change = *recorded.Change
	}
	r, err := Annotate(Requester{}, *inv.stored, change, options)
	if err != nil {
		t.Fatal(err)
	}
	CheckNamespace(context.Background(), inv, &r)
	return r
}

// compareRequest compares a request at each stage, and returns the object that would be stored.
func compareRequest(t *testing.T, r Request, recorded recordedRequest, before *unstructured.Unstructured) runtime.Object {
	t.Helper()
	if recorded.Mutating == nil {
		if r.Refused == nil && strings.Contains(recorded.Status.Message, "strict decoding error") && r.Kind.Kind.Group == "keda.sh" {
			if len(r.Assumptions) == 0 {
				t.Error("a custom resource's schema is not looked at, and no assumption says so")
			}
			return nil
		}
		compareStatus(t, recorded.Status, r.Refused)
		return nil
	}
	if r.Refused != nil {
		t.Fatalf("refused: %s", r.Refused.Message)
	}
	compareReview(t, r, *recorded.Mutating, r.Name)
	compareObject(t, "mutating", recorded.Mutating.Object, r.Proposed, r.UnknownProposed, r.UndefaultedProposed)
	if recorded.Mutating.OldObject == "before" {
		recorded.Mutating.OldObject = before.Object
	}
	if old, ok := recorded.Mutating.OldObject.(map[string]any); ok {
		compareObject(t, "old", old, r.Before, r.UnknownBefore, r.UndefaultedBefore)
	} else if r.Before != nil {
		t.Errorf("Before is %v; want none", r.Before)
	}
	return compareStored(t, r, recorded)
}

func compareStored(t *testing.T, r Request, recorded recordedRequest) runtime.Object {
	t.Helper()
	prepared, err := Prepare(r, r.Proposed)
	if err != nil {
		t.Fatal(err)
	}
	refused := prepared.Refused
	if refused == nil {
		refused = Validate(r, prepared.Object)
	}
	if recorded.Validating == nil {
		compareStatus(t, recorded.Status, refused)
		return nil
	}
	if refused != nil {
		t.Fatalf("refused: %s", refused.Message)
	}
	if prepared.Name != GeneratedName {
		compareReview(t, r, *recorded.Validating, prepared.Name)
	}
	compareObject(t, "validating", recorded.Validating.Object, prepared.Object, prepared.Unknown, r.UndefaultedProposed)
	compareStatus(t, recorded.Status, r.RefusedInStorage)
	return prepared.Object
}

// compareLater compares a later request, whose stored object has been through the API server in between.
func compareLater(t *testing.T, r Request, recorded recordedRequest) {
	t.Helper()
	if r.Refused != nil {
		t.Fatalf("refused: %s", r.Refused.Message)
	}
	compareReview(t, r, *recorded.Mutating, r.Name)
	ignored := append(slices.Clone(r.UnknownProposed), "metadata.resourceVersion", "metadata.generation")
	compareObject(t, "mutating", recorded.Mutating.Object, r.Proposed, ignored, r.UndefaultedProposed)
	compareObject(t, "old", recorded.Mutating.OldObject.(map[string]any), r.Before, ignored, r.UndefaultedBefore)
}
