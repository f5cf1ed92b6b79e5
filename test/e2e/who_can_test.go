package e2e

import (
	"encoding/json"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"

	"golang.org/x/sync/errgroup"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/audit"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/authorization"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/compare"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/whocan"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/test/cluster"
)

// TestWhoCan: whatever who-can says of somebody and an object, the API server does when they make the change, by dry run; and of whom it says
// nothing, the API server authorizes nothing.
func TestWhoCan(t *testing.T) {
	for _, example := range []string{"validating", "mutating", "hardened"} {
		t.Run(example, func(t *testing.T) {
			c := load(t, "../../examples/"+example)
			if err := c.WaitForPolicies(t.Context()); err != nil {
				t.Fatal(err)
			}
			for _, asked := range []string{"set", "edit", "remove"} {
				t.Run(asked, func(t *testing.T) { checkWhoCan(t, c, whoCan(t, c, asked, "downscaler/exclude")) })
			}
		})
	}
}

func whoCan(t *testing.T, c *cluster.Cluster, asked, key string) whocan.Report {
	t.Helper()
	out := kubectl(t, c.Admin.Kubeconfig, "", "downscaler-compliance", "who-can", asked, key, "-A", "-o", "json")
	var report whocan.Report
	if err := json.Unmarshal([]byte(out.Stdout), &report); err != nil || out.Code != 0 {
		t.Fatalf("exit %d: %v\n%s", out.Code, err, out.Stderr)
	}
	return report
}

// trying is the API server as everybody sees it.
type trying struct {
	t      *testing.T
	config *rest.Config
	mapper meta.RESTMapper
	asked  whocan.Asked
	made   atomic.Int32
}

func checkWhoCan(t *testing.T, c *cluster.Cluster, report whocan.Report) {
	t.Helper()
	client, err := discovery.NewDiscoveryClientForConfig(c.Admin.Config)
	if err != nil {
		t.Fatal(err)
	}
	try := &trying{t: t, config: c.Admin.Config, mapper: restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(client)), asked: report.Asked}
	everybody := map[authorization.Subject]whocan.Requester{}
	for _, o := range report.Objects {
		for _, r := range o.Requesters {
			everybody[r.Subject] = r
		}
	}
	var group errgroup.Group
	group.SetLimit(8)
	for _, o := range report.Objects {
		for subject, r := range everybody {
			at := slices.IndexFunc(o.Requesters, func(other whocan.Requester) bool { return other.Subject == subject })
			if at < 0 {
				r.Result, r.Subresource = audit.ProtectionBlocked, ""
			} else {
				r = o.Requesters[at]
			}
			group.Go(func() error { return try.as(r, o.Object) })
		}
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d requests of %d subjects", try.made.Load(), len(everybody))
	if try.made.Load() < 50 {
		t.Errorf("%d requests were made: this can't be all", try.made.Load())
	}
}

// as makes the change in somebody's name.
func (try *trying) as(r whocan.Requester, object simulate.ObjectRef) error {
	change := change{compare.Change{Object: object, Subresource: r.Subresource, Key: try.asked.Key, Asked: simulate.Added}, r.Subject}
	admin, err := dynamic.NewForConfig(try.config)
	if err != nil {
		return err
	}
	resource, err := resourceOf(try.mapper, admin, change)
	if err != nil {
		return err
	}
	stored, err := resource.Get(try.t.Context(), object.Name, metav1.GetOptions{})
	if err != nil {
		return err
	}
	value, carried := stored.GetAnnotations()[try.asked.Key]
	if try.asked.Change != whocan.Set && !carried {
		return nil // it was tried on a copy
	}
	if try.asked.Change == whocan.Remove {
		change.Asked = simulate.Removed
	}
	config := rest.CopyConfig(try.config)
	config.WarningHandler = rest.NoWarnings{}
	config.Impersonate = rest.ImpersonationConfig{UserName: r.Username, Groups: withoutOwn(r.Groups)}
	as, err := dynamic.NewForConfig(config)
	if err != nil {
		return err
	}
	if resource, err = resourceOf(try.mapper, as, change); err != nil {
		return err
	}
	var subresources []string
	if r.Subresource != "" {
		subresources = []string{r.Subresource}
	}
	wanted := wantedOf(change, value)
	after, err := write(try.t.Context(), resource, stored, change, wanted, subresources...)
	try.made.Add(1)
	passes := err == nil && annotation(after, change.Key) == wanted
	if err != nil && !apierrors.IsForbidden(err) && !apierrors.IsInvalid(err) {
		return fmt.Errorf("%+v: %w", change, err)
	}
	if passes != r.Result.Passes() {
		try.t.Errorf("%s %s on %s %s/%s %s as %s: who-can says %s, and the API server lets it pass: %v (%v)",
			try.asked.Change, change.Key, object.Namespace, object.Kind, object.Name, r.Subresource, r.Subject, r.Result, passes, err)
	}
	return nil
}
