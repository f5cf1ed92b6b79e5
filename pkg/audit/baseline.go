package audit

// Baseline is what a baseline, which is a list of findings known before, makes of an audit's findings. The report's own
// Findings are then the others.
type Baseline struct {
	// Known are this audit's findings that the baseline has.
	Known []Finding `json:"known"`
	// Gone are those of the baseline that the audit would have found and didn't.
	Gone []KnownFinding `json:"gone"`
	// NotJudged are those of the baseline that the audit didn't find and might not have: a rule was left out, something could not
	// be looked at, or it was about another part of the cluster than the baseline.
	NotJudged []KnownFinding `json:"notJudged"`
}

// KnownFinding is a finding as a baseline has it: what it is, and not how it is worded.
type KnownFinding struct {
	ID          string   `json:"id"`
	Severity    Severity `json:"severity"`
	Subject     Subject  `json:"subject"`
	Fingerprint string   `json:"fingerprint"`
	// Reach is absent in a baseline of a version that did not write it: then it bounds nothing.
	Reach *Extent `json:"reach,omitempty"`
}

// Known is the finding as a baseline has it.
func (f Finding) Known() KnownFinding {
	return KnownFinding{ID: f.ID, Severity: f.Severity, Subject: f.Subject, Fingerprint: f.Fingerprint(), Reach: f.Reach}
}
