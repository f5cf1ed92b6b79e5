package cli

import (
	"context"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	_ "k8s.io/client-go/plugin/pkg/client/auth" // every way in that a kubeconfig may name
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// How long a request to the API server may take where --request-timeout says nothing.
const defaultTimeout = "30s"

// clusterFlags say which cluster is read, by whom, and how fast.
type clusterFlags struct {
	*genericclioptions.ConfigFlags
	qps   float32
	burst int

	flags *pflag.FlagSet
}

func (f *clusterFlags) add(cmd *cobra.Command) {
	f.ConfigFlags = genericclioptions.NewConfigFlags(true)
	f.CacheDir = nil // nothing is cached: a guard is judged by what is there now
	*f.Timeout = defaultTimeout
	addFlags(cmd, "Cluster, and who reads it (as kubectl's own)", func(flags *pflag.FlagSet) {
		f.AddFlags(flags)
		flags.Float32Var(&f.qps, "qps", 50, "How many requests a second may be sent to the API server")
		flags.IntVar(&f.burst, "burst", 300, "How many requests may be sent at once before --qps holds")
		flags.Lookup("namespace").Usage = "Only this namespace"
		flags.Lookup("as").Usage = "Read the cluster as this user; it is not the one who is simulated"
		f.flags = flags
	})
	f.flags.Lookup("namespace").Annotations[headingAnnotation] = []string{headingState}
}

// given returns the name of a flag about a cluster that was given, if any; the namespace is not one.
func (f *clusterFlags) given() string {
	var name string
	f.flags.VisitAll(func(flag *pflag.Flag) {
		if flag.Changed && flag.Name != "namespace" && name == "" {
			name = flag.Name
		}
	})
	return name
}

// config is how the API server is reached.
func (f *clusterFlags) config() (*rest.Config, error) {
	config, err := f.ToRESTConfig()
	if err != nil {
		return nil, f.explainConfig(err)
	}
	if f.isDefault(config) {
		return nil, errNoKubeconfig
	}
	config.QPS, config.Burst = f.qps, f.burst
	config.UserAgent = displayName
	config.WarningHandler = rest.NoWarnings{}
	return config, nil
}

// isDefault says whether nobody named a cluster: clientcmd then falls back to localhost:8080.
func (f *clusterFlags) isDefault(config *rest.Config) bool {
	raw, err := f.ToRawKubeConfigLoader().RawConfig()
	return err == nil && len(raw.Clusters) == 0 && *f.APIServer == "" &&
		os.Getenv("KUBERNETES_MASTER") == "" && config.Host == clientcmd.ClusterDefaults.Server
}

// currentNamespace is the one of -n, else the kubeconfig's.
func (f *clusterFlags) currentNamespace() (string, error) {
	namespace, _, err := f.ToRawKubeConfigLoader().Namespace()
	if err != nil {
		return "", f.explainConfig(err)
	}
	return namespace, nil
}

func (f *clusterFlags) load(ctx context.Context) (inventory.Inventory, error) {
	config, err := f.config()
	if err != nil {
		return nil, err
	}
	inv, err := inventory.Live(ctx, config, inventory.LiveOptions{})
	if err != nil {
		return nil, explainServer(config.Host, err)
	}
	return inv, nil
}
