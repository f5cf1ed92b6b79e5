package e2e

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/audit"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// TestOrderDependentMutation: two mutating policies write one annotation. The finding names them and what each order stores, the API server
// stores the one or the other, and once one of them is reinvoked, as the remedy says, there is no finding, and both sides agree.
func TestOrderDependentMutation(t *testing.T) {
	apply(t, "testdata/order-objects.yaml")
	guard(t, "testdata/order-policies.yaml")
	findings, code := orderFindings(t)
	if len(findings) != 1 || code != 2 {
		t.Fatalf("exit %d, findings %+v", code, findings)
	}
	f := findings[0]
	for _, part := range []string{
		`with MutatingAdmissionPolicy order-exempts first, downscaler/exclude is not stored`,
		`with MutatingAdmissionPolicy order-strips first, downscaler/exclude: "true" is stored`,
	} {
		if !strings.Contains(f.Message, part) {
			t.Errorf("%q lacks %q", f.Message, part)
		}
	}
	if !strings.Contains(f.Remedy, "IfNeeded on order-exempts or on order-strips") {
		t.Error(f.Remedy)
	}

	repeated := kubectl(t, server.Admin.Kubeconfig, "", append(strings.Fields(strings.TrimPrefix(f.Evidence, "kubectl ")), "-o", "json")...)
	var report simulate.Report
	if err := json.Unmarshal([]byte(repeated.Stdout), &report); err != nil {
		t.Fatalf("%s: %v\n%s", f.Evidence, err, repeated.Stderr)
	}
	named := slices.ContainsFunc(report.Incomplete, func(gap inventory.Gap) bool {
		return gap.What == "the order of MutatingAdmissionPolicy order-exempts, order-strips"
	})
	if repeated.Code != 2 || len(report.Results) != 1 || report.Results[0].Outcome != simulate.Unknown || !named {
		t.Errorf("%s: exit %d, %s", f.Evidence, repeated.Code, repeated.Stdout)
	}
	if stored, there := annotated(t)["downscaler/exclude"]; there && stored != "true" {
		t.Errorf("the API server stores %q, which no order does", stored)
	} else {
		t.Logf("in this run the API server stores downscaler/exclude: %t", there)
	}

	mended, err := os.ReadFile("testdata/order-policies.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Apply(t.Context(), []byte(strings.Replace(string(mended), "reinvocationPolicy: Never # strips", "reinvocationPolicy: IfNeeded", 1))); err != nil {
		t.Fatal(err)
	}
	if err := server.WaitForPolicies(t.Context()); err != nil {
		t.Fatal(err)
	}
	if findings, _ := orderFindings(t); len(findings) > 0 {
		t.Errorf("mended, and still there: %+v", findings)
	}
	if stored, there := annotated(t)["downscaler/exclude"]; there {
		t.Errorf("the API server stores %q", stored)
	}
	if result := simulated(t, "", "as-user", "order-tenant", "deployment/web", "-n", "order", "--set", "downscaler/exclude=true"); result.Outcome != simulate.Altered {
		t.Errorf("outcome %s", result.Outcome)
	}
}

func orderFindings(t *testing.T) ([]audit.Finding, int) {
	t.Helper()
	out := asAdmin(t, "", "audit", "-n", "order", "-o", "json")
	var report audit.Report
	if err := json.Unmarshal([]byte(out.Stdout), &report); err != nil {
		t.Fatalf("exit %d: %v\n%s", out.Code, err, out.Stderr)
	}
	return slices.DeleteFunc(report.Findings, func(f audit.Finding) bool { return f.ID != "order-dependent-mutation" }), out.Code
}

// annotated adds the annotation as a tenant, by a dry run, and returns what would be stored.
func annotated(t *testing.T) map[string]string {
	t.Helper()
	client, err := dynamic.NewForConfig(server.As("order-tenant"))
	if err != nil {
		t.Fatal(err)
	}
	deployments := schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}
	stored, err := client.Resource(deployments).Namespace("order").Patch(t.Context(), "web", types.MergePatchType,
		[]byte(`{"metadata":{"annotations":{"downscaler/exclude":"true"}}}`), metav1.PatchOptions{DryRun: []string{metav1.DryRunAll}})
	if err != nil {
		t.Fatal(err)
	}
	return stored.GetAnnotations()
}
