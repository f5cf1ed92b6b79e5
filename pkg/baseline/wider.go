package baseline

import (
	"strings"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/audit"
)

// matching is where the entry stands that knows a finding, and what the finding has beyond it. Of several with the same fingerprint it is
// the first that knows all of it, else the first one; -1 where there is none that is left.
func (f File) matching(finding audit.Finding, taken []bool) (at int, wider *audit.Extent) {
	at = -1
	mark := finding.Fingerprint()
	for i, known := range f.Findings {
		if taken[i] || known.Fingerprint != mark {
			continue
		}
		more := finding.Reach.Beyond(known.Reach)
		if more == nil {
			return i, nil
		}
		if at < 0 {
			at, wider = i, more
		}
	}
	return at, wider
}

// widened is a finding that concerns more than a baseline knows.
func widened(finding audit.Finding, wider *audit.Extent) audit.Finding {
	var more []string
	if len(wider.Kinds) > 0 {
		more = append(more, "also "+strings.Join(wider.Kinds, ", "))
	}
	switch {
	case wider.EveryNamespace:
		more = append(more, "also every other namespace")
	case len(wider.Namespaces) == 1:
		more = append(more, "also namespace "+wider.Namespaces[0])
	case len(wider.Namespaces) > 1:
		more = append(more, "also the namespaces "+strings.Join(wider.Namespaces, ", "))
	}
	finding.Wider = wider
	finding.Message += " This is wider than the baseline knows: " + strings.Join(more, ", ") + "."
	return finding
}
