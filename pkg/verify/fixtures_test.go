package verify

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/yaml"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

const objects = `
apiVersion: v1
kind: Namespace
metadata: {name: team-a}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: team-a, resourceVersion: "1", uid: u, annotations: {downscaler/uptime: never}}
spec:
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: main, image: web}]}}
`

// denying is a policy that denies what carries downscaler/exclude.
func denying(name, action string) string {
	return strings.NewReplacer("NAME", name, "ACTION", action).Replace(`
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: NAME}
spec:
  matchConstraints: {resourceRules: [{apiGroups: ["*"], apiVersions: ["*"], resources: ["*"], operations: [CREATE, UPDATE]}]}
  validations:
  - {expression: "!has(object.metadata.annotations) || !('downscaler/exclude' in object.metadata.annotations)", message: says NAME}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: NAME}
spec: {policyName: NAME, validationActions: [ACTION]}
`)
}

// sent is a request that reached the API server.
type sent struct {
	method, path string
	query        url.Values
	header       http.Header
	body         string
}

// rig is an API server that answers by functions, and what verifies against it.
type rig struct {
	inv      inventory.Inventory
	verifier *Verifier
	config   *rest.Config

	mu     sync.Mutex
	writes []sent
}

// newRig has the state of the manifests. answer is asked for writes, reads for everything else.
func newRig(t *testing.T, manifests string, options Options, answer, read http.HandlerFunc) *rig {
	t.Helper()
	r := &rig{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if q.Method == http.MethodGet {
			if read == nil {
				refuse(w, 404, metav1.StatusReasonNotFound, "not found")
				return
			}
			read(w, q)
			return
		}
		body, _ := io.ReadAll(q.Body)
		if !strings.HasSuffix(q.URL.Path, "selfsubjectaccessreviews") {
			r.mu.Lock()
			r.writes = append(r.writes, sent{q.Method, q.URL.Path, q.URL.Query(), q.Header, string(body)})
			r.mu.Unlock()
		}
		answer(w, q)
	}))
	t.Cleanup(server.Close)
	inv, err := inventory.FromFiles(t.Context(), inventory.FileSource{Path: "state.yaml", Reader: strings.NewReader(manifests)})
	if err != nil {
		t.Fatal(err)
	}
	simulator, err := simulate.New(t.Context(), inv, inv.Policies())
	if err != nil {
		t.Fatal(err)
	}
	r.inv, r.config = inv, &rest.Config{Host: server.URL, QPS: -1}
	if r.verifier, err = New(r.config, simulator, options); err != nil {
		t.Fatal(err)
	}
	return r
}

func refuse(w http.ResponseWriter, code int, reason metav1.StatusReason, message string) {
	refuseWith(w, code, reason, message, nil)
}

func refuseWith(w http.ResponseWriter, code int, reason metav1.StatusReason, message string, details *metav1.StatusDetails) {
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(metav1.Status{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Status"}, Status: metav1.StatusFailure,
		Code: int32(code), Reason: reason, Message: message, Details: details,
	})
}

// denies is the API server's denial of an update or creation of deployment web by a policy of denying.
func denies(policy string) http.HandlerFunc {
	cause := `ValidatingAdmissionPolicy '` + policy + `' with binding '` + policy + `' denied request: says ` + policy
	return func(w http.ResponseWriter, _ *http.Request) {
		refuseWith(w, 422, metav1.StatusReasonInvalid, `deployments.apps "web" is forbidden: `+cause, &metav1.StatusDetails{
			Group: "apps", Kind: "deployments", Name: "web", Causes: []metav1.StatusCause{{Message: cause}},
		})
	}
}

// stores answers with an object that has these annotations, as JSON.
func stores(annotations string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","annotations":`+annotations+`}}`)
	}
}

func (r *rig) deployment(t *testing.T) inventory.Object {
	t.Helper()
	kind, _ := r.inv.Kinds().ForKind(schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"})
	object, err := r.inv.Get(t.Context(), kind, "team-a", "web")
	if err != nil {
		t.Fatal(err)
	}
	return object
}

var dev = request.NewRequester("dev", nil, "", nil)

// set is the question whether dev may set an annotation of the Deployment.
func (r *rig) set(t *testing.T, options request.Options, pairs ...string) Question {
	t.Helper()
	change, err := request.ParseChange(pairs, nil)
	if err != nil {
		t.Fatal(err)
	}
	q, err := AboutObject(r.inv, r.deployment(t), func(object inventory.Object) (request.Request, error) {
		return request.Annotate(dev, object, change, options)
	})
	if err != nil {
		t.Fatal(err)
	}
	return q
}

func (r *rig) file(t *testing.T, manifest string, via request.Via) Question {
	t.Helper()
	object := &unstructured.Unstructured{}
	if err := yaml.Unmarshal([]byte(manifest), &object.Object); err != nil {
		t.Fatal(err)
	}
	q, err := AboutFile(t.Context(), r.inv, dev, File{Object: object, Via: via, DefaultNamespace: "team-a"})
	if err != nil {
		t.Fatal(err)
	}
	return q
}

func expect(t *testing.T, got Result, want Agreement, why string) {
	t.Helper()
	if got.Agreement != want || !strings.Contains(got.Why, why) || (got.Why == "") != (why == "") {
		t.Errorf("%s: %s; want %s: %s\nsimulated %+v\nserver %+v\n%+v", got.Agreement, got.Why, want, why, got.Simulated, got.Server, got.Differences)
	}
}

func whats(differences []Difference) string {
	var list []string
	for _, d := range differences {
		list = append(list, d.What)
	}
	slices.Sort(list)
	return strings.Join(list, " ")
}
