package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sync/errgroup"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/authorization"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/compare"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/test/cluster"
)

const newGuard = `
fullnameOverride: downscaler
annotationsCompliance:
  authorizedUsersRegex: ["^user1$"]
  authorizedGroupsRegex: ["^platform-admins$"]
  onWorkloads: {enabled: true, preventRemoval: true}
  onNamespace: {enabled: true, preventRemoval: true}
`

// TestComparison: what a comparison says of today the API server does, and what it says of tomorrow the API server does once the proposed
// policies have taken the place of those in force, for everybody whom RBAC lets write something.
func TestComparison(t *testing.T) {
	c := load(t, "../../examples/validating")
	if err := c.WaitForPolicies(t.Context()); err != nil {
		t.Fatal(err)
	}
	values := filepath.Join(t.TempDir(), "values.yaml")
	if err := os.WriteFile(values, []byte(newGuard), 0o600); err != nil {
		t.Fatal(err)
	}
	guard := kubectl(t, c.Admin.Kubeconfig, "", "downscaler-compliance", "policies", "render", "--values", values, "--release-namespace", "downscaler", "--hardened").Stdout
	guardFile := filepath.Join(t.TempDir(), "guard.yaml")
	if err := os.WriteFile(guardFile, []byte(guard), 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{"--policies", guardFile, "--only-proposed", "--compare", "--requesters", "live", "-o", "json"}
	report := compared(t, c.Admin.Kubeconfig, append([]string{"audit", "-A"}, args...)...)
	tried := sampled(each(report))
	if len(tried) < 100 {
		t.Errorf("%d different changes: this can't be all", len(tried))
	}
	t.Run("from a snapshot", func(t *testing.T) {
		snapshot := filepath.Join(t.TempDir(), "snapshot.yaml")
		if out := kubectl(t, c.Admin.Kubeconfig, "", "downscaler-compliance", "snapshot", "--to", snapshot); out.Code != 0 {
			t.Fatal(out.Stderr)
		}
		again := compared(t, c.Admin.Kubeconfig, append([]string{"audit", "--from", snapshot}, args...)...)
		if diff := cmp.Diff(report.Changes, again.Changes); diff != "" {
			t.Errorf("live and from a snapshot (-live +snapshot):\n%s", diff)
		}
	})
	t.Run("today", func(t *testing.T) {
		checkSide(t, c, report, tried, func(ch change) compare.Result { return ch.Today.Result })
	})

	for _, file := range []string{"bindings.yaml", "policies.yaml"} {
		old, err := os.ReadFile("../../examples/validating/" + file)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Delete(t.Context(), old); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Apply(t.Context(), []byte(guard)); err != nil {
		t.Fatal(err)
	}
	if err := c.WaitForPolicies(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Run("tomorrow", func(t *testing.T) {
		checkSide(t, c, report, tried, func(ch change) compare.Result { return ch.Tomorrow.Result })
	})
	again := compared(t, c.Admin.Kubeconfig, append([]string{"audit", "-A"}, args...)...)
	if len(again.Changes) != 0 {
		t.Errorf("the proposed policies are in force, and %d changes are left", len(again.Changes))
	}
}

func compared(t *testing.T, kubeconfig string, args ...string) compare.Report {
	t.Helper()
	out := kubectl(t, kubeconfig, "", append([]string{"downscaler-compliance"}, args...)...)
	var report compare.Report
	if err := json.Unmarshal([]byte(out.Stdout), &report); err != nil {
		t.Fatalf("exit %d: %v\n%s", out.Code, err, out.Stderr)
	}
	if len(report.Incomplete) > 0 {
		t.Errorf("%v: incomplete %v", args, report.Incomplete)
	}
	return report
}

// change is one requester's.
type change struct {
	compare.Change
	Requester authorization.Subject
}

func each(report compare.Report) []change {
	var all []change
	for _, c := range report.Changes {
		for _, who := range c.Requesters {
			all = append(all, change{c, who})
		}
	}
	return all
}

// sampled are the first change of each requester, kind, way and kind of change.
func sampled(changes []change) []change {
	seen := map[string]bool{}
	var few []change
	for _, c := range changes {
		key := fmt.Sprint(c.Requester, c.Object.Kind, c.Subresource, c.Operation, c.Asked, c.Today.Result, c.Tomorrow.Result)
		if c.Operation == "UPDATE" && c.Key != "" && !seen[key] {
			seen[key] = true
			few = append(few, c)
		}
	}
	return few
}

// checkSide makes each change that the object as stored allows, as its requester and by dry run.
func checkSide(t *testing.T, c *cluster.Cluster, report compare.Report, changes []change, side func(change) compare.Result) {
	t.Helper()
	client, err := discovery.NewDiscoveryClientForConfig(c.Admin.Config)
	if err != nil {
		t.Fatal(err)
	}
	mapper := restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(client))
	admin, err := dynamic.NewForConfig(c.Admin.Config)
	if err != nil {
		t.Fatal(err)
	}
	var group errgroup.Group
	group.SetLimit(8)
	made := make([]bool, len(changes))
	for i, change := range changes {
		group.Go(func() error {
			resource, err := resourceOf(mapper, admin, change)
			if err != nil {
				return err
			}
			stored, err := resource.Get(t.Context(), change.Object.Name, metav1.GetOptions{})
			if err != nil {
				return err
			}
			value, carried := stored.GetAnnotations()[change.Key]
			if carried == (change.Asked == simulate.Added) {
				return nil // it was tried on a copy
			}
			made[i] = true
			wanted := wantedOf(change, value)
			as, err := dynamic.NewForConfig(impersonating(c.Admin.Config, report, change))
			if err != nil {
				return err
			}
			if resource, err = resourceOf(mapper, as, change); err != nil {
				return err
			}
			var subresources []string
			if change.Subresource != "" {
				subresources = []string{change.Subresource}
			}
			after, err := write(t.Context(), resource, stored, change, wanted, subresources...)
			got := compare.ResultAllowed
			switch {
			case apierrors.IsForbidden(err) || apierrors.IsInvalid(err):
				got = compare.ResultBlocked
			case err != nil:
				return fmt.Errorf("%+v: %w", change, err)
			case annotation(after, change.Key) != wanted:
				got = compare.ResultStripped
			}
			want := side(change)
			if want == compare.ResultWarned || want == compare.ResultAudited {
				want = compare.ResultAllowed
			}
			if got != want {
				t.Errorf("%s, %s %s of %s/%s %s: the comparison says %s, the API server %s (%v)",
					change.Requester, change.Asked, change.Key, change.Object.Kind, change.Object.Name, change.Subresource, want, got, err)
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, m := range made {
		if m {
			n++
		}
	}
	t.Logf("%d of %d changes made", n, len(changes))
	if n < 30 {
		t.Errorf("%d changes were made: this can't be all", n)
	}
}

func resourceOf(mapper meta.RESTMapper, client dynamic.Interface, change change) (dynamic.ResourceInterface, error) {
	gv, err := schema.ParseGroupVersion(change.Object.APIVersion)
	if err != nil {
		return nil, err
	}
	mapping, err := mapper.RESTMapping(gv.WithKind(change.Object.Kind).GroupKind(), gv.Version)
	if err != nil {
		return nil, err
	}
	if change.Object.Namespace == "" {
		return client.Resource(mapping.Resource), nil
	}
	return client.Resource(mapping.Resource).Namespace(change.Object.Namespace), nil
}

// wantedOf is what the change asks for.
func wantedOf(change change, value string) string {
	switch {
	case change.Asked == simulate.Removed:
		return ""
	case value == "true":
		return "false"
	}
	return "true"
}

// write makes a change by PUT, or by PATCH where RBAC allows only that.
func write(ctx context.Context, resource dynamic.ResourceInterface, stored *unstructured.Unstructured, change change, wanted string, subresources ...string) (*unstructured.Unstructured, error) {
	proposed := stored.DeepCopy()
	annotations := proposed.GetAnnotations()
	if annotations == nil {
		annotations = map[string]string{}
	}
	var value any // null in the patch
	if delete(annotations, change.Key); wanted != "" {
		annotations[change.Key], value = wanted, wanted
	}
	proposed.SetAnnotations(annotations)
	dryRun := []string{metav1.DryRunAll}
	after, err := resource.Update(ctx, proposed, metav1.UpdateOptions{DryRun: dryRun}, subresources...)
	if err == nil || !strings.Contains(err.Error(), "cannot update resource") {
		return after, err
	}
	patch, err := json.Marshal(map[string]any{"metadata": map[string]any{"annotations": map[string]any{change.Key: value}}})
	if err != nil {
		return nil, err
	}
	return resource.Patch(ctx, change.Object.Name, types.MergePatchType, patch, metav1.PatchOptions{DryRun: dryRun}, subresources...)
}

func annotation(object metav1.Object, key string) string { return object.GetAnnotations()[key] }

// impersonating is how the change's requester reaches the API server.
func impersonating(config *rest.Config, report compare.Report, change change) *rest.Config {
	config = rest.CopyConfig(config)
	for _, r := range report.Requesters {
		if r.Subject == change.Requester {
			config.Impersonate = rest.ImpersonationConfig{UserName: r.Username, Groups: withoutOwn(r.Groups)}
		}
	}
	return config
}

// withoutOwn leaves out the group that the API server adds itself.
func withoutOwn(groups []string) []string {
	var rest []string
	for _, group := range groups {
		if !strings.HasPrefix(group, "system:authenticated") {
			rest = append(rest, group)
		}
	}
	return rest
}
