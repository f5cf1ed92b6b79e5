package findings

import (
	"context"
	"strings"
	"testing"

	"k8s.io/client-go/kubernetes"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/test/cluster"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/test/plugin"
)

// place is where a situation is made: a namespace on an API server that no other situation has meanwhile.
type place struct {
	server    *cluster.Cluster
	built     *plugin.Plugin
	namespace string
	// open says which side of the situation it is that holds.
	open bool
}

// in writes the namespace into a text.
func (p place) in(text string) string { return strings.ReplaceAll(text, "NS", p.namespace) }

// has applies manifests until the test is over.
func (p place) has(t *testing.T, manifests string) {
	t.Helper()
	p.holds(t, p.in(manifests))
}

// holds is has without the namespace being written into the manifests.
func (p place) holds(t *testing.T, manifests string) {
	t.Helper()
	t.Cleanup(func() { p.remove(t, manifests) })
	if err := p.server.Apply(t.Context(), []byte(manifests)); err != nil {
		t.Fatal(err)
	}
}

func (p place) remove(t *testing.T, manifests string) {
	t.Helper()
	if err := p.server.Delete(context.WithoutCancel(t.Context()), []byte(manifests)); err != nil {
		t.Error(err)
	}
}

// begins makes the namespace. A policy of another situation whose parameter is gone may refuse everything for as long as it acts.
func (p place) begins(t *testing.T) {
	t.Helper()
	manifests := []byte(p.in(basics))
	t.Cleanup(func() { p.remove(t, string(manifests)) })
	if err := cluster.Eventually(t.Context(), func(ctx context.Context) error { return p.server.Apply(ctx, manifests) }); err != nil {
		t.Fatal(err)
	}
}

// wait returns once the API server acts on every policy as it is now.
func (p place) wait(t *testing.T) {
	t.Helper()
	if err := p.server.WaitForPolicies(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// plugin runs the plugin as the administrator.
func (p place) plugin(t *testing.T, args ...string) plugin.Output {
	t.Helper()
	out, err := p.built.Run(t.Context(), p.server.Admin.Kubeconfig, "", args...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func (p place) user(t *testing.T, name string) cluster.User {
	t.Helper()
	user, err := p.server.AddUser(name)
	if err != nil {
		t.Fatal(err)
	}
	return user
}

// kubectl runs kubectl in the namespace.
func (p place) kubectl(t *testing.T, user cluster.User, stdin string, args ...string) plugin.Output {
	t.Helper()
	out, err := p.built.Kubectl(t.Context(), user.Kubeconfig, stdin, append(args, "-n", p.namespace)...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// administrate runs kubectl as the administrator, for whom it has to go well.
func (p place) administrate(t *testing.T, stdin string, args ...string) string {
	t.Helper()
	out := p.kubectl(t, p.server.Admin, stdin, args...)
	if out.Code != 0 {
		t.Fatalf("kubectl %v: exit %d: %s", args, out.Code, out.Stderr)
	}
	return out.Stdout
}

// impersonating is a client in somebody's name, as the administrator may have one.
func (p place) impersonating(t *testing.T, user string) *kubernetes.Clientset {
	t.Helper()
	client, err := kubernetes.NewForConfig(p.server.As(user))
	if err != nil {
		t.Fatal(err)
	}
	return client
}
