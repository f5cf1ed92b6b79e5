package audit

import "strings"

// Unjudged says why a rule without a finding is none that found everything in order; empty where it is. Which rule needs what could not be
// looked at is not known of all of them, so that with any gap none is.
func (r *Report) Unjudged(rule Rule) string {
	switch {
	case len(r.Incomplete) > 0:
		return "not judged: something could not be looked at"
	case r.Values == "" && strings.HasPrefix(rule.ID, "values-"):
		return "not judged: no Helm values were given"
	}
	return ""
}
