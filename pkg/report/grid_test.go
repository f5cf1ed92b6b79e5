package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/olekukonko/tablewriter/pkg/twwidth"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/audit"
)

// Columns line up by what characters take on the screen, not by bytes or runes.
func TestColumnsLineUp(t *testing.T) {
	for _, width := range []int{0, 60} {
		data, err := grid{
			headers: []string{"NAME", "VALUE", "REASON"},
			rows: [][]string{
				{"web", "ascii", "one"},
				{"世界", "日本語の値", "two"},
				{"e\u0301te\u0301", "🚀", "three and some more words that are to be wrapped"},
			},
		}.render(Options{Width: width})
		if err != nil {
			t.Fatal(err)
		}
		want := strings.Index(strings.SplitN(string(data), "\n", 2)[0], "REASON")
		for _, word := range []string{"one", "two", "three"} {
			for line := range strings.Lines(string(data)) {
				if before, _, ok := strings.Cut(line, word); ok && twwidth.Width(before) != want {
					t.Errorf("%q begins at %d, not %d:\n%s", word, twwidth.Width(before), want, data)
				}
			}
		}
	}
}

func TestLinesHaveNoTrailingBlanks(t *testing.T) {
	for line := range strings.Lines(string(printed(t, Simulation, "table", everyOutcome(), Options{Width: 140, Explain: true}))) {
		if strings.TrimRight(line, " \n")+"\n" != line {
			t.Errorf("%q", line)
		}
	}
}

func TestWrappedLinesFit(t *testing.T) {
	report := everyOutcome()
	for line := range strings.Lines(string(printed(t, Simulation, "table", report, Options{Width: 140, Explain: true}))) {
		if width := twwidth.Width(strings.TrimSuffix(line, "\n")); width > 140 {
			t.Errorf("%d wide: %q", width, line)
		}
	}
}

// Whatever the width, words stay whole, and what finds no room stands below.
func TestNarrowTablesBreakBetweenWords(t *testing.T) {
	for _, width := range []int{60, 80, 100, 120, 160, 200} {
		for _, data := range [][]byte{
			printed(t, Simulation, "table", longChange(), Options{Width: width}),
			printed(t, Simulation, "wide", longChange(), Options{Width: width}),
			printed(t, Audit, "wide", bypassed(), Options{Width: width}),
		} {
			for line := range strings.Lines(string(data)) {
				command := strings.HasPrefix(line, "  kubectl ")
				if got := twwidth.Width(strings.TrimSuffix(line, "\n")); got > width && !command {
					t.Errorf("width %d: %d wide: %q", width, got, line)
				}
			}
		}
	}
}

func BenchmarkTable10000(b *testing.B) {
	for _, options := range []Options{{Width: 160}, {ShowAll: true, Width: 160}} {
		report := manyOutcomes(10000)
		b.Run(fmt.Sprintf("ShowAll=%t", options.ShowAll), func(b *testing.B) {
			for b.Loop() {
				if _, err := simulationTable(report, options); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkAuditTable10000(b *testing.B) {
	report := manyGuards(10000)
	for i := range report.Objects {
		report.Objects[i].Subresources = []audit.SubresourceGuard{{Name: "status", Add: audit.ProtectionAllowed, Edit: audit.ProtectionAllowed, Remove: audit.ProtectionAllowed}}
	}
	for b.Loop() {
		if _, err := auditTable(report, Options{Width: 160}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkJSON10000(b *testing.B) {
	report := manyOutcomes(10000)
	for b.Loop() {
		if _, err := printJSON(report, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
