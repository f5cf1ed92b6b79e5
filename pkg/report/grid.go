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
	// belowIndent leads the last column's text where it stands below its row.
	belowIndent = "  "
)

// grid is a table as kubectl prints them: columns, no lines. Its cells are escaped already. The last
// column has the long text.
type grid struct {
	headers []string
	rows    [][]string
}

// render draws the table for a terminal's width: the last column is wrapped to the room that the others
// leave, or stands below each row where they leave too little.
func (g grid) render(options Options) ([]byte, error) {
	if len(g.rows) == 0 {
		return nil, nil
	}
	if options.Width == 0 {
		return g.draw(options)
	}
	room := options.Width - g.widthWithoutLast()
	if room < narrowest {
		return g.drawBelow(options)
	}
	last := len(g.headers) - 1
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

// drawBelow draws the table without its last column and puts that column's text below each row.
func (g grid) drawBelow(options Options) ([]byte, error) {
	last := len(g.headers) - 1
	left := grid{headers: g.headers[:last]}
	var below []string
	if !options.NoHeaders {
		below = append(below, "")
	}
	for _, row := range g.rows {
		left.rows = append(left.rows, row[:last])
		below = append(below, row[last])
	}
	data, err := left.draw(options)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	for line := range bytes.Lines(data) {
		b.Write(line)
		if text := below[0]; text != "" && text != none {
			b.WriteString(indented(belowIndent, text, options.Width))
		}
		below = below[1:]
	}
	return b.Bytes(), nil
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

// widthWithoutLast is how far to the right the last column begins.
func (g grid) widthWithoutLast() int {
	total := 0
	for column := range len(g.headers) - 1 {
		widest := twwidth.Width(g.headers[column])
		for _, row := range g.rows {
			widest = max(widest, twwidth.Width(row[column]))
		}
		total += widest + len(columnGap)
	}
	return total
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
