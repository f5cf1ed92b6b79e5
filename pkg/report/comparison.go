package report

import (
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/compare"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// Comparison are the formats of comparisons.
var Comparison = append(Formats[*compare.Report]{
	{Name: "table", Print: comparisonTable},
	{Name: "wide", Print: comparisonWide},
	{Name: "name", Print: comparisonNames, Unexplained: true},
}, dataFormats[*compare.Report]()...)

// comparisonTable shows what changes: requests of which the same comes share a row, and so do requesters.
func comparisonTable(report *compare.Report, options Options) ([]byte, error) {
	return comparisonDocument(report, comparisonStyle{Options: options, keys: keysOf(report) <= few, name: shortName}, options)
}

// comparisonWide has a row for each requester, with the keys and the bindings.
func comparisonWide(report *compare.Report, options Options) ([]byte, error) {
	return comparisonDocument(report, comparisonStyle{Options: options, keys: true, wide: true, name: fullName}, options)
}

// few is how many things of a kind are named one by one.
const few = 3

func keysOf(report *compare.Report) int {
	keys := map[string]bool{}
	for _, c := range report.Changes {
		keys[c.Key] = true
	}
	return len(keys)
}

func comparisonDocument(report *compare.Report, style comparisonStyle, options Options) ([]byte, error) {
	table := objectTable{headers: []string{"REQUESTER", "CHANGE", "TODAY", "TOMORROW"}, name: style.name}
	for _, row := range style.rows(report.Changes) {
		first := row.changes[0]
		table.rows = append(table.rows, objectRow{
			ref: first.Object, subresource: first.Subresource,
			cells: []string{style.requesters(row.requesters), style.asked(row.changes), style.side(first.Today, ""), style.side(first.Tomorrow, first.Effect)},
		})
	}
	rows, err := table.render(options)
	if err != nil {
		return nil, err
	}
	requesters, err := comparisonRequesters(report, options)
	if err != nil {
		return nil, err
	}
	return document(notes(report.Incomplete, report.Assumptions, options), comparisonSummary(report, options), string(rows), string(requesters)), nil
}

// comparisonNames lists the objects that would change, or of which that is not known.
func comparisonNames(report *compare.Report, _ Options) ([]byte, error) {
	var refs []simulate.ObjectRef
	for _, c := range report.Changes {
		refs = append(refs, c.Object)
	}
	return names(refs), nil
}
