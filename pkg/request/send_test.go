package request

import (
	"context"
	"errors"
	"testing"

	"k8s.io/apimachinery/pkg/api/meta"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apiserver/pkg/admission"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

func deploymentFile(metadata map[string]any) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "apps/v1", "kind": "Deployment", "metadata": metadata,
		"spec": map[string]any{
			"selector": map[string]any{"matchLabels": map[string]any{"a": "b"}},
			"template": map[string]any{"metadata": map[string]any{"labels": map[string]any{"a": "b"}}},
		},
	}}
}

func TestSendRefusesWhatKubectlRefuses(t *testing.T) {
	named := map[string]any{"name": "web"}
	unknown := deploymentFile(named)
	unknown.SetKind("Unknown")
	tests := []struct {
		name    string
		file    *unstructured.Unstructured
		via     Via
		options Options
		want    string
	}{
		{"unknown kind", unknown, ViaApply, Options{}, `no matches for kind "Unknown" in version "apps/v1"`},
		{"generateName by apply", deploymentFile(map[string]any{"generateName": "w-"}), ViaApply, Options{}, "cannot use generate name with apply"},
		{"no name", deploymentFile(map[string]any{}), ViaReplace, Options{}, "without metadata.name can't be sent by replace"},
		{"apply of a status", deploymentFile(named), ViaApply, Options{Subresource: "status"}, "by server-side-apply or replace only, not by apply"},
		{"scale", deploymentFile(named), ViaReplace, Options{Subresource: "scale"}, "only status is simulated"},
		{"a number for an annotation", deploymentFile(map[string]any{"name": "web", "annotations": map[string]any{"a": int64(1)}}), ViaApply, Options{}, "quote annotations that look like numbers"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := Send(context.Background(), newFakeInventory(t, nil), Requester{}, test.file, test.via, "team-a", test.options)
			checkUsage(t, err, test.want)
		})
	}
}

func TestParseVia(t *testing.T) {
	if via, err := ParseVia(""); err != nil || via != ViaApply {
		t.Errorf("got %q, %v", via, err)
	}
	_, err := ParseVia("patch")
	checkUsage(t, err, "--via patch: there is no such way")
}

func TestSendOperations(t *testing.T) {
	exists := deploymentFile(map[string]any{"name": "web", "namespace": "team-a", "uid": "u", "resourceVersion": "7"})
	tests := []struct {
		name        string
		before      *unstructured.Unstructured
		via         Via
		operation   admission.Operation
		wantVerb    string
		want        admission.Operation
		wantRefused string
	}{
		{"apply, new", nil, ViaApply, "", "create", admission.Create, ""},
		{"apply, there", exists, ViaApply, "", "patch", admission.Update, ""},
		{"apply as create", exists, ViaApply, admission.Create, "create", admission.Create, ""},
		{"apply as update, not there", nil, ViaApply, admission.Update, "patch", admission.Update, `deployments.apps "web" not found`},
		{"replace as create", exists, ViaReplace, admission.Create, "create", admission.Create, ""},
		{"replace, not there", nil, ViaReplace, "", "update", admission.Update, `deployments.apps "web" not found`},
		{"server-side, new", nil, ViaServerSideApply, "", "patch", admission.Create, ""},
		{"delete", exists, ViaApply, admission.Delete, "delete", admission.Delete, ""},
		{"delete, not there", nil, ViaApply, admission.Delete, "delete", admission.Delete, `deployments.apps "web" not found`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			file := deploymentFile(map[string]any{"name": "web"})
			r, err := Send(context.Background(), newFakeInventory(t, test.before), Requester{}, file, test.via, "team-a", Options{Operation: test.operation})
			if err != nil {
				t.Fatal(err)
			}
			if r.Verb != test.wantVerb || r.Operation != test.want || r.Namespace != "team-a" || r.Name != "web" {
				t.Errorf("got %s %s %s/%s", r.Verb, r.Operation, r.Namespace, r.Name)
			}
			refused := ""
			if r.Refused != nil {
				refused = r.Refused.Message
			}
			if refused != test.wantRefused {
				t.Errorf("refused %q; want %q", refused, test.wantRefused)
			}
			if file.GetNamespace() != "" {
				t.Error("the file's object changed")
			}
		})
	}
}

func TestSendWhereTheNamespaceCantBeRead(t *testing.T) {
	inv := newFakeInventory(t, nil)
	inv.namespaceErr = errors.New("forbidden")
	r, err := Send(context.Background(), inv, Requester{}, deploymentFile(map[string]any{"name": "web"}), ViaCreate, "team-a", Options{})
	CheckNamespace(context.Background(), inv, &r)
	if err != nil || r.Refused != nil || len(r.Incomplete) != 1 {
		t.Errorf("got %v, %v, %v; want it incomplete", r.Refused, r.Incomplete, err)
	}
}

// unreadable is an inventory whose objects can't be read.
type unreadable struct{ *fakeInventory }

func (unreadable) Get(context.Context, inventory.Kind, string, string) (inventory.Object, error) {
	return inventory.Object{}, apierrors.NewUnauthorized("no")
}

func TestSendWhereTheObjectCantBeRead(t *testing.T) {
	_, err := Send(context.Background(), unreadable{newFakeInventory(t, nil)}, Requester{}, deploymentFile(map[string]any{"name": "web"}), ViaApply, "team-a", Options{})
	if !apierrors.IsUnauthorized(err) {
		t.Errorf("got %v; nothing may be guessed of an object that can't be read", err)
	}
}

// A server-side apply that is refused for a conflict tells what it asks for, not that it would remove everything.
func TestConflictingApplyTellsWhatItAsks(t *testing.T) {
	before := deploymentFile(map[string]any{
		"name": "web", "namespace": "team-a", "uid": "u", "resourceVersion": "7",
		"annotations": map[string]any{"downscaler/uptime": "always", "downscaler/exclude": "true"},
		"managedFields": []any{map[string]any{
			"manager": "owner", "operation": "Apply", "apiVersion": "apps/v1", "fieldsType": "FieldsV1",
			"fieldsV1": map[string]any{"f:metadata": map[string]any{"f:annotations": map[string]any{"f:downscaler/uptime": map[string]any{}}}},
		}},
	})
	file := deploymentFile(map[string]any{"name": "web", "annotations": map[string]any{"downscaler/uptime": "never"}})
	r, err := Send(context.Background(), newFakeInventory(t, before), Requester{}, file, ViaServerSideApply, "team-a", Options{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Refused == nil || r.Refused.Code != 409 || r.Proposed == nil {
		t.Fatalf("refused %+v, proposed %v", r.Refused, r.Proposed)
	}
	proposed, err := meta.Accessor(r.Proposed)
	if err != nil {
		t.Fatal(err)
	}
	if got := proposed.GetAnnotations(); got["downscaler/uptime"] != "never" || got["downscaler/exclude"] != "true" {
		t.Errorf("annotations %v", got)
	}
}
