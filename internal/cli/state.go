package cli

import (
	"cmp"
	"context"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

const headingState = "What is looked at"

// stateFlags say where the state comes from that everything is decided on: a cluster or files.
type stateFlags struct {
	cluster       clusterFlags
	from          []string
	kubeVersion   string
	allNamespaces bool

	stdin io.Reader
	// progress is told what is read; nil where nobody is.
	progress *progress
	scope    scope
	loaded   inventory.Inventory
}

// scope is the part of the state that a command is about.
type scope struct {
	namespace string // empty: every namespace
	asked     bool   // -n was given
	home      string // where an object from a file lies that names no namespace
}

func (f *stateFlags) add(cmd *cobra.Command) {
	addFlags(cmd, headingState, func(flags *pflag.FlagSet) {
		flags.StringArrayVar(&f.from, "from", nil, "Read manifests or a snapshot instead of a cluster: a `PATH` to a file or a folder, or - for standard input; repeatable")
		flags.StringVar(&f.kubeVersion, "kube-version", "", "Decide --from's manifests as an API server of this `VERSION`, such as v1.34 (default: the snapshot's own, else the newest known)")
		flags.BoolVarP(&f.allNamespaces, "all-namespaces", "A", false, "Every namespace; without it the current one, or with --from everything")
	})
	f.cluster.add(cmd)
}

// complete finds out which namespaces are meant.
func (f *stateFlags) complete(stdin io.Reader) error {
	f.stdin = stdin
	if f.kubeVersion != "" {
		version, err := inventory.ParseVersion(f.kubeVersion)
		if err != nil {
			return usageErrorf("--kube-version: %w", err)
		}
		f.kubeVersion = version
	}
	f.scope = scope{namespace: *f.cluster.Namespace, asked: *f.cluster.Namespace != "", home: *f.cluster.Namespace}
	if f.fromFiles() {
		f.scope.home = cmp.Or(f.scope.home, corev1.NamespaceDefault)
		return nil
	}
	current, err := f.cluster.currentNamespace()
	if err != nil {
		return err
	}
	f.scope.home = current
	if !f.allNamespaces {
		f.scope.namespace = current
	}
	return nil
}

// validate refuses flags that contradict each other.
func (f *stateFlags) validate() error {
	if f.allNamespaces && *f.cluster.Namespace != "" {
		return usageErrorf("--all-namespaces and --namespace %s contradict each other; give one of them", *f.cluster.Namespace)
	}
	if name := f.cluster.given(); f.fromFiles() && name != "" {
		return usageErrorf("--%s is about a cluster, and with --from none is asked; leave one of the two out", name)
	}
	if f.kubeVersion != "" && !f.fromFiles() {
		return usageErrorf("--kube-version is about manifests, and a cluster says itself which version it is; give it with --from")
	}
	return nil
}

func (f *stateFlags) fromFiles() bool { return len(f.from) > 0 }

// load reads the state.
func (f *stateFlags) load(ctx context.Context) (inv inventory.Inventory, err error) {
	if f.fromFiles() {
		inv, err = inventory.FromFilesFor(ctx, f.kubeVersion, sources(f.from, f.stdin)...)
	} else {
		f.progress.say(func() string { return "reading what the cluster serves, and its policies" })
		inv, err = f.cluster.load(ctx)
	}
	f.loaded = inv
	if f.progress == nil || err != nil {
		return inv, err
	}
	return &reading{Inventory: inv, progress: f.progress}, nil
}

// checkNamespace refuses a namespace that is known not to exist: nothing in it could be looked at.
func (s scope) checkNamespace(ctx context.Context, inv inventory.Inventory) error {
	if s.namespace == "" {
		return nil
	}
	if _, err := inv.Namespace(ctx, s.namespace); apierrors.IsNotFound(err) {
		return usageErrorf("namespaces %q not found; name another one with -n, or every one with -A", s.namespace)
	}
	return nil
}
