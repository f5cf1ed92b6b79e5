package report

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/pkg/twwarp"
	"github.com/olekukonko/tablewriter/pkg/twwidth"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
)

const (
	columnGap = "  "
	// narrowest is the least width that the last column is wrapped to.
	narrowest = 40
)

// grid is a table as kubectl prints them: columns, no lines. Its cells are escaped already. The last
// column has the long text.
type grid struct {
	headers []string
	rows    [][]string
}

// render draws the table for a terminal's width: the last column is wrapped to the room that the others
// leave. Columns that find no room stand below each row.
func (g grid) render(options Options) ([]byte, error) {
	if len(g.rows) == 0 || options.SummaryOnly {
		return nil, nil
	}
	if options.Width == 0 {
		return g.draw(options)
	}
	last := len(g.headers) - 1
	room := options.Width - g.begins(last)
	if room < min(narrowest, g.widest(last)) {
		return g.drawBelow(options, g.fitting(options.Width))
	}
	for _, row := range g.rows {
		row[last] = strings.Join(wrapText(row[last], room), "\n")
	}
	return g.draw(options)
}

func (g grid) draw(options Options) ([]byte, error) {
	var b bytes.Buffer
	table := newTable(&b)
	if !options.NoHeaders {
		table.Header(g.headers)
	}
	if err := table.Bulk(g.rows); err != nil {
		return nil, fmt.Errorf("drawing the table: %w", err)
	}
	if err := table.Render(); err != nil {
		return nil, fmt.Errorf("drawing the table: %w", err)
	}
	return trimLines(b.Bytes()), nil
}

func newTable(b *bytes.Buffer) *tablewriter.Table {
	return tablewriter.NewTable(b,
		tablewriter.WithRenderer(renderer.NewBlueprint()),
		tablewriter.WithRendition(tw.Rendition{
			Borders:  tw.BorderNone,
			Symbols:  tw.NewSymbols(tw.StyleNone),
			Settings: tw.Settings{Separators: tw.SeparatorsNone, Lines: tw.LinesNone},
		}),
		tablewriter.WithHeaderAutoFormat(tw.Off),
		tablewriter.WithHeaderAlignment(tw.AlignLeft),
		tablewriter.WithRowAlignment(tw.AlignLeft),
		tablewriter.WithHeaderAutoWrap(tw.WrapNone),
		tablewriter.WithRowAutoWrap(tw.WrapNone),
		tablewriter.WithTrimSpace(tw.Off),
		tablewriter.WithPadding(tw.Padding{Right: columnGap, Overwrite: true}),
	)
}

// begins is how far to the right a column begins.
func (g grid) begins(column int) int {
	total := 0
	for left := range column {
		total += g.widest(left) + len(columnGap)
	}
	return total
}

func (g grid) widest(column int) int {
	widest := twwidth.Width(g.headers[column])
	for _, row := range g.rows {
		widest = max(widest, twwidth.Width(row[column]))
	}
	return widest
}

// wrapText breaks a text between words; 0 is as wide as it takes.
func wrapText(text string, width int) []string {
	if width <= 0 || twwidth.Width(text) <= width {
		return []string{text}
	}
	lines, _ := twwarp.WrapString(text, width)
	return lines
}

// trimLines takes out the blanks that fill up the last column, and the resets that tablewriter puts
// behind a coloured cell's own.
func trimLines(data []byte) []byte {
	data = bytes.ReplaceAll(data, []byte(columnGap+colorReset), []byte(columnGap))
	var b bytes.Buffer
	b.Grow(len(data))
	for line := range bytes.Lines(data) {
		b.Write(bytes.TrimRight(line, " \n"))
		b.WriteByte('\n')
	}
	return b.Bytes()
}
