package e2e

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	auditv1 "k8s.io/apiserver/pkg/apis/audit/v1"
	"k8s.io/apiserver/pkg/cel/openapi/resolver"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/restmapper"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/listing"
)

// listed runs policies list and returns the report.
func listed(t *testing.T, kubeconfig string, args ...string) listing.Report {
	t.Helper()
	out := kubectl(t, kubeconfig, "", append([]string{"downscaler-compliance", "policies", "list", "-o", "json"}, args...)...)
	var report listing.Report
	if err := json.Unmarshal([]byte(out.Stdout), &report); err != nil || out.Code != 0 {
		t.Fatalf("exit %d: %v\n%s%s", out.Code, err, out.Stdout, out.Stderr)
	}
	return report
}

func policyOf(t *testing.T, report listing.Report, name string) listing.Policy {
	t.Helper()
	i := slices.IndexFunc(report.Policies, func(p listing.Policy) bool { return p.Name == name })
	if i < 0 {
		t.Fatalf("%s is not listed", name)
	}
	return report.Policies[i]
}

// TestPoliciesList: the type check is what the API server's own checker says when it reads the server's schemas itself, as the
// controller manager does; a status that is stored is shown; and a snapshot gives the same list.
func TestPoliciesList(t *testing.T) {
	guard(t, "testdata/policies-list.yaml")
	waitForSchema(t, schema.GroupVersionKind{Group: "listing.example.com", Version: "v1", Kind: "Gadget"})
	report := listed(t, server.Admin.Kubeconfig)
	mistyped := policyOf(t, report, "listing-mistyped")
	want := serversCheck(t, "listing-mistyped")
	if diff := cmp.Diff(want, mistyped.TypeCheck.Warnings); diff != "" || len(want) != 3 {
		t.Errorf("%d warnings (-the server's checker +ours):\n%s", len(want), diff)
	}
	if kinds := strings.Join(mistyped.TypeCheck.Kinds, ", "); mistyped.TypeCheck.State != listing.TypesWarned ||
		kinds != "v1 Namespace, apps/v1 Deployment, autoscaling/v2 HorizontalPodAutoscaler, listing.example.com/v1 Gadget" {
		t.Errorf("%s of %s", mistyped.TypeCheck.State, kinds)
	}
	if typed := policyOf(t, report, "listing-typed"); typed.TypeCheck.State != listing.TypesPassed || len(serversCheck(t, "listing-typed")) > 0 || len(typed.Bindings) > 0 {
		t.Errorf("%+v", typed)
	}
	if len(mistyped.Parties.Named) != 1 || mistyped.Parties.Named[0].Text != "groups matching ^ops$" {
		t.Errorf("%+v", mistyped.Parties)
	}
	if n := mistyped.Bindings[0].Namespaces; !slices.Equal(n.Covered, []string{"listing"}) || len(n.Excluded) == 0 {
		t.Errorf("%+v", n)
	}

	storeTypeCheck(t, "listing-mistyped", "odd")
	report = listed(t, server.Admin.Kubeconfig)
	stored := policyOf(t, report, "listing-mistyped").TypeCheck.Stored
	if stored == nil || !stored.Current || len(stored.Warnings) != 1 || stored.Warnings[0] != (listing.Remark{Field: "spec.validations[0].expression", Message: "odd"}) {
		t.Errorf("%+v", stored)
	}
	path := filepath.Join(t.TempDir(), "snapshot.yaml")
	snapshot(t, server, path)
	offline := listed(t, os.DevNull, "--from", path)
	offline.Server.Source = inventory.SourceCluster
	if diff := cmp.Diff(report, offline); diff != "" {
		t.Errorf("(-live +snapshot):\n%s", diff)
	}
}

// waitForSchema waits until the API server publishes the schema of a CustomResourceDefinition's kind, some time after it serves the kind.
func waitForSchema(t *testing.T, kind schema.GroupVersionKind) {
	t.Helper()
	client, err := kubernetes.NewForConfig(server.Admin.Config)
	if err != nil {
		t.Fatal(err)
	}
	published := &resolver.ClientDiscoveryResolver{Discovery: client.Discovery()}
	var last error
	err = wait.PollUntilContextTimeout(t.Context(), time.Second, 3*time.Minute, true, func(context.Context) (bool, error) {
		_, last = published.ResolveSchema(kind)
		return last == nil, nil
	})
	if err != nil {
		t.Fatalf("no schema of %v is published: %v", kind, last)
	}
}

// numbered are the numbers that make the checker's types unlike each other.
var numbered = regexp.MustCompile(`\b(Namespace|Deployment|HorizontalPodAutoscaler|Gadget)\d+\b`)

// serversCheck has a stored policy checked with the schemas that the API server publishes, without the plugin.
func serversCheck(t *testing.T, name string) []listing.Remark {
	t.Helper()
	client, err := kubernetes.NewForConfig(server.Admin.Config)
	if err != nil {
		t.Fatal(err)
	}
	policy, err := client.AdmissionregistrationV1().ValidatingAdmissionPolicies().Get(t.Context(), name, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	groups, err := restmapper.GetAPIGroupResources(client.Discovery())
	if err != nil {
		t.Fatal(err)
	}
	checker := &validating.TypeChecker{
		SchemaResolver: &resolver.ClientDiscoveryResolver{Discovery: client.Discovery()}, RestMapper: restmapper.NewDiscoveryRESTMapper(groups),
	}
	var found []listing.Remark
	for _, w := range checker.Check(policy) {
		found = append(found, listing.Remark{Field: w.FieldRef, Message: strings.TrimSpace(numbered.ReplaceAllString(w.Warning, "$1"))})
	}
	return found
}

// storeTypeCheck stores what a controller manager would.
func storeTypeCheck(t *testing.T, name, warning string) {
	t.Helper()
	client, err := kubernetes.NewForConfig(server.Admin.Config)
	if err != nil {
		t.Fatal(err)
	}
	policies := client.AdmissionregistrationV1().ValidatingAdmissionPolicies()
	policy, err := policies.Get(t.Context(), name, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	policy.Status.ObservedGeneration = policy.Generation
	policy.Status.TypeChecking = &admissionregistrationv1.TypeChecking{
		ExpressionWarnings: []admissionregistrationv1.ExpressionWarning{{FieldRef: "spec.validations[0].expression", Warning: warning}},
	}
	if _, err := policies.UpdateStatus(t.Context(), policy, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
}

// TestPoliciesListReadsOnly proves it from the API server's audit log.
func TestPoliciesListReadsOnly(t *testing.T) {
	guard(t, "testdata/policies-list.yaml")
	const name = "policies-reader"
	user, err := server.AddUser(name, "system:masters")
	if err != nil {
		t.Fatal(err)
	}
	listed(t, user.Kubeconfig)
	listed(t, user.Kubeconfig, "-n", "listing", "--policies", "testdata/validating.yaml")
	events := requestsOf(t, name)
	if !slices.ContainsFunc(events, func(e auditv1.Event) bool {
		return e.ObjectRef != nil && e.ObjectRef.Resource == "validatingadmissionpolicies"
	}) {
		t.Fatalf("%d requests in the audit log: this can't be all", len(events))
	}
	for _, e := range events {
		if !readsOnly(e) {
			t.Errorf("%s %s by %s", e.Verb, e.RequestURI, e.UserAgent)
		}
	}
}
