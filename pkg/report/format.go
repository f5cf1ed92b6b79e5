package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/audit"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// Options say how a report is shown. Color, Width and Terminal describe standard output and don't
// apply to files.
type Options struct {
	ShowAll   bool // every row, nothing folded; for names every object
	NoHeaders bool // tables without their header line
	Explain   bool // simulations: every step behind every object that the table shows
	Color     bool // tables may use colour
	Width     int  // columns of the terminal, 0 for as many as it takes
	Terminal  bool // templates escape what could move the cursor

	// FindingsOnly leaves the objects out of an audit's table: its findings were asked for. ShowAll brings them back.
	FindingsOnly bool
	// SummaryOnly leaves everything out of tables but what was not looked at and the last lines: what was asked for goes to files.
	SummaryOnly bool

	// FailOn is the severity from which on a finding fails the run, in formats that tell failures from remarks; empty for every one.
	FailOn audit.Severity
	// Version is this program's, for formats that name it.
	Version string
}

// Printer turns one kind of report into bytes.
type Printer[R any] func(report R, options Options) ([]byte, error)

// Format is one way to print one kind of report. It has either Print or Template.
type Format[R any] struct {
	Name  string
	Print Printer[R]
	// Template makes a printer from what follows "NAME=" on the command line, for formats where that
	// is not a file to write to.
	Template func(text string) (Printer[R], error)
	// Unexplained is true for formats that have no place for the steps behind an outcome.
	Unexplained bool
}

// Formats are the formats of one kind of report. The first is the default.
type Formats[R any] []Format[R]

// Simulation are the formats of simulations.
var Simulation = append(Formats[*simulate.Report]{
	{Name: "table", Print: simulationTable},
	{Name: "wide", Print: simulationWide},
	{Name: "name", Print: simulationNames, Unexplained: true},
	{Name: "junit", Print: simulationJUnit, Unexplained: true},
	{Name: "markdown", Print: simulationMarkdown, Unexplained: true},
}, dataFormats[*simulate.Report]()...)

// Audit are the formats of audits.
var Audit = append(Formats[*audit.Report]{
	{Name: "table", Print: auditTable},
	{Name: "wide", Print: auditWide},
	{Name: "name", Print: auditNames, Unexplained: true},
	{Name: "sarif", Print: auditSARIF},
	{Name: "junit", Print: auditJUnit},
	{Name: "markdown", Print: auditMarkdown},
	{Name: "openreports", Print: auditOpenReports},
}, dataFormats[*audit.Report]()...)

// dataFormats are the formats that any report has.
func dataFormats[R any]() Formats[R] {
	return Formats[R]{
		{Name: "json", Print: printJSON[R]},
		{Name: "yaml", Print: printYAML[R]},
		{Name: "jsonpath", Template: jsonPath[R]},
		{Name: "jsonpath-as-json", Template: jsonPathAsJSON[R]},
		{Name: "jsonpath-file", Template: fromFile(jsonPath[R])},
		{Name: "go-template", Template: goTemplate[R]},
		{Name: "go-template-file", Template: fromFile(goTemplate[R])},
	}
}

// Names lists the formats as help texts and completion show them: those that take a template end in "=".
func (f Formats[R]) Names() []string {
	names := make([]string, 0, len(f))
	for _, format := range f {
		name := format.Name
		if format.Template != nil {
			name += "="
		}
		names = append(names, name)
	}
	return names
}

func (f Formats[R]) find(name string) (Format[R], error) {
	i := slices.IndexFunc(f, func(format Format[R]) bool { return format.Name == strings.ToLower(name) })
	if i < 0 {
		return Format[R]{}, fmt.Errorf("unknown output format %q: use one of %s", name, strings.Join(f.Names(), ", "))
	}
	return f[i], nil
}
