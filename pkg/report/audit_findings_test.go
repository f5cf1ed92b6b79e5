package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/audit"
)

func misspelt(namespace, name, message string) audit.Finding {
	return audit.Finding{
		ID: "unknown-annotation", Severity: audit.Low, Message: message,
		Subject:  audit.Subject{Kind: "Deployment", Namespace: namespace, Name: name, Field: `metadata.annotations["downscaler/exlude"]`},
		Evidence: "kubectl downscaler-compliance audit -n " + namespace,
		Remedy:   fmt.Sprintf("Remove it: kubectl annotate deployments.apps/%s -n %s downscaler/exlude-", name, namespace),
	}
}

// Findings about hundreds of objects that are alike are one, whose remedy and evidence are the first one's.
func TestFindingsOfAlikeObjects(t *testing.T) {
	var alike []audit.Finding
	for i := range 500 {
		alike = append(alike, misspelt(fmt.Sprintf("team-%d", i%7), fmt.Sprintf("web-%d", i), "The downscaler does not read it."))
	}
	got := findings(auditOf(nil, alike...), Options{})
	if strings.Count(got, "unknown-annotation") != 1 || !strings.Contains(got, "deployments.apps/web-0 -n team-0") || !strings.Contains(got, "497 more") {
		t.Error(got)
	}
	if all := findings(auditOf(nil, alike...), Options{ShowAll: true}); strings.Count(all, "Deployment web-") != 500 {
		t.Error(all)
	}
}

// Of findings that say different things only a few are shown.
func TestFindingsThatDiffer(t *testing.T) {
	var different []audit.Finding
	for i := range 500 {
		different = append(different, misspelt("team-a", fmt.Sprintf("web-%d", i), fmt.Sprintf("It was set by helm at minute %d.", i)))
	}
	got := findings(auditOf(nil, different...), Options{})
	if strings.Count(got, "LOW ") != readableFindings || !strings.Contains(got, "... and 495 more findings of unknown-annotation (--show-all)") {
		t.Error(got)
	}
}

// A remedy that differs in more than the object's name is told.
func TestFindingsOfOtherRemedies(t *testing.T) {
	other := misspelt("team-a", "api", "The downscaler does not read it.")
	other.Remedy = "Ask its owner."
	got := findings(auditOf(nil, misspelt("team-a", "web", "The downscaler does not read it."), other), Options{})
	if strings.Count(got, "Remedy: ") != 2 {
		t.Error(got)
	}
}
