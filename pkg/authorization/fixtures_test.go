package authorization

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// files reads manifests.
func files(t testing.TB, manifests string) inventory.Inventory {
	t.Helper()
	inv, err := inventory.FromFiles(t.Context(), inventory.FileSource{Path: "test", Reader: strings.NewReader(manifests)})
	if err != nil {
		t.Fatal(err)
	}
	return inv
}

// whole is an inventory that holds all there is.
type whole struct{ inventory.Inventory }

// Server implements inventory.Inventory.
func (whole) Server() inventory.Server { return inventory.Server{Source: inventory.SourceCluster} }

// rbacOf decides by manifests as if a server held exactly these.
func rbacOf(t testing.TB, manifests string) *RBAC {
	t.Helper()
	objects, err := inventory.ReadRBAC(t.Context(), whole{files(t, manifests)})
	if err != nil {
		t.Fatal(err)
	}
	return NewRBAC(objects)
}

func dev(groups ...string) user.Info {
	return &user.DefaultInfo{Name: "dev", Groups: append(groups, user.AllAuthenticated)}
}

// ask makes a question of "verb resource[.group][/subresource] [namespace/]name" or "verb /path".
func ask(u user.Info, text string) authorizer.AttributesRecord {
	verb, what, _ := strings.Cut(text, " ")
	if strings.HasPrefix(what, "/") {
		return authorizer.AttributesRecord{User: u, Verb: verb, Path: what}
	}
	what, object, _ := strings.Cut(what, " ")
	what, subresource, _ := strings.Cut(what, "/")
	resource := schema.ParseGroupResource(what)
	asked := authorizer.AttributesRecord{
		User: u, Verb: verb, ResourceRequest: true, APIGroup: resource.Group, APIVersion: "v1",
		Resource: resource.Resource, Subresource: subresource, Name: object,
	}
	if namespace, name, namespaced := strings.Cut(object, "/"); namespaced {
		asked.Namespace, asked.Name = namespace, name
	}
	return asked
}

func fieldsOf(t *testing.T, text string) fields.Requirements {
	t.Helper()
	selector, err := fields.ParseSelector(text)
	if err != nil {
		t.Fatal(err)
	}
	return selector.Requirements()
}
