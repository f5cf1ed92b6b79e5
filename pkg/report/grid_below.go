package report

import (
	"bytes"
	"strings"
)

// belowIndent leads what stands below a row.
const belowIndent = "  "

// fitting is how many columns a width has room for; the first two always stay.
func (g grid) fitting(width int) int {
	columns := len(g.headers) - 1
	for columns > 2 && g.begins(columns)-len(columnGap) > width {
		columns--
	}
	return columns
}

// drawBelow draws the first few columns, and the text of the others below each row.
func (g grid) drawBelow(options Options, columns int) ([]byte, error) {
	left := grid{headers: g.headers[:columns]}
	var below [][]string
	if !options.NoHeaders {
		below = append(below, nil)
	}
	for _, row := range g.rows {
		left.rows = append(left.rows, row[:columns])
		below = append(below, g.textBelow(row, columns))
	}
	data, err := left.draw(options)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	for line := range bytes.Lines(data) {
		b.Write(line)
		for _, text := range below[0] {
			b.WriteString(indented(belowIndent, text, options.Width))
		}
		below = below[1:]
	}
	return b.Bytes(), nil
}

// textBelow is the last column's long text, and before it the other columns in one line. Where there are several columns,
// each is named.
func (g grid) textBelow(row []string, columns int) []string {
	last := len(g.headers) - 1
	var short, lines []string
	for column := columns; column < last; column++ {
		if row[column] != "" && row[column] != none {
			short = append(short, g.named(column, row))
		}
	}
	if len(short) > 0 {
		lines = append(lines, strings.Join(short, "; "))
	}
	switch text := row[last]; {
	case text == "" || text == none:
	case columns < last:
		lines = append(lines, g.named(last, row))
	default:
		lines = append(lines, text)
	}
	return lines
}

func (g grid) named(column int, row []string) string {
	return strings.ToLower(g.headers[column]) + ": " + row[column]
}
