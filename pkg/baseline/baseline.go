// Package baseline keeps the findings of an audit that are known, so that a later audit can tell them from new ones.
package baseline

import (
	"path/filepath"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/audit"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// kind is what a baseline's file says that it is, beside the apiVersion of reports.
const kind = "AuditBaseline"

// File is what a baseline's file holds.
type File struct {
	// Scope is the part of the state whose findings these are; empty for all of it.
	Scope audit.Scope
	// Incomplete is what the audit could not look at: what it would have found there is not among the findings.
	Incomplete []inventory.Gap
	Findings   []audit.KnownFinding
}

// Of is the baseline of an audit: what it found. Where it was itself compared with a baseline, what was known and what could not be
// judged is in it as well, and what is gone is not.
func Of(report *audit.Report) File {
	file := File{Scope: report.Scope, Incomplete: report.Incomplete}
	for _, f := range report.Findings {
		file.Findings = append(file.Findings, f.Known())
	}
	if report.Baseline != nil {
		for _, f := range report.Baseline.Known {
			file.Findings = append(file.Findings, f.Known())
		}
		file.Findings = append(file.Findings, report.Baseline.NotJudged...)
	}
	return file
}

// Apply takes the findings that are known out of a report's, and says in the report which those are and which of the
// baseline's were not found. One that concerns more kinds or namespaces than the baseline's is not known, and says so.
func (f File) Apply(report *audit.Report) {
	taken := make([]bool, len(f.Findings)) // those of the baseline that are found
	result := &audit.Baseline{Known: []audit.Finding{}, Gone: []audit.KnownFinding{}, NotJudged: []audit.KnownFinding{}}
	fresh := []audit.Finding{}
	for _, finding := range report.Findings {
		at, wider := f.matching(finding, taken)
		if at >= 0 {
			taken[at] = true
		}
		switch {
		case at < 0:
			fresh = append(fresh, finding)
		case wider != nil:
			fresh = append(fresh, widened(finding, wider))
		default:
			result.Known = append(result.Known, finding)
			report.Summary.Findings[finding.Severity]--
		}
	}
	judged := f.judge(report)
	for i, known := range f.Findings {
		switch {
		case taken[i]:
			continue
		case judged(known):
			result.Gone = append(result.Gone, known)
		default:
			result.NotJudged = append(result.NotJudged, known)
		}
	}
	report.Findings, report.Baseline = fresh, result
}

// judge tells the findings that an audit would have found if they were still there. Those of Helm values, which are known by their file's
// name, it finds in that file only.
func (f File) judge(report *audit.Report) func(audit.KnownFinding) bool {
	applied := map[string]bool{}
	for _, rule := range report.Rules {
		applied[rule.ID] = true
	}
	whole := f.Scope == report.Scope && len(report.Incomplete) == 0
	return func(known audit.KnownFinding) bool {
		values := known.Subject.Kind != audit.ValuesKind || report.Values != "" && filepath.Base(known.Subject.Name) == filepath.Base(report.Values)
		return whole && values && applied[known.ID]
	}
}
