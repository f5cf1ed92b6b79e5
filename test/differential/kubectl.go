package differential

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"sync"

	"k8s.io/client-go/rest"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/test/cluster"
)

// kubectl applies objects client-side. What it sends is its own affair, so it does so itself, through a proxy that puts the
// requester and the audit ID on what it writes and keeps the answer.
type kubectl struct {
	path    string
	dir     string // of its discovery cache
	proxy   *httptest.Server
	pending sync.Map // *exchange by audit ID
}

// exchange is one run of kubectl: in whose name it writes, and what the API server answered to the first thing that it wrote.
type exchange struct {
	request Request
	answer  *response
}

// exchangeKey is where a proxied request has its exchange in the context.
type exchangeKey struct{}

func newKubectl(c *cluster.Cluster) (*kubectl, error) {
	transport, err := rest.TransportFor(c.Admin.Config)
	if err != nil {
		return nil, err
	}
	server, err := url.Parse(c.Admin.Config.Host)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "kubectl-")
	if err != nil {
		return nil, err
	}
	k := &kubectl{path: c.Kubectl, dir: dir}
	k.proxy = httptest.NewServer(&httputil.ReverseProxy{
		Transport: transport, ModifyResponse: k.keep,
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(server)
			k.rewrite(r)
		},
	})
	return k, nil
}

func (k *kubectl) close() error {
	k.proxy.Close()
	return os.RemoveAll(k.dir)
}

// rewrite lets the administrator read and the requester write. kubectl names the audit ID where else the user stands.
func (k *kubectl) rewrite(r *httputil.ProxyRequest) {
	id := r.In.Header.Get("Impersonate-User")
	r.Out.Header.Del("Impersonate-User")
	found, ok := k.pending.Load(id)
	if !ok || r.In.Method == http.MethodGet {
		return
	}
	for name, values := range impersonating(found.(*exchange).request) {
		r.Out.Header[name] = values
	}
	r.Out.Header.Set("Audit-ID", id)
	r.Out.Header.Del("Accept-Encoding")
	r.Out = r.Out.WithContext(context.WithValue(r.Out.Context(), exchangeKey{}, found))
}

// keep remembers the answer to what kubectl wrote.
func (k *kubectl) keep(answer *http.Response) error {
	current, writes := answer.Request.Context().Value(exchangeKey{}).(*exchange)
	if !writes || current.answer != nil {
		return nil
	}
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		return err
	}
	answer.Body = io.NopCloser(bytes.NewReader(body))
	current.answer = &response{code: answer.StatusCode, header: answer.Header.Clone(), body: body}
	return nil
}

// apply runs kubectl and returns the answer to what it wrote, nil where it found nothing to write.
func (k *kubectl) apply(ctx context.Context, r Request, id string) (*response, error) {
	manifest, err := json.Marshal(r.Object)
	if err != nil {
		return nil, err
	}
	current := &exchange{request: r}
	k.pending.Store(id, current)
	defer k.pending.Delete(id)
	command := exec.CommandContext(ctx, k.path, "apply", "-f", "-", "--dry-run=server",
		"--server="+k.proxy.URL, "--as="+id, "--cache-dir="+k.dir, "--kubeconfig="+os.DevNull)
	command.Env = []string{"HOME=" + k.dir}
	command.Stdin = bytes.NewReader(manifest)
	output, err := command.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && (current.answer == nil || !errors.As(err, &exit)) {
		return nil, fmt.Errorf("%w: %s", err, output)
	}
	return current.answer, nil
}

// applyByKubectl is the answer to what kubectl apply sends. Where it sends nothing, what is stored stays.
func (r *Rig) applyByKubectl(ctx context.Context, request Request, id string) (Answer, error) {
	written, err := r.kubectl.apply(ctx, request, id)
	if err != nil {
		return Answer{}, err
	}
	if written != nil {
		return answerOf(request, *written)
	}
	kind, err := r.client.kindOf(request.Object)
	if err != nil {
		return Answer{}, err
	}
	stored, err := r.client.get(ctx, kind, namespaceOf(request.Object), nameOf(request.Object))
	if err != nil {
		return Answer{}, err
	}
	content, err := json.Marshal(stored)
	if err != nil {
		return Answer{}, err
	}
	answer, err := answerOf(request, response{code: http.StatusOK, body: content})
	answer.Unsent = true
	return answer, err
}
