package cluster

import (
	"fmt"
	"os"

	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

// A User is someone the API server authenticates by client certificate.
type User struct {
	// Config is for clients in this process. They are not throttled.
	Config *rest.Config

	// Kubeconfig is the path of a file for clients that are programs.
	Kubeconfig string
}

// AddUser makes a user with the given name and groups, beside the groups that the API server adds to
// everyone. What the user may do is up to RBAC.
func (c *Cluster) AddUser(name string, groups ...string) (User, error) {
	user, err := c.environment.AddUser(
		envtest.User{Name: name, Groups: groups},
		&rest.Config{QPS: -1},
	)
	if err != nil {
		return User{}, fmt.Errorf("adding user %s: %w", name, err)
	}

	kubeconfig, err := user.KubeConfig()
	if err != nil {
		return User{}, fmt.Errorf("kubeconfig of user %s: %w", name, err)
	}
	path, err := c.writeKubeconfig(kubeconfig)
	if err != nil {
		return User{}, fmt.Errorf("kubeconfig of user %s: %w", name, err)
	}
	return User{Config: user.Config(), Kubeconfig: path}, nil
}

// As is how Admin's clients reach the API server in somebody else's name.
func (c *Cluster) As(user string) *rest.Config {
	config := rest.CopyConfig(c.Admin.Config)
	config.Impersonate.UserName = user
	return config
}

func (c *Cluster) writeKubeconfig(content []byte) (string, error) {
	file, err := os.CreateTemp(c.dir, "kubeconfig-")
	if err != nil {
		return "", err
	}
	if err := file.Close(); err != nil {
		return "", err
	}
	return file.Name(), os.WriteFile(file.Name(), content, 0o600)
}
