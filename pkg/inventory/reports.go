package inventory

import (
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// reportKinds are what this program writes and does not read as state. A run that writes them beside the manifests that it audits leaves them to the
// next one, which goes through the folder.
var reportKinds = []string{"AuditBaseline", "AuditReport", "ComparisonReport", "PolicyList", "SimulationReport", "VerifyReport", "WhoCanReport"}

func isReport(kind schema.GroupVersionKind) bool {
	return kind.Group == snapshotGroup && slices.Contains(reportKinds, kind.Kind)
}
