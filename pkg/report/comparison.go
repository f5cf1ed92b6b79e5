package report

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/authorization"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/compare"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// Comparison are the formats of comparisons.
var Comparison = append(Formats[*compare.Report]{
	{Name: "table", Print: comparisonTable},
	{Name: "wide", Print: comparisonWide},
	{Name: "name", Print: comparisonNames, Unexplained: true},
}, dataFormats[*compare.Report]()...)

// urgency is the order in which changes are shown: what is not known, what breaks, what leaks, and what changes only its form.
func urgency(c compare.Change) int {
	switch {
	case c.Effect == compare.Unknown:
		return 0
	case c.Loses():
		return 1
	case c.Gains():
		return 2
	case c.Effect == compare.Otherwise:
		return 4
	}
	return 3
}

var effectColors = map[compare.Effect]color{
	compare.Unknown: magenta, compare.NewlyAllowed: red, compare.NewlyBlocked: yellow, compare.NewlyStripped: yellow,
}

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
	var b bytes.Buffer
	b.Write(rows)
	b.Write(requesters)
	b.WriteString(notes(report.Incomplete, report.Assumptions, options))
	if b.Len() > 0 {
		b.WriteByte('\n')
	}
	b.WriteString(comparisonSummary(report, options))
	return bytes.TrimLeft(b.Bytes(), "\n"), nil
}

// comparisonRow are changes of one object through which the same becomes of the requests of some requesters.
type comparisonRow struct {
	changes    []compare.Change
	requesters []authorization.Subject
}

type comparisonStyle struct {
	Options
	keys bool // each annotation's
	wide bool
	name func(simulate.ObjectRef) string
}

// rows puts together the changes of one object that are alike, the most alarming first: for all their requesters, or for each.
func (s comparisonStyle) rows(changes []compare.Change) []comparisonRow {
	type alike struct {
		object                                   simulate.ObjectRef
		subresource, today, tomorrow, requesters string
	}
	var rows []comparisonRow
	at := map[alike]int{}
	for _, c := range changes {
		for _, requesters := range s.together(c.Requesters) {
			key := alike{c.Object, c.Subresource, s.side(c.Today, ""), s.side(c.Tomorrow, ""), fmt.Sprint(requesters)}
			i, found := at[key]
			if !found {
				i = len(rows)
				at[key] = i
				rows = append(rows, comparisonRow{requesters: requesters})
			}
			rows[i].changes = append(rows[i].changes, c)
		}
	}
	slices.SortStableFunc(rows, func(a, b comparisonRow) int {
		return cmp.Compare(urgency(a.changes[0]), urgency(b.changes[0]))
	})
	return rows
}

// together are the requesters that share a row.
func (s comparisonStyle) together(requesters []authorization.Subject) [][]authorization.Subject {
	if !s.wide && !s.ShowAll {
		return [][]authorization.Subject{requesters}
	}
	var each [][]authorization.Subject
	for _, who := range requesters {
		each = append(each, []authorization.Subject{who})
	}
	return each
}

// requesters names as many as there is room for, and else counts them.
func (s comparisonStyle) requesters(list []authorization.Subject) string {
	names := subjectNames(list, few)
	if len(list) > 1 && (len(list) > few || len(names) > narrowest) {
		return "(" + subjectCounts(list) + ")"
	}
	return names
}

// subjectCounts counts requesters by kind: 2 users, 3 groups, 1 service account.
func subjectCounts(list []authorization.Subject) string {
	counts := map[string]int{}
	for _, subject := range list {
		counts[subject.Kind]++
	}
	var words []string
	for _, kind := range []struct{ name, one, many string }{
		{rbacv1.UserKind, "user", "users"}, {rbacv1.GroupKind, "group", "groups"}, {rbacv1.ServiceAccountKind, "service account", "service accounts"},
	} {
		if counts[kind.name] > 0 {
			words = append(words, count(counts[kind.name], kind.one, kind.many))
		}
	}
	return strings.Join(words, ", ")
}

// asked says what the requests ask: create, add, edit downscaler/exclude.
func (s comparisonStyle) asked(changes []compare.Change) string {
	var verbs, keys []string
	for _, c := range changes {
		if verb := askedWord(c); !slices.Contains(verbs, verb) {
			verbs = append(verbs, verb)
		}
		if key := escape(c.Key); key != "" && !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	slices.SortFunc(verbs, func(a, b string) int { return cmp.Compare(slices.Index(askedWords, a), slices.Index(askedWords, b)) })
	slices.Sort(keys)
	text := strings.Join(verbs, ", ")
	if s.keys && len(keys) > 0 {
		text += " " + strings.Join(keys, ", ")
	}
	return text
}

const (
	askedAsAWhole = "any other update"
	askedCreation = "create without any"
	askedNothing  = "leave alone"
)

// askedWords are in the order in which they are listed.
var askedWords = []string{"create", "add", "edit", "remove", "delete", askedCreation, askedAsAWhole, askedNothing}

func askedWord(c compare.Change) string {
	switch {
	case c.Operation == "CREATE" && c.Key == "":
		return askedCreation
	case c.Operation == "CREATE":
		return "create"
	case c.Operation == "DELETE":
		return "delete"
	case c.Key == "":
		return askedAsAWhole
	}
	switch c.Asked {
	case simulate.Added:
		return "add"
	case simulate.Edited:
		return "edit"
	case simulate.Removed:
		return "remove"
	}
	return askedNothing
}

// side says what comes of a request and through which policies: blocked by guard.
func (s comparisonStyle) side(side compare.Side, effect compare.Effect) string {
	word := s.paint(effectColors[effect], resultWord(side.Result))
	var names []string
	for _, by := range side.By {
		name := escape(by.Policy)
		if s.wide && by.Binding != "" {
			name += " (binding " + escape(by.Binding) + ")"
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return word
	}
	return word + " by " + firstOf(names, few, ", ")
}

func resultWord(result compare.Result) string {
	if result == compare.ResultAddedByPolicy {
		return "added"
	}
	return escape(strings.ToLower(string(result)))
}

// comparisonNames lists the objects that would change, or of which that is not known.
func comparisonNames(report *compare.Report, _ Options) ([]byte, error) {
	var refs []simulate.ObjectRef
	for _, c := range report.Changes {
		refs = append(refs, c.Object)
	}
	return names(refs), nil
}
