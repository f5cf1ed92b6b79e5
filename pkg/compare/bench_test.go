package compare

import (
	"fmt"
	"strings"
	"testing"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// BenchmarkGuards compares the guards of 200 Deployments for 30 users who may write all of them, besides those of every cluster.
func BenchmarkGuards(b *testing.B) {
	manifests := []any{rbac}
	deployment := strings.Split(objects, "---")[1]
	for i := range 200 {
		manifests = append(manifests, strings.Replace(deployment, "name: web, namespace", fmt.Sprintf("name: web-%d, namespace", i), 1))
	}
	const binding = "{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRoleBinding, metadata: {name: more}, roleRef: {kind: ClusterRole, name: edit}, subjects: [%s]}"
	var subjects []string
	for i := range 30 {
		subjects = append(subjects, fmt.Sprintf("{kind: User, name: user%d}", i))
	}
	manifests = append(manifests, fmt.Sprintf(binding, strings.Join(subjects, ", ")))
	today, tomorrow := simulatorOf(b, manifests...), simulatorOf(b, append(manifests, guard{name: "deny", action: "Deny"})...)
	b.ResetTimer()
	for b.Loop() {
		report, err := Guards(b.Context(), today, tomorrow, inventory.Query{}, Options{Live: true})
		if err != nil || report.Summary.Changed != 201 {
			b.Fatalf("%v %+v", err, report.Summary)
		}
		b.ReportMetric(float64(len(report.Changes)), "changes/op")
	}
}
