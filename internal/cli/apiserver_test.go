package cli_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/rogpeppe/go-internal/testscript"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"
)

// outputBuffer is a buffer that may be read while a process writes to it.
type outputBuffer struct {
	mu   sync.Mutex
	text strings.Builder
}

func (b *outputBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *outputBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// apiServer answers as an API server would, with files: GET /apis/apps/v1/deployments is what
// apis/apps/v1/deployments.yaml holds. A file named so with .hang in the place of .yaml never answers, and one with .403
// forbids it. Every answer carries a warning, which nobody should see.
type apiServer struct {
	dir     string
	hanging chan struct{} // gets something for each request that waits for ever
	done    chan struct{}
}

type apiServerKey struct{}

func newAPIServer() *apiServer {
	return &apiServer{hanging: make(chan struct{}, 100), done: make(chan struct{})}
}

// serverOf is the script's API server, started or not.
func serverOf(ts *testscript.TestScript) *apiServer { return ts.Value(apiServerKey{}).(*apiServer) }

func startAPIServer(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: apiserver DIR")
	}
	api := serverOf(ts)
	api.dir = ts.MkAbs(args[0])
	server := httptest.NewServer(api)
	ts.Defer(func() {
		close(api.done)
		server.CloseClientConnections()
		server.Close()
	})
	kubeconfig := fmt.Sprintf(`{apiVersion: v1, kind: Config, current-context: test,
clusters: [{name: test, cluster: {server: %q}}], users: [{name: test, user: {}}],
contexts: [{name: test, context: {cluster: test, user: test, namespace: team-a}}]}`, server.URL)
	path := ts.MkAbs("kubeconfig.yaml")
	ts.Check(os.WriteFile(path, []byte(kubeconfig), 0o600))
	ts.Setenv("KUBECONFIG", path)
	ts.Setenv("SERVER", server.URL)
}

func (s *apiServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Warning", `299 - "a warning from the API server"`)
	w.Header().Set("Content-Type", "application/json")
	path := filepath.Join(s.dir, filepath.FromSlash(strings.Trim(r.URL.Path, "/")))
	switch {
	case exists(path + ".hang"):
		s.hanging <- struct{}{}
		select {
		case <-s.done:
		case <-r.Context().Done():
		}
	case exists(path + ".403"):
		s.refuse(w, r, http.StatusForbidden, metav1.StatusReasonForbidden)
	case strings.HasSuffix(path, "selfsubjectreviews") && r.Header.Get("Impersonate-User") != "":
		s.refuse(w, r, http.StatusForbidden, metav1.StatusReasonForbidden)
	default:
		s.answer(w, r, path+".yaml")
	}
}

func (s *apiServer) answer(w http.ResponseWriter, r *http.Request, file string) {
	text, err := os.ReadFile(file)
	if err != nil {
		s.refuse(w, r, http.StatusNotFound, metav1.StatusReasonNotFound)
		return
	}
	data, err := yaml.YAMLToJSON(text)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	_, _ = w.Write(data)
}

func (s *apiServer) refuse(w http.ResponseWriter, r *http.Request, code int, reason metav1.StatusReason) {
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(metav1.Status{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Status"}, Status: metav1.StatusFailure,
		Code: int32(code), Reason: reason, Message: fmt.Sprintf("%s is %s", r.URL.Path, strings.ToLower(string(reason))),
	})
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return !errors.Is(err, fs.ErrNotExist)
}
