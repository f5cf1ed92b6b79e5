package guard

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"sigs.k8s.io/yaml"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/internal/cli"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/test/cluster"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/test/plugin"
)

// The release that rendered guards are for, which is that of the recorded decisions in pkg/chart, too.
const (
	releaseName      = "downscaler"
	releaseNamespace = "kube-downscaler"
)

// rendered is a guard as policies render prints it.
type rendered struct {
	// name tells guards apart that are in force at the same time: policies get it as a suffix, and the namespace is called by it.
	name      string
	manifests string
}

// render runs policies render, which must not complain.
func render(t *testing.T, name, values string, hardened bool) rendered {
	t.Helper()
	out := renders(t, values, hardened)
	if out.Code != 0 {
		t.Fatalf("policies render of %s: exit %d: %s", name, out.Code, out.Stderr)
	}
	return rendered{name: name, manifests: out.Stdout}
}

// renders runs the command in this process: starting a hundred of them takes longer than all the rest.
func renders(t *testing.T, values string, hardened bool) plugin.Output {
	t.Helper()
	args := []string{"policies", "render", "--values", "-", "--release-name", releaseName, "--release-namespace", releaseNamespace}
	if hardened {
		args = append(args, "--hardened")
	}
	var stdout, stderr bytes.Buffer
	code := cli.Run(genericiooptions.IOStreams{In: strings.NewReader(values), Out: &stdout, ErrOut: &stderr}, args)
	return plugin.Output{Stdout: stdout.String(), Stderr: stderr.String(), Code: int(code)}
}

// inForce is a guard that acts on its own namespace, and on nothing else.
type inForce struct {
	namespace string
	inv       inventory.Inventory
	simulator *simulate.Simulator
}

// force puts guards in force until the test ends, after the objects that setUp has for each guard's namespace. Everyone is authorized for everything
// meanwhile, so that the guards alone decide.
func force(t *testing.T, setUp func(namespace string) string, guards ...rendered) map[string]inForce {
	t.Helper()
	objects, policies := everyoneIsAuthorized, ""
	for _, g := range guards {
		objects += "---\n" + setUp(namespaceOf(g))
		policies += narrowed(t, g)
	}
	t.Cleanup(func() { vanish(t, objects) })
	putUntilTheEnd(t, objects)
	putUntilTheEnd(t, policies)
	if err := server.WaitForPolicies(t.Context()); err != nil {
		t.Fatal(err)
	}
	inv, err := inventory.Live(t.Context(), server.Admin.Config, inventory.LiveOptions{})
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]inForce{}
	for _, g := range guards {
		simulator, err := simulate.New(t.Context(), inv, policiesOf(inv, g))
		if err != nil {
			t.Fatal(err)
		}
		all[g.name] = inForce{namespace: namespaceOf(g), inv: inv, simulator: simulator.PastAuthorization()}
	}
	return all
}

const everyoneIsAuthorized = `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: guard-everyone}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin}
subjects:
- {apiGroup: rbac.authorization.k8s.io, kind: Group, name: "system:authenticated"}
`

func namespaceOf(g rendered) string { return "guard-" + g.name }

// newNamespace is one that doesn't exist, on which the guard acts as well.
func (f inForce) newNamespace() string { return f.namespace + "-new" }

func putUntilTheEnd(t *testing.T, manifests string) {
	t.Helper()
	t.Cleanup(func() {
		if err := server.Delete(context.WithoutCancel(t.Context()), []byte(manifests)); err != nil {
			t.Error(err)
		}
	})
	if err := server.Apply(t.Context(), []byte(manifests)); err != nil {
		t.Fatal(err)
	}
}

// narrowed gives policies names of their own, and their bindings the guard's namespaces: nothing else of them is changed.
func narrowed(t *testing.T, g rendered) string {
	t.Helper()
	var all strings.Builder
	for manifest := range strings.SplitSeq(g.manifests, "\n---\n") {
		object := map[string]any{}
		if err := yaml.Unmarshal([]byte(manifest), &object); err != nil {
			t.Fatal(err)
		}
		if len(object) == 0 {
			continue
		}
		metadata, spec := object["metadata"].(map[string]any), object["spec"].(map[string]any)
		metadata["name"] = metadata["name"].(string) + suffixOf(g)
		if policy, binds := spec["policyName"].(string); binds {
			spec["policyName"] = policy + suffixOf(g)
			spec["matchResources"] = withNamespaces(t, spec["matchResources"], namespaceOf(g), namespaceOf(g)+"-new")
		}
		text, err := yaml.Marshal(object)
		if err != nil {
			t.Fatal(err)
		}
		all.WriteString(string(text) + "---\n")
	}
	return all.String()
}

func withNamespaces(t *testing.T, resources any, namespaces ...string) any {
	t.Helper()
	text, err := yaml.Marshal(resources)
	if err != nil {
		t.Fatal(err)
	}
	match := &admissionregistrationv1.MatchResources{}
	if err := yaml.Unmarshal(text, match); err != nil {
		t.Fatal(err)
	}
	if match.NamespaceSelector == nil {
		match.NamespaceSelector = &metav1.LabelSelector{}
	}
	match.NamespaceSelector.MatchExpressions = append(match.NamespaceSelector.MatchExpressions,
		metav1.LabelSelectorRequirement{Key: corev1.LabelMetadataName, Operator: metav1.LabelSelectorOpIn, Values: namespaces})
	fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(match)
	if err != nil {
		t.Fatal(err)
	}
	return fields
}

func suffixOf(g rendered) string { return "-of-" + g.name }

// policiesOf are those of one guard as the API server has them: the others' bindings leave its namespace out.
func policiesOf(inv inventory.Inventory, g rendered) *inventory.Policies {
	all := inv.Policies()
	return &inventory.Policies{
		Validating:         named(all.Validating, suffixOf(g)),
		ValidatingBindings: named(all.ValidatingBindings, suffixOf(g)),
		Mutating:           named(all.Mutating, suffixOf(g)),
		MutatingBindings:   named(all.MutatingBindings, suffixOf(g)),
		MutatingWebhooks:   all.MutatingWebhooks,
		ValidatingWebhooks: all.ValidatingWebhooks,
	}
}

func named[T metav1.Object](objects []T, suffix string) []T {
	return slices.DeleteFunc(slices.Clone(objects), func(object T) bool { return !strings.HasSuffix(object.GetName(), suffix) })
}

// vanish takes away the namespaces among the objects, which would stay Terminating: no controller finalizes them here.
func vanish(t *testing.T, objects string) {
	t.Helper()
	ctx := context.WithoutCancel(t.Context())
	for manifest := range strings.SplitSeq(objects, "---\n") {
		var object metav1.PartialObjectMetadata
		if err := yaml.Unmarshal([]byte(manifest), &object); err != nil {
			t.Error(err)
		}
		if object.Kind != "Namespace" {
			continue
		}
		if err := cluster.Eventually(ctx, func(ctx context.Context) error { return server.Finalize(ctx, object.Name) }); err != nil {
			t.Error(err)
		}
	}
}
