package authorization

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	authorizationv1 "k8s.io/api/authorization/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/client-go/rest"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// fakeServer answers access reviews and counts them.
type fakeServer struct {
	decide  func(*authorizationv1.SubjectAccessReview)
	refuses map[string]bool // the resources of which it takes no reviews
	fails   bool

	mu      sync.Mutex
	asked   []string
	current int
	most    int
	hold    chan struct{}
}

func (f *fakeServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	resource := r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:]
	review := &authorizationv1.SubjectAccessReview{}
	if err := json.NewDecoder(r.Body).Decode(review); err != nil {
		panic(err)
	}
	f.enter(resource, review)
	defer f.leave()
	w.Header().Set("Content-Type", "application/json")
	var answer any = review
	switch {
	case f.fails:
		answer = failure(w, apierrors.NewInternalError(errors.New("broken")))
	case f.refuses[resource]:
		answer = failure(w, apierrors.NewForbidden(authorizationv1.Resource(resource), "", errors.New("no")))
	default:
		f.decide(review)
	}
	if err := json.NewEncoder(w).Encode(answer); err != nil {
		panic(err)
	}
}

func failure(w http.ResponseWriter, err *apierrors.StatusError) metav1.Status {
	status := err.Status()
	status.APIVersion, status.Kind = "v1", "Status"
	w.WriteHeader(int(status.Code))
	return status
}

func (f *fakeServer) enter(resource string, review *authorizationv1.SubjectAccessReview) {
	f.mu.Lock()
	name := ""
	if review.Spec.ResourceAttributes != nil {
		name = review.Spec.ResourceAttributes.Name
	}
	f.asked = append(f.asked, resource+" "+name)
	f.current++
	f.most = max(f.most, f.current)
	f.mu.Unlock()
	if f.hold != nil {
		<-f.hold
	}
}

func (f *fakeServer) leave() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.current--
}

func (f *fakeServer) start(t *testing.T, inv inventory.Inventory, self user.Info) *Authorizer {
	t.Helper()
	server := httptest.NewServer(f)
	t.Cleanup(server.Close)
	json := rest.ContentConfig{ContentType: runtime.ContentTypeJSON, AcceptContentTypes: runtime.ContentTypeJSON}
	z, err := New(inv, Options{Config: &rest.Config{Host: server.URL, QPS: -1, ContentConfig: json}, Self: self})
	if err != nil {
		t.Fatal(err)
	}
	return z
}

func allowAll(r *authorizationv1.SubjectAccessReview) { r.Status.Allowed = true }

// onlyNoName is how RBAC answers by a rule with the resourceNames [""].
func onlyNoName(r *authorizationv1.SubjectAccessReview) {
	r.Status.Allowed = r.Spec.ResourceAttributes.Name == ""
}

func allowNone(r *authorizationv1.SubjectAccessReview) { r.Status.Reason = "rbac: because" }

func allows(t *testing.T, z *Authorizer, asked authorizer.Attributes) bool {
	t.Helper()
	decision, _, err := z.Authorize(t.Context(), asked)
	if err != nil {
		t.Fatal(err)
	}
	return decision == authorizer.DecisionAllow
}
