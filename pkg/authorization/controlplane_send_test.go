package authorization

import (
	"bytes"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/test/cluster"
)

// as reads as a user who may not do everything.
func as(t *testing.T, server *cluster.Cluster, inv inventory.Inventory, name string) *Authorizer {
	t.Helper()
	user, err := server.AddUser(name)
	if err != nil {
		t.Fatal(err)
	}
	if name != "asker" {
		if inv, err = inventory.Live(t.Context(), user.Config, inventory.LiveOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	z, err := New(inv, Options{Config: user.Config})
	if err != nil {
		t.Fatal(err)
	}
	return z
}

func snapshotOf(t *testing.T, inv inventory.Inventory) inventory.Inventory {
	t.Helper()
	var out bytes.Buffer
	if _, err := inventory.Snapshot(t.Context(), inv, &out, inventory.SnapshotOptions{}); err != nil {
		t.Fatal(err)
	}
	return files(t, out.String())
}

// requestsOf are requests of every verb: on a Deployment, on its subresources, on Namespaces, on one that isn't there.
func requestsOf(t *testing.T, inv inventory.Inventory, requester request.Requester) []request.Request {
	t.Helper()
	var all []request.Request
	add := func(resource, subresource, namespace, name, verb string, mayCreate bool) {
		kind, err := inv.Kinds().Resolve(resource)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, request.Request{
			Requester: requester, Kind: kind, Operation: admission.Update, Verb: verb,
			Subresource: subresource, Namespace: namespace, Name: name, MayCreate: mayCreate,
		})
	}
	for _, verb := range []string{"create", "update", "patch", "delete"} {
		add("deployments", "", "a", "web", verb, false)
		add("namespaces", "", "a", "a", verb, false)
	}
	for _, verb := range []string{"update", "patch"} {
		add("deployments", "status", "a", "web", verb, false)
		add("deployments", "scale", "a", "web", verb, false)
		add("namespaces", "status", "a", "a", verb, false)
	}
	add("namespaces", "finalize", "a", "a", "update", false)
	add("deployments", "", "b", "web", "patch", false)
	add("deployments", "", "a", "new", "patch", true) // server-side apply
	add("namespaces", "", "new", "new", "patch", true)
	add("leases", "", "a", "new", "update", true) // PUT of a kind that it creates
	return all
}

// send sends a request, by dry run, and returns the API server's refusal to authorize it, if it is one.
func send(t *testing.T, admin *rest.Config, r request.Request) *metav1.Status {
	t.Helper()
	config := rest.CopyConfig(admin)
	config.Impersonate = rest.ImpersonationConfig{UserName: r.Requester.Username, Groups: r.Requester.Groups}
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	resource := dynamic.ResourceInterface(client.Resource(r.Kind.Resource))
	if r.Kind.Namespaced {
		resource = client.Resource(r.Kind.Resource).Namespace(r.Namespace)
	}
	err = sendBy(t, resource, r)
	var status apierrors.APIStatus
	if !apierrors.IsForbidden(err) || !errors.As(err, &status) {
		return nil
	}
	got := status.Status()
	return &got
}

func sendBy(t *testing.T, resource dynamic.ResourceInterface, r request.Request) error {
	t.Helper()
	object := &unstructured.Unstructured{}
	object.SetGroupVersionKind(r.Kind.Kind)
	object.SetName(r.Name)
	dryRun := []string{metav1.DryRunAll}
	var sub []string
	if r.Subresource != "" {
		sub = []string{r.Subresource}
	}
	var err error
	switch {
	case r.Verb == "create":
		_, err = resource.Create(t.Context(), object, metav1.CreateOptions{DryRun: dryRun})
	case r.Verb == "update":
		_, err = resource.Update(t.Context(), object, metav1.UpdateOptions{DryRun: dryRun}, sub...)
	case r.Verb == "delete":
		err = resource.Delete(t.Context(), r.Name, metav1.DeleteOptions{DryRun: dryRun})
	case r.MayCreate:
		if r.Kind.Namespaced {
			object.Object["spec"] = map[string]any{
				"selector": map[string]any{"matchLabels": map[string]any{"app": "x"}},
				"template": map[string]any{
					"metadata": map[string]any{"labels": map[string]any{"app": "x"}},
					"spec":     map[string]any{"containers": []any{map[string]any{"name": "c", "image": "i"}}},
				},
			}
		}
		_, err = resource.Apply(t.Context(), r.Name, object, metav1.ApplyOptions{DryRun: dryRun, FieldManager: "test"})
	default:
		patch := []byte(`{"metadata":{"annotations":{"downscaler/exclude":"true"}}}`)
		_, err = resource.Patch(t.Context(), r.Name, types.MergePatchType, patch, metav1.PatchOptions{DryRun: dryRun}, sub...)
	}
	return err
}

func compare(t *testing.T, source string, z *Authorizer, r request.Request, want *metav1.Status) {
	t.Helper()
	decision, err := z.Check(t.Context(), r)
	if err != nil {
		t.Errorf("%s: %v", source, err)
		return
	}
	got := decision.Status
	if got != nil {
		got.Kind, got.APIVersion = "Status", "v1"
	}
	if want != nil {
		want.Kind, want.APIVersion = "Status", "v1"
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s, %s: %s", source, describe(questionsOf(r)[0]), diff)
	}
}

// unknowing reads as someone who may neither ask nor list, and asks about itself all the same.
func unknowing(t *testing.T, server *cluster.Cluster) {
	t.Helper()
	user, err := server.AddUser("tenant")
	if err != nil {
		t.Fatal(err)
	}
	inv, err := inventory.Live(t.Context(), user.Config, inventory.LiveOptions{})
	if err != nil {
		t.Fatal(err)
	}
	self := request.NewRequester("tenant", nil, "", nil)
	z, err := New(inv, Options{Config: user.Config, Self: self.User()})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range requestsOf(t, inv, self)[:2] {
		compare(t, "self", z, r, send(t, server.Admin.Config, r))
	}
	_, err = z.Check(t.Context(), requestsOf(t, inv, request.NewRequester("other", nil, "", nil))[0])
	if unknown := (*UnknownError)(nil); !errors.As(err, &unknown) {
		t.Error(err)
	}
	t.Log(err)
}
