package formats

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/openreports/reports-api/apis/openreports.io/v1alpha1"
	"sigs.k8s.io/yaml"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/report"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/test/cluster"
)

// openReports is a List as OpenReports' own types have it; a ClusterReport has the same fields as a Report.
type openReports struct {
	APIVersion string            `json:"apiVersion"`
	Kind       string            `json:"kind"`
	Items      []v1alpha1.Report `json:"items"`
}

func lists(t *testing.T) map[string][]byte {
	t.Helper()
	texts := map[string][]byte{"golden": golden(t, "audit-openreports.yaml")}
	for name, r := range audits() {
		texts[name] = printed(t, report.Audit, "openreports", r)
	}
	return texts
}

// OpenReports' types have every field, and the summaries count what is there.
func TestOpenReports(t *testing.T) {
	for name, text := range lists(t) {
		t.Run(name, func(t *testing.T) {
			var list openReports
			if err := yaml.UnmarshalStrict(text, &list); err != nil {
				t.Fatal(err)
			}
			if list.APIVersion != "v1" || list.Kind != "List" || len(list.Items) == 0 {
				t.Fatalf("%s %s of %d", list.APIVersion, list.Kind, len(list.Items))
			}
			names := map[string]bool{}
			for _, r := range list.Items {
				var s v1alpha1.ReportSummary
				for _, result := range r.Results {
					*map[v1alpha1.Result]*int{"pass": &s.Pass, "fail": &s.Fail, "warn": &s.Warn, "error": &s.Error, "skip": &s.Skip}[result.Result]++
				}
				if s != r.Summary {
					t.Errorf("%s/%s has %+v and says %+v", r.Namespace, r.Name, s, r.Summary)
				}
				if key := r.Namespace + "/" + r.Name; names[key] {
					t.Errorf("%s is there twice", key)
				} else {
					names[key] = true
				}
			}
		})
	}
}

// Where the definitions of OpenReports are, an API server stores each report whole, and knows every field of it. kubectl keeps what it applies in an
// annotation, which must not become too long.
func TestOpenReportsAreStored(t *testing.T) {
	server, err := cluster.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Stop(); err != nil {
			t.Error(err)
		}
	})
	ctx := context.Background()
	const module = "github.com/openreports/reports-api"
	for _, name := range []string{"config/crd/openreports.io_reports.yaml", "config/crd/openreports.io_clusterreports.yaml"} {
		if err := server.Apply(ctx, ofModule(t, module, name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, namespace := range []string{"team-a", "team-0", "team-1", "team-2"} {
		if err := server.Apply(ctx, fmt.Appendf(nil, "{apiVersion: v1, kind: Namespace, metadata: {name: %s}}", namespace)); err != nil {
			t.Fatal(err)
		}
	}
	kubectl := func(stdin []byte, args ...string) ([]byte, error) {
		cmd := exec.CommandContext(ctx, server.Kubectl, args...)
		cmd.Env = append(os.Environ(), "KUBECONFIG="+server.Admin.Kubeconfig)
		cmd.Stdin = bytes.NewReader(stdin)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil {
			return out, fmt.Errorf("kubectl %s: %w: %s", strings.Join(args, " "), err, stderr.Bytes())
		}
		return out, nil
	}
	texts := lists(t)
	enough := audits()["many"] // for several reports a namespace; kubectl takes a minute for all
	enough.Findings = enough.Findings[:manyFindings/10]
	texts["many"] = printed(t, report.Audit, "openreports", enough)
	if !bytes.Contains(texts["many"], []byte("name: downscaler-compliance-2\n")) {
		t.Error("the findings don't fill two reports")
	}
	for name, text := range texts {
		t.Run(name, func(t *testing.T) { isStored(t, text, kubectl) })
	}
	for name, flaw := range map[string]string{
		"an unknown field": "results: [{policy: a, subjects: []}]", "no policy": "results: [{result: fail}]", "another result": "results: [{policy: a, result: failed}]",
		"another severity": "results: [{policy: a, severity: High}]", "a number": "results: [{policy: a, properties: {a: 1}}]", "another summary": "summary: {failed: 1}",
	} {
		t.Run("refuses "+name, func(t *testing.T) {
			text := "apiVersion: openreports.io/v1alpha1\nkind: ClusterReport\nmetadata: {name: flawed}\n" + flaw
			if out, err := kubectl([]byte(text), "apply", "--validate=strict", "-f", "-"); err == nil {
				t.Errorf("it is stored: %s", out)
			}
		})
	}
}

func isStored(t *testing.T, text []byte, kubectl func([]byte, ...string) ([]byte, error)) {
	t.Helper()
	const ours = "app.kubernetes.io/managed-by=kubectl-downscaler-compliance"
	if _, err := kubectl(text, "apply", "--validate=strict", "-f", "-"); err != nil {
		t.Fatal(err)
	}
	// kubectl fails to print what has control characters in it.
	out, err := kubectl(nil, "get", "clusterreports,reports", "-A", "-l", ours, "-o", "yaml")
	if err != nil {
		t.Fatal(err)
	}
	var want, got openReports
	if err := yaml.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(out, &got); err != nil {
		t.Fatal(err)
	}
	stored := map[string]v1alpha1.Report{}
	for _, r := range got.Items {
		stored[r.Namespace+"/"+r.Name] = r
	}
	if len(stored) != len(want.Items) {
		t.Errorf("%d reports are stored of %d", len(stored), len(want.Items))
	}
	for _, r := range want.Items {
		there := stored[r.Namespace+"/"+r.Name]
		if a, b := fmt.Sprintf("%+v", r.Results), fmt.Sprintf("%+v", there.Results); a != b || there.Summary != r.Summary {
			t.Errorf("%s/%s is stored otherwise than written", cmp.Or(r.Namespace, "the cluster"), r.Name)
		}
	}
	// Those of an earlier run are found by the label.
	if _, err := kubectl(nil, "delete", "clusterreports,reports", "-A", "-l", ours); err != nil {
		t.Fatal(err)
	}
}
