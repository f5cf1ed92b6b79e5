package audit

import "slices"

// Severities are all severities, gravest first.
func Severities() []Severity { return slices.Clone(severities) }

// AtLeast says whether a severity is as grave as another one, or graver.
func (s Severity) AtLeast(limit Severity) bool {
	at := slices.Index(severities, s)
	return at >= 0 && at <= slices.Index(severities, limit)
}

// Hide leaves out the findings that are less grave than a severity, and counts them.
func (r *Report) Hide(least Severity) {
	kept := r.Findings[:0:0]
	for _, f := range r.Findings {
		if f.Severity.AtLeast(least) {
			kept = append(kept, f)
			continue
		}
		r.Summary.Findings[f.Severity]--
		r.Summary.Hidden++
	}
	r.Findings = kept
}
