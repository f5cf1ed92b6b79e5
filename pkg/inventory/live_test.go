package inventory

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
)

// fakeServer is an API server of canned answers in JSON.
type fakeServer struct {
	mu        sync.Mutex
	asked     []string
	resources map[string][]metav1.APIResource // by version, such as "apps/v1"
	answers   map[string]func(http.ResponseWriter, *http.Request)
}

func newFakeServer() *fakeServer {
	f := &fakeServer{resources: map[string][]metav1.APIResource{}, answers: map[string]func(http.ResponseWriter, *http.Request){}}
	f.serve("v1", "Namespace", "namespaces", false)
	f.serve("v1", "ConfigMap", "configmaps", true)
	f.serve("apps/v1", "Deployment", "deployments", true)
	f.serve("example.com/v1", "Widget", "widgets", true)
	for _, kind := range []string{"ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding"} {
		plural, _ := meta.UnsafeGuessKindToResource(schema.GroupVersionKind{Kind: kind})
		f.serve("admissionregistration.k8s.io/v1", kind, plural.Resource, false)
	}
	f.list("/api/v1/namespaces", "NamespaceList", "team-a", "team-b")
	f.list("/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies", "ValidatingAdmissionPolicyList", "p")
	f.list("/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings", "ValidatingAdmissionPolicyBindingList")
	f.list("/apis/apps/v1/deployments", "DeploymentList", "web", "api")
	f.list("/apis/example.com/v1/widgets", "WidgetList", "w")
	f.list("/api/v1/configmaps", "ConfigMapList", "c")
	return f
}

func (f *fakeServer) serve(version, kind, plural string, namespaced bool) {
	f.resources[version] = append(f.resources[version], metav1.APIResource{Name: plural, Kind: kind, Namespaced: namespaced, Verbs: customVerbs})
}

// answer sets what a path answers from now on.
func (f *fakeServer) answer(path string, with func(http.ResponseWriter, *http.Request)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.answers[path] = with
}

func (f *fakeServer) list(path, kind string, names ...string) {
	f.answers[path] = func(w http.ResponseWriter, _ *http.Request) { answer(w, 200, listOf(path, kind, "", names...)) }
}

func listOf(path, kind, next string, names ...string) map[string]any {
	items := []any{}
	for _, name := range names {
		metadata := map[string]any{"name": name}
		if slices.Contains([]string{"DeploymentList", "ConfigMapList", "WidgetList"}, kind) {
			metadata["namespace"] = "team-a"
		}
		items = append(items, map[string]any{"metadata": metadata})
	}
	parts := strings.Split(strings.TrimPrefix(strings.TrimPrefix(path, "/apis/"), "/api/"), "/")
	return map[string]any{"kind": kind, "apiVersion": strings.Join(parts[:len(parts)-1], "/"), "metadata": map[string]any{"continue": next}, "items": items}
}

func answer(w http.ResponseWriter, code int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	if err := json.NewEncoder(w).Encode(body); err != nil {
		panic(err)
	}
}

// refuse answers as the API server does for an error.
func refuse(err *apierrors.StatusError) func(http.ResponseWriter, *http.Request) {
	status := err.Status()
	status.TypeMeta = metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}
	return func(w http.ResponseWriter, _ *http.Request) { answer(w, int(status.Code), status) }
}

func forbidden(group, resource string) func(http.ResponseWriter, *http.Request) {
	return refuse(apierrors.NewForbidden(schema.GroupResource{Group: group, Resource: resource}, "", errors.New("no")))
}

func (f *fakeServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	f.asked = append(f.asked, r.URL.Path)
	custom, ok := f.answers[r.URL.Path]
	f.mu.Unlock()
	if ok {
		custom(w, r)
		return
	}
	switch r.URL.Path {
	case "/version":
		answer(w, 200, map[string]string{"gitVersion": "v1.33.4", "major": "1", "minor": "33"})
	case "/api":
		answer(w, 200, metav1.APIVersions{Versions: []string{"v1"}})
	case "/apis":
		answer(w, 200, f.groups())
	default:
		version := strings.TrimPrefix(strings.TrimPrefix(r.URL.Path, "/apis/"), "/api/")
		if resources, ok := f.resources[version]; ok {
			answer(w, 200, metav1.APIResourceList{GroupVersion: version, APIResources: resources})
			return
		}
		refuse(apierrors.NewNotFound(schema.GroupResource{}, r.URL.Path))(w, r)
	}
}

func (f *fakeServer) groups() metav1.APIGroupList {
	var groups metav1.APIGroupList
	for _, name := range []string{"apps", "admissionregistration.k8s.io", "example.com"} {
		group := metav1.APIGroup{Name: name}
		for _, version := range []string{"v1", "v1beta1"} {
			gv := schema.GroupVersion{Group: name, Version: version}
			if _, ok := f.resources[gv.String()]; ok {
				group.Versions = append(group.Versions, groupVersionForDiscovery(gv))
			}
		}
		if len(group.Versions) > 0 {
			group.PreferredVersion = group.Versions[0]
			groups.Groups = append(groups.Groups, group)
		}
	}
	return groups
}

func (f *fakeServer) start(t *testing.T) *rest.Config {
	server := httptest.NewServer(f)
	t.Cleanup(server.Close)
	return &rest.Config{Host: server.URL, Timeout: 5 * time.Second}
}

func (f *fakeServer) live(t *testing.T) Inventory {
	t.Helper()
	inventory, err := Live(t.Context(), f.start(t), LiveOptions{PageSize: 2})
	if err != nil {
		t.Fatal(err)
	}
	return inventory
}

func TestLive(t *testing.T) {
	f := newFakeServer()
	inventory := f.live(t)
	if inventory.Server() != (Server{Version: "v1.33.4", Source: SourceCluster}) {
		t.Error(inventory.Server())
	}
	if len(inventory.Incomplete()) > 0 || len(inventory.Policies().Unread) > 0 {
		t.Error("a server without mutating policies has no gap", inventory.Incomplete())
	}
	if len(inventory.Namespaces()) != 2 || len(inventory.Policies().Validating) != 1 {
		t.Error(inventory.Namespaces(), inventory.Policies())
	}
	if policy := inventory.Policies().Validating[0]; policy.Kind != "ValidatingAdmissionPolicy" || policy.Spec.FailurePolicy == nil {
		t.Error(policy)
	}
	want := []string{"*v1.Deployment team-a/web", "*v1.Deployment team-a/api", "*unstructured.Unstructured team-a/w"}
	if diff := cmp.Diff(want, list(t, inventory, Query{}, "deployments", "widgets")); diff != "" {
		t.Error(diff)
	}
	for object, err := range inventory.Objects(t.Context(), Query{Kinds: []Kind{resolve(t, inventory, "deployments")}}) {
		if err != nil || object.Value.GetObjectKind().GroupVersionKind().Kind != "Deployment" || !object.Defaulted {
			t.Error(object)
		}
	}
}

func TestLiveOlderPolicyVersion(t *testing.T) {
	f := newFakeServer()
	delete(f.resources, "admissionregistration.k8s.io/v1")
	f.serve("admissionregistration.k8s.io/v1beta1", "MutatingAdmissionPolicy", "mutatingadmissionpolicies", false)
	f.list("/apis/admissionregistration.k8s.io/v1beta1/mutatingadmissionpolicies", "MutatingAdmissionPolicyList", "m")
	policies := f.live(t).Policies()
	if len(policies.Mutating) != 1 || policies.Mutating[0].APIVersion != "admissionregistration.k8s.io/v1" {
		t.Error(policies)
	}
}

func TestLiveForbidden(t *testing.T) {
	f := newFakeServer()
	f.answer("/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies", forbidden("admissionregistration.k8s.io", "validatingadmissionpolicies"))
	f.answer("/api/v1/namespaces", forbidden("", "namespaces"))
	f.answer("/apis/apps/v1/deployments", refuse(apierrors.NewForbidden(schema.GroupResource{Group: "apps", Resource: "deployments"}, "",
		errors.New(`User "dev" cannot list resource "deployments" in API group "apps" at the cluster scope: RBAC: no such role`))))
	f.answer("/api/v1/namespaces/x", refuse(apierrors.NewNotFound(namespacesResource, "x")))
	inventory := f.live(t)
	policies := Gap{
		"validatingadmissionpolicies.admissionregistration.k8s.io",
		"no right to list them: validatingadmissionpolicies.admissionregistration.k8s.io is forbidden: no",
	}
	if diff := cmp.Diff([]Gap{policies}, inventory.Incomplete()); diff != "" {
		t.Error("namespaces may be asked for one by one:", diff)
	}
	if diff := cmp.Diff([]Gap{policies}, inventory.Policies().Unread); diff != "" {
		t.Error(diff)
	}
	got := list(t, inventory, Query{}, "deployments", "widgets")
	if len(got) != 2 || got[0] != "error: listing deployments.apps: no right to list them: RBAC: no such role" || got[1] != "*unstructured.Unstructured team-a/w" {
		t.Error(got)
	}
	if _, err := inventory.Namespace(t.Context(), "x"); !apierrors.IsNotFound(err) {
		t.Error(err)
	}
	missing := []Right{
		{Verb: "list", Resource: schema.GroupResource{Group: "admissionregistration.k8s.io", Resource: "validatingadmissionpolicies"}},
		{Verb: "list", Resource: schema.GroupResource{Group: "apps", Resource: "deployments"}},
	}
	if diff := cmp.Diff(missing, MissingRights(inventory)); diff != "" {
		t.Error("rights that nothing depends on are not missing:", diff)
	}
}

// expiring answers the first page and refuses the second, with a token to go on or without.
func expiring(path, kind, fresh string, whole bool) func(http.ResponseWriter, *http.Request) {
	return func(w http.ResponseWriter, r *http.Request) {
		query := r.URL.Query()
		switch {
		case query.Get("limit") == "" && whole:
			answer(w, 200, listOf(path, kind, "", "a", "b", "c"))
		case query.Get("continue") == "":
			answer(w, 200, listOf(path, kind, "t1", "a", "b"))
		case query.Get("continue") == "t2":
			answer(w, 200, listOf(path, kind, "", "c"))
		default:
			expired := apierrors.NewResourceExpired("the token is too old")
			expired.ErrStatus.Continue = fresh
			refuse(expired)(w, r)
		}
	}
}

func TestLiveExpiredToken(t *testing.T) {
	const deployments, configMaps = "/apis/apps/v1/deployments", "/api/v1/configmaps"
	f := newFakeServer()
	f.answer(deployments, expiring(deployments, "DeploymentList", "", true))
	f.answer(configMaps, expiring(configMaps, "ConfigMapList", "", true))
	f.answer("/api/v1/namespaces", expiring("/api/v1/namespaces", "NamespaceList", "", false))
	inventory := f.live(t)

	want := []string{
		"*v1.Deployment team-a/a", "*v1.Deployment team-a/b",
		"error: listing deployments.apps: the token is too old; the list expired while it was read, so that the rest of it is missing; try again",
	}
	if diff := cmp.Diff(want, list(t, inventory, Query{}, "deployments")); diff != "" {
		t.Error("a list that ends early must say so:", diff)
	}
	params, _, err := inventory.Params(t.Context(), schema.GroupVersionKind{Version: "v1", Kind: "ConfigMap"})
	if len(params) != 3 || err != nil {
		t.Error("a list that expired is read again:", params, err)
	}
	if len(inventory.Namespaces()) > 0 {
		t.Error("a list that expires twice is no list:", inventory.Namespaces())
	}

	f.answer(deployments, expiring(deployments, "DeploymentList", "t2", false))
	want = []string{"*v1.Deployment team-a/a", "*v1.Deployment team-a/b", "*v1.Deployment team-a/c"}
	if diff := cmp.Diff(want, list(t, inventory, Query{}, "deployments")); diff != "" {
		t.Error("a fresh token goes on:", diff)
	}
}

func TestLiveParams(t *testing.T) {
	f := newFakeServer()
	inventory := f.live(t)
	for range 3 {
		if params, kind, err := inventory.Params(t.Context(), schema.GroupVersionKind{Version: "v1", Kind: "ConfigMap"}); len(params) != 1 || !kind.Namespaced || err != nil {
			t.Error(params, kind, err)
		}
	}
	if got := strings.Count(strings.Join(f.asked, " "), "/api/v1/configmaps"); got != 1 {
		t.Errorf("parameters were listed %d times", got)
	}
	if _, _, err := inventory.Params(t.Context(), schema.GroupVersionKind{Group: "none", Version: "v1", Kind: "X"}); !meta.IsNoMatchError(err) {
		t.Error(err)
	}
}

func TestLivePartialDiscovery(t *testing.T) {
	f := newFakeServer()
	for _, version := range []string{"example.com/v1", "admissionregistration.k8s.io/v1"} {
		f.answer("/apis/"+version, refuseUnavailable())
	}
	inventory := f.live(t)
	why := "the API server could not say which they are, perhaps as what serves them is down: down"
	policies := Gap{"the kinds of admissionregistration.k8s.io/v1", why}
	if diff := cmp.Diff([]Gap{policies}, inventory.Incomplete()); diff != "" {
		t.Error("a group nobody asked for is no gap, and that of the policies is:", diff)
	}
	if _, err := inventory.Kinds().Resolve("widgets"); err == nil || !strings.Contains(err.Error(), "example.com/v1") {
		t.Error("a kind that was not found may be in it:", err)
	}
	if diff := cmp.Diff([]Gap{policies}, inventory.Policies().Unread); diff != "" {
		t.Error(diff)
	}
	if _, _, err := inventory.Params(t.Context(), schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Widget"}); err == nil || meta.IsNoMatchError(err) {
		t.Error("it isn't known whether the kind is served:", err)
	}
}

func TestLiveBadAnswers(t *testing.T) {
	f := newFakeServer()
	f.answer("/apis/apps/v1/deployments", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"kind":"DeploymentList"`) })
	f.answer("/apis/example.com/v1/widgets", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `<html>`) })
	f.answers["/version"] = refuse(apierrors.NewForbidden(schema.GroupResource{}, "", errors.New("no")))
	inventory := f.live(t)
	for i, got := range list(t, inventory, Query{}, "deployments", "widgets") {
		if !strings.Contains(got, "the API server's answer can't be read: ") {
			t.Error(i, got)
		}
	}
	if len(inventory.Incomplete()) != 1 || !strings.HasSuffix(inventory.Incomplete()[0].Why, "v1.37.1 is assumed") {
		t.Error(inventory.Incomplete())
	}
}

func TestLiveUnreachable(t *testing.T) {
	server := httptest.NewServer(newFakeServer())
	server.Close()
	_, err := Live(t.Context(), &rest.Config{Host: server.URL}, LiveOptions{})
	if err == nil || !strings.HasPrefix(err.Error(), "the API server at "+server.URL+" does not say which kinds it serves: ") {
		t.Error(err)
	}
}

// hang answers nothing until the request is given up.
func hang(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }

func TestLiveTimeout(t *testing.T) {
	f := newFakeServer()
	f.answer("/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies", hang)
	config := f.start(t)
	config.Timeout = 100 * time.Millisecond
	inventory, err := Live(t.Context(), config, LiveOptions{})
	if err != nil {
		t.Fatal(err)
	}
	unread := inventory.Policies().Unread
	if len(unread) != 1 || !strings.Contains(unread[0].Why, "the API server did not answer in time; try again, or allow more with --request-timeout") {
		t.Error(unread)
	}
}

func TestLiveCancelled(t *testing.T) {
	f := newFakeServer()
	f.answer("/api/v1/configmaps", hang)
	inventory := f.live(t)
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancel()
	start := time.Now()
	var last error
	for _, err := range inventory.Objects(ctx, Query{Kinds: []Kind{resolve(t, inventory, "configmaps"), resolve(t, inventory, "deployments")}}) {
		last = err
	}
	if !errors.Is(last, context.DeadlineExceeded) || time.Since(start) > time.Second {
		t.Error(last, time.Since(start))
	}
	f.answer("/api/v1/namespaces", hang)
	if _, err := Live(ctx, f.start(t), LiveOptions{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}

// Leaving the loop early ends the requests that run ahead.
func TestLiveBreak(t *testing.T) {
	f := newFakeServer()
	f.answer("/api/v1/configmaps", hang)
	inventory := f.live(t)
	for _, err := range inventory.Objects(t.Context(), Query{Kinds: []Kind{resolve(t, inventory, "deployments"), resolve(t, inventory, "configmaps")}}) {
		if err != nil {
			t.Error(err)
		}
		break
	}
}

// Nothing that goes wrong may be logged: standard error is the user's.
func TestLiveIsQuiet(t *testing.T) {
	saved := os.Stderr
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	os.Stderr = writer
	defer func() { os.Stderr = saved }()
	f := newFakeServer()
	f.answers["/apis/apps/v1/deployments"] = func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Add("Warning", `299 - "deprecated"`)
		w.Header().Set("Content-Length", "1000")
		fmt.Fprint(w, `{`)
	}
	list(t, f.live(t), Query{}, "deployments")
	os.Stderr = saved
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	var logged bytes.Buffer
	if _, err := logged.ReadFrom(reader); err != nil || logged.Len() > 0 {
		t.Error(err, logged.String())
	}
}

func refuseUnavailable() func(http.ResponseWriter, *http.Request) {
	return refuse(apierrors.NewServiceUnavailable("down"))
}
