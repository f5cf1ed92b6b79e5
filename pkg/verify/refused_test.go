package verify

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
)

// TestNotAsked: what keeps a request from admission is told, and is no disagreement.
func TestNotAsked(t *testing.T) {
	status := func(code int, reason metav1.StatusReason, message string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { refuse(w, code, reason, message) }
	}
	for _, c := range []struct {
		name   string
		answer http.HandlerFunc
		why    string
	}{
		{"impersonation", func(w http.ResponseWriter, q *http.Request) {
			if strings.HasSuffix(q.URL.Path, "selfsubjectaccessreviews") {
				body, _ := io.ReadAll(q.Body)
				_, _ = io.WriteString(w, `{"status":{"allowed":`+map[bool]string{true: "true", false: "false"}[strings.Contains(string(body), "groups")]+`}}`)
				return
			}
			refuse(w, 403, metav1.StatusReasonForbidden, `users "dev" is forbidden: User "kim" cannot impersonate resource "users" in API group "" at the cluster scope`)
		}, `kim may not impersonate the requester; what RBAC is missing for kim: {apiGroups: [""], resources: ["users"], verbs: ["impersonate"], resourceNames: ["dev"]}`},
		{"RBAC", status(403, metav1.StatusReasonForbidden, `deployments.apps "web" is forbidden: User "dev" cannot patch resource "deployments" in API group "apps" in the namespace "team-a"`),
			`authorization stops dev before admission; what RBAC is missing for dev: {apiGroups: ["apps"], resources: ["deployments"], verbs: ["patch"]} in the namespace team-a`},
		{"a webhook with side effects", status(400, metav1.StatusReasonBadRequest, `admission webhook "old.example.com" does not support dry run`), `can't be asked by a dry run: admission webhook "old.example.com"`},
		{"credentials", status(401, metav1.StatusReasonUnauthorized, "Unauthorized"), "does not accept"},
		{"busy", status(503, metav1.StatusReasonServiceUnavailable, "later"), "could not answer (503): later"},
		{"no Status", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "a proxy", http.StatusBadGateway) }, "has prevented the request from succeeding"},
		{"no Status in JSON", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(418); _, _ = io.WriteString(w, "{}") }, "something else than a Status"},
		{"no object", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "hello") }, "something else than the object"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t, objects, Options{Impersonate: &dev}, c.answer, nil)
			expect(t, r.verifier.Run(t.Context(), r.set(t, request.Options{}, "exclude=true")), NotAsked, c.why)
		})
	}
}

func TestUnreachable(t *testing.T) {
	r := newRig(t, objects, Options{}, nil, nil)
	r.config.Host = "http://127.0.0.1:1"
	verifier, err := New(r.config, r.verifier.simulator, Options{})
	if err != nil {
		t.Fatal(err)
	}
	expect(t, verifier.Run(t.Context(), r.set(t, request.Options{}, "exclude=true")), NotAsked, "asking the API server: ")
}

// TestNotCompared: the server answered, and what was simulated leaves room for that answer.
func TestNotCompared(t *testing.T) {
	webhook := `
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: hook}
webhooks:
- name: hook.example.com
  admissionReviewVersions: [v1]
  sideEffects: None
  clientConfig: {url: "https://127.0.0.1:1"}
  rules: [{apiGroups: ["*"], apiVersions: ["*"], resources: ["*"], operations: ["*"]}]
`
	dryRun := strings.ReplaceAll(denying("one", "Deny"), "!has(object.metadata.annotations)", "request.dryRun || !has(object.metadata.annotations)")
	for _, c := range []struct {
		name, manifests string
		answer          http.HandlerFunc
		want            Agreement
		why             string
	}{
		{"a webhook's denial", objects + webhook, func(w http.ResponseWriter, _ *http.Request) {
			refuse(w, 403, metav1.StatusReasonForbidden, `admission webhook "hook.example.com" denied the request: no`)
		}, NotCompared, "ValidatingWebhookConfiguration hook"},
		{"a validating webhook lets nothing pass", objects + webhook + denying("one", "Deny"), stores(`{}`), Disagrees, ""},
		{"a policy that asks for dry runs", objects + dryRun, stores(`{"downscaler/exclude":"true"}`), NotCompared, "asks whether the request is a dry run"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t, c.manifests, Options{}, c.answer, nil)
			expect(t, r.verifier.Run(t.Context(), r.set(t, request.Options{}, "exclude=true")), c.want, c.why)
		})
	}
	r := newRig(t, objects, Options{}, denies("one"), nil)
	r.inv.Policies().Unread = []inventory.Gap{{What: "validatingadmissionpolicies", Why: "forbidden"}}
	got := r.verifier.Run(t.Context(), r.set(t, request.Options{}, "exclude=true"))
	expect(t, got, NotCompared, "the server says 422 Invalid: deployments.apps")
	report := NewReport(r.inv, dev, []Result{got})
	if report.Summary.NotCompared != 1 || len(report.Incomplete) == 0 || report.Kind != "VerifyReport" {
		t.Errorf("%+v", report)
	}
}

// TestWithoutDryRun: nothing is sent about a kind whose API server does not say that it heeds dry runs.
func TestWithoutDryRun(t *testing.T) {
	const custom = objects + `
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: things, singular: thing, kind: Thing}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
`
	const index = `{"paths":{"apis/example.com/v1":{"serverRelativeURL":"/openapi/v3/apis/example.com/v1"}}}`
	document := func(parameters string) string {
		return `{"paths":{"/x":{"patch":{"x-kubernetes-group-version-kind":{"group":"example.com","version":"v1","kind":"Thing"},"parameters":` + parameters + `}}}}`
	}
	for _, c := range []struct {
		name string
		read map[string]string
		want Agreement
		why  string
	}{
		{"defined", map[string]string{"/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.example.com": "{}"}, Agrees, ""},
		{"aggregated, published", map[string]string{"/openapi/v3": index, "/openapi/v3/apis/example.com/v1": document(`[{"name":"dryRun","in":"query"}]`)}, Agrees, ""},
		{"aggregated, not published", map[string]string{"/openapi/v3": index, "/openapi/v3/apis/example.com/v1": document(`[]`)}, NotAsked, "don't heed a dry run"},
		{"nobody says", map[string]string{}, NotAsked, "is not known"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t, custom, Options{}, stores(`{"downscaler/exclude":"true"}`), func(w http.ResponseWriter, q *http.Request) {
				if text, found := c.read[q.URL.Path]; found {
					_, _ = io.WriteString(w, text)
					return
				}
				refuse(w, 404, metav1.StatusReasonNotFound, "not found")
			})
			q := r.file(t, `{apiVersion: example.com/v1, kind: Thing, metadata: {name: a, annotations: {downscaler/exclude: "true"}}}`, request.ViaCreate)
			expect(t, r.verifier.Run(t.Context(), q), c.want, c.why)
			if len(r.writes) > 0 != (c.want == Agrees) {
				t.Errorf("%d writes", len(r.writes))
			}
		})
	}
}

// TestSendRefuses: a write that is no dry run is not sent.
func TestSendRefuses(t *testing.T) {
	r := newRig(t, objects, Options{}, stores(`{}`), nil)
	dry := map[string][]string{"dryRun": {"All"}}
	for _, w := range []request.Wire{
		{Method: "PATCH", Path: "/api"}, {Method: "POST", Path: "/api", Query: map[string][]string{"dryRun": {"None"}}},
		{Method: "PUT", Path: "/api", Query: map[string][]string{"dryRun": {"All", "x"}}}, {Method: "PATCH", Path: "/api?dryRun=All"},
		{Method: "DELETE", Path: "/api", Query: dry}, {Method: "DELETE", Path: "/api", Query: dry, Body: []byte(`{}`)},
		{Method: "DELETE", Path: "/api", Query: dry, Body: []byte(`{"dryRun":[]}`)},
	} {
		if _, err := send(t.Context(), r.verifier.writer, w); !errors.Is(err, errNotDryRun) {
			t.Errorf("%+v: %v", w, err)
		}
	}
	if len(r.writes) > 0 {
		t.Errorf("sent: %+v", r.writes)
	}
}

func TestGroupsToName(t *testing.T) {
	for _, c := range []struct {
		requester request.Requester
		want      []string
	}{
		{dev, []string{}},
		{request.NewRequester("dev", []string{"a", "system:authenticated", "b"}, "", nil), []string{"a", "b"}},
		{request.NewRequester("system:anonymous", nil, "", nil), []string{}},
		{request.ServiceAccount("team-a", "ci", nil, "", nil), nil},
		{request.ServiceAccount("team-a", "ci", []string{"ops"}, "", nil), []string{"ops", "system:serviceaccounts", "system:serviceaccounts:team-a"}},
	} {
		if diff := cmp.Diff(c.want, groupsToName(c.requester)); diff != "" {
			t.Errorf("%s: %s", c.requester.Username, diff)
		}
	}
}

// TestCancelled: the end of the context ends a batch at once, whatever the API server does.
func TestCancelled(t *testing.T) {
	asked := make(chan struct{}, 100)
	r := newRig(t, objects, Options{}, func(_ http.ResponseWriter, q *http.Request) {
		asked <- struct{}{}
		<-q.Context().Done()
	}, nil)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-asked
		cancel()
	}()
	q := r.set(t, request.Options{}, "exclude=true")
	batch := Batch{Verifier: r.verifier}
	start := time.Now()
	for range 50 {
		batch.Start(ctx, q)
	}
	batch.Wait()
	if took := time.Since(start); took > 10*time.Second || len(asked) > 2*parallel {
		t.Errorf("%v, %d more requests", took, len(asked))
	}
}

func TestGeneratedNames(t *testing.T) {
	asked := request.Request{GenerateName: "load-"}
	denied := Answer{Status: &metav1.Status{Message: `jobs "load-x2x4z" is forbidden: load-abcde`, Details: &metav1.StatusDetails{Name: "load-x2x4z"}}}
	denied.withGeneratedName(asked, "")
	if denied.Status.Message != `jobs "<generated>" is forbidden: load-abcde` || denied.Status.Details.Name != request.GeneratedName {
		t.Errorf("%+v", denied.Status)
	}
	named := Answer{Status: &metav1.Status{Message: "load-x2x4z"}}
	if named.withGeneratedName(request.Request{Name: "load-x2x4z"}, ""); named.Status.Message != "load-x2x4z" {
		t.Errorf("%+v", named.Status)
	}
}
