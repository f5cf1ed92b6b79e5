// Package report turns results into bytes: tables for people, and JSON, YAML, names and templates for
// scripts. Each kind of report has its Formats; a command parses its --output flags with them and
// writes the report to every output named:
//
//	outputs, err := report.Simulation.ParseOutputs([]string{"table", "json=result.json"})
//	…
//	err = outputs.Write(os.Stdout, result, report.Options{Width: 120})
//
// A further format is one file with a Printer and one line in the Formats of the reports that have it.
//
// Tables, wide and names show text from a cluster with everything that could move a terminal's cursor or
// hide something from the eye escaped. JSON and YAML escape the same characters as their syntax has
// it, so that a reader gets exactly the data. Templates give exact data, too, except on a terminal.
package report
