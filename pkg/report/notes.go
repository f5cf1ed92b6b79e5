package report

import (
	"fmt"
	"strings"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

const (
	readableNotes = 20 // how many notes a person reads
	readableWhats = 3  // how many things of one note
)

// notes print what was not looked at and what was taken for granted, in plain words.
func notes(incomplete, assumptions []inventory.Gap, options Options) string {
	return section("Incomplete, not looked at:", incomplete, options) +
		section("Assumptions, known and not simulated:", assumptions, options)
}

func section(title string, gaps []inventory.Gap, options Options) string {
	if len(gaps) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("\n" + title + "\n")
	folded := foldGaps(gaps, options)
	for i, line := range folded {
		if i == readableNotes && !options.ShowAll {
			fmt.Fprintf(&b, "  ... and %d more (--show-all)\n", len(folded)-i)
			break
		}
		b.WriteString(indented("  ", line, options.Width))
	}
	return b.String()
}

// foldGaps makes one line of all gaps with the same reason.
func foldGaps(gaps []inventory.Gap, options Options) []string {
	whats := map[string][]string{}
	seen := map[inventory.Gap]bool{}
	var whys []string
	for _, gap := range gaps {
		if seen[gap] {
			continue
		}
		seen[gap] = true
		if whats[gap.Why] == nil {
			whys = append(whys, gap.Why)
		}
		whats[gap.Why] = append(whats[gap.Why], escape(gap.What))
	}
	lines := make([]string, 0, len(whys))
	for _, why := range whys {
		few := readableWhats
		if options.ShowAll {
			few = len(whats[why])
		}
		lines = append(lines, firstOf(whats[why], few, ", ")+": "+escape(oneLine(why)))
	}
	return lines
}
