package findings

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/audit"
)

// A manifest in a version that the server does not serve can't be applied, and is found; in v1 it can, and is not.
func TestPolicyAPINotServed(t *testing.T) {
	for version, refused := range map[string]bool{"v1beta1": true, "v1": false} {
		t.Run(version, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "guard.yaml")
			manifests := strings.ReplaceAll(strip, "admissionregistration.k8s.io/v1\n", "admissionregistration.k8s.io/"+version+"\n")
			if err := os.WriteFile(path, []byte(manifests), 0o600); err != nil {
				t.Fatal(err)
			}
			applied, err := built.Kubectl(t.Context(), server.Admin.Kubeconfig, "", "apply", "--dry-run=server", "-f", path)
			if err != nil {
				t.Fatal(err)
			}
			if (applied.Code != 0) != refused || refused && !strings.Contains(applied.Stderr, `no matches for kind "MutatingAdmissionPolicy"`) {
				t.Errorf("exit %d: %s", applied.Code, applied.Stderr)
			}
			out := administer(t, "audit", "-A", "-o", "json", "--policies", path)
			var report audit.Report
			if err := json.Unmarshal([]byte(out.Stdout), &report); err != nil {
				t.Fatalf("exit %d: %v\n%s", out.Code, err, out.Stderr)
			}
			found := 0
			for _, f := range report.Findings {
				if f.ID != "policy-api-not-served" {
					continue
				}
				found++
				if again, err := built.Shell(t.Context(), server.Admin.Kubeconfig, f.Evidence); err != nil || again.Code == 2 {
					t.Errorf("the evidence can't be repeated: %v, exit %d: %s\n%s", err, again.Code, f.Evidence, again.Stderr)
				}
			}
			if (found == 1) != refused || found > 1 {
				t.Errorf("%d findings: %+v", found, report.Findings)
			}
		})
	}
}
