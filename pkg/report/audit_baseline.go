package report

import (
	"fmt"
	"strings"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/audit"
)

// baseline shows what the baseline's findings came to: those known are listed only with ShowAll, those that are gone always.
func baseline(report *audit.Report, options Options) string {
	b := report.Baseline
	if b == nil {
		return ""
	}
	var text strings.Builder
	if options.ShowAll && len(b.Known) > 0 {
		text.WriteString("Known by the baseline:\n\n")
		for _, group := range groupFindings(b.Known) {
			text.WriteString(group.print(options) + "\n")
		}
	}
	text.WriteString(knownSection("Findings of the baseline that are gone:", b.Gone, options))
	text.WriteString(knownSection("Findings of the baseline that this audit can't judge (a rule left out, something not looked at, or another part of the state):", b.NotJudged, options))
	return text.String()
}

func knownSection(title string, list []audit.KnownFinding, options Options) string {
	if len(list) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString(indented("", title, options.Width))
	for i, known := range list {
		if i == readableNotes && !options.ShowAll {
			fmt.Fprintf(&b, "  ... and %d more (--show-all)\n", len(list)-i)
			break
		}
		b.WriteString(indented("  ", escape(known.ID)+": "+subjectName(known.Subject), options.Width))
	}
	return b.String() + "\n"
}

// leftOutWords say which findings are not among those that are shown.
func leftOutWords(report *audit.Report, options Options) string {
	var words []string
	if b := report.Baseline; b != nil && len(b.Known) > 0 {
		known := fmt.Sprintf("%s known by the baseline", count(len(b.Known), "more is", "more are"))
		if !options.ShowAll {
			known += " (--show-all lists them)"
		}
		words = append(words, known)
	}
	if b := report.Baseline; b != nil && len(b.NotJudged) > 0 {
		words = append(words, count(len(b.NotJudged), "known finding was", "known findings were")+" not judged (rules not applied, another scope, or incomplete)")
	}
	if hidden := report.Summary.Hidden; hidden > 0 {
		words = append(words, count(hidden, "less grave one is", "less grave ones are")+" not shown (--severity)")
	}
	if skipped := report.SkippedRules; len(skipped) > 0 {
		words = append(words, count(len(skipped), "rule was", "rules were")+" not applied (--rule, --skip-rule)")
	}
	if len(words) == 0 {
		return ""
	}
	text := strings.Join(words, "; ") + "."
	return strings.ToUpper(text[:1]) + text[1:]
}
