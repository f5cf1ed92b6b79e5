// Package cluster runs an API server for tests: etcd and kube-apiserver, and nothing else.
//
// No controllers run on it, so a test makes itself what they would make on a whole cluster:
//   - aggregated ClusterRoles such as edit and view have no rules;
//   - namespaces have no default service account, and stay Terminating once deleted;
//   - Deployments get no ReplicaSets, Jobs no Pods, and nothing is garbage collected.
//
// The API server also forgets something that tests run into: once the last bound policy with a
// built-in parameter kind (such as ConfigMap) is gone, it never looks at new objects of that kind
// again, and a later paramRef with a selector finds nothing. Tests that use such parameters keep one
// such policy bound throughout.
package cluster

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"k8s.io/klog/v2"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

// assetsVariable is envtest's own name for the folder with the binaries.
const assetsVariable = "KUBEBUILDER_ASSETS"

// A Cluster is a running API server. It authorizes by RBAC and logs every request for AuditEvents.
type Cluster struct {
	// Admin may do everything: it is in system:masters.
	Admin User

	// Kubectl is the path of a kubectl of the API server's own version.
	Kubectl string

	environment *envtest.Environment
	dir         string
}

// Start starts an API server. The caller must Stop it, or two processes outlive the test.
func Start() (*Cluster, error) {
	assets := os.Getenv(assetsVariable)
	if assets == "" {
		return nil, fmt.Errorf("%s is not set: run `make test`, or set it to the folder of envtest's binaries", assetsVariable)
	}

	dir, err := os.MkdirTemp("", "cluster-")
	if err != nil {
		return nil, err
	}

	c := &Cluster{
		Kubectl: filepath.Join(assets, "kubectl"),
		dir:     dir,
		environment: &envtest.Environment{
			// Never the cluster that someone's kubeconfig happens to point to.
			UseExistingCluster: new(bool),
			// Ten times what it takes alone: other tests may be keeping the machine busy.
			ControlPlaneStartTimeout: time.Minute,
			ControlPlaneStopTimeout:  time.Minute,
		},
	}
	if err := c.start(); err != nil {
		return nil, errors.Join(err, c.Stop())
	}
	return c, nil
}

// setLogger gives envtest a logger: without one it complains on stderr, with a stack trace, half a minute later.
var setLogger = sync.OnceFunc(func() { log.SetLogger(klog.Background()) })

func (c *Cluster) start() error {
	setLogger()
	if err := c.configureAudit(); err != nil {
		return err
	}
	if _, err := c.environment.Start(); err != nil {
		return fmt.Errorf("starting an API server from %s (KUBEBUILDER_ATTACH_CONTROL_PLANE_OUTPUT=true shows its log): %w",
			os.Getenv(assetsVariable), err)
	}

	admin, err := c.AddUser("admin", "system:masters")
	if err != nil {
		return err
	}
	c.Admin = admin
	return nil
}

// Stop stops the API server, then etcd (the other way round the API server hangs), and removes their files.
func (c *Cluster) Stop() error {
	return errors.Join(c.environment.Stop(), os.RemoveAll(c.dir))
}
