// Package baseline keeps the findings of an audit that are known, so that a later audit can tell them from new ones.
package baseline

import (
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/audit"
)

// kind is what a baseline's file says that it is, beside the apiVersion of reports.
const kind = "AuditBaseline"

// File is what a baseline's file holds.
type File struct {
	// Scope is the part of the state whose findings these are; empty for all of it.
	Scope    audit.Scope
	Findings []audit.KnownFinding
}

// Of is the baseline of an audit: what it found. Where it was itself compared with a baseline, what was known and what could not be
// judged is in it as well, and what is gone is not.
func Of(report *audit.Report) File {
	file := File{Scope: report.Scope}
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
// baseline's were not found.
func (f File) Apply(report *audit.Report) {
	left := map[string]int{} // how many of the baseline's have this fingerprint and are not found yet
	for _, known := range f.Findings {
		left[known.Fingerprint]++
	}
	result := &audit.Baseline{Known: []audit.Finding{}, Gone: []audit.KnownFinding{}, NotJudged: []audit.KnownFinding{}}
	fresh := []audit.Finding{}
	for _, finding := range report.Findings {
		if mark := finding.Fingerprint(); left[mark] > 0 {
			left[mark]--
			result.Known = append(result.Known, finding)
			report.Summary.Findings[finding.Severity]--
			continue
		}
		fresh = append(fresh, finding)
	}
	judged := f.judge(report)
	for _, known := range f.Findings {
		switch {
		case left[known.Fingerprint] == 0:
			continue
		case judged(known):
			result.Gone = append(result.Gone, known)
		default:
			result.NotJudged = append(result.NotJudged, known)
		}
		left[known.Fingerprint]--
	}
	report.Findings, report.Baseline = fresh, result
}

// judge tells the findings that an audit would have found if they were still there.
func (f File) judge(report *audit.Report) func(audit.KnownFinding) bool {
	applied := map[string]bool{}
	for _, rule := range report.Rules {
		applied[rule.ID] = true
	}
	whole := f.Scope == report.Scope && len(report.Incomplete) == 0
	return func(known audit.KnownFinding) bool { return whole && applied[known.ID] }
}
