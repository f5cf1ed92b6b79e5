package report

import (
	"strings"
	"testing"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/audit"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/authorization"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/whocan"
)

// What another policy than a guard refuses is said to be refused by it, and not to be guarded.
func TestRefusedAnyway(t *testing.T) {
	freeze := simulate.By{Kind: "ValidatingAdmissionPolicy", Policy: "freeze"}
	object := audit.Object{Guard: noGuard, RefusedAnyway: []audit.RefusedAnyway{{By: freeze, Changes: audit.Columns()}}}
	if got := getsThrough(object); got != "create, add, edit, remove (the guard; now refused by freeze)" {
		t.Error(got)
	}
	dev := whocan.Requester{
		Subject: authorization.Subject{Kind: "User", Name: "dev"}, Result: audit.ProtectionBlocked, By: []simulate.By{freeze}, RefusedAnyway: true,
	}
	objects := []whocan.Object{{Requesters: []whocan.Requester{dev}}}
	report := &whocan.Report{Objects: objects, Summary: whocan.Summarize(objects)}
	if got, want := whoCanSummary(report, Options{}), "What stops 1 user at present is freeze, with the annotation or without, and no guard of the annotation."; !strings.Contains(got, want) {
		t.Errorf("%q lacks %q", got, want)
	}
	if cells := whoCanCells(objects[0], false); cells[0][1] != "blocked by freeze, with the annotation or without" {
		t.Errorf("%q", cells)
	}
	report.Objects[0].Requesters[0].RefusedAnyway = false
	if got := whoCanSummary(report, Options{}); strings.Contains(got, "What stops") {
		t.Error(got)
	}
}
