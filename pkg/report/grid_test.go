package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/olekukonko/tablewriter/pkg/twwidth"
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

func BenchmarkJSON10000(b *testing.B) {
	report := manyOutcomes(10000)
	for b.Loop() {
		if _, err := printJSON(report, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
