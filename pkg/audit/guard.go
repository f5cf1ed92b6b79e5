package audit

import "slices"

// strengths is the order in which the weakest result of a column counts. Unknown comes behind Warned: an edit that
// passes with a warning is not prevented, whatever else could not be found out; and before what prevents: something unknown
// may be a hole.
var strengths = []Protection{
	ProtectionAllowed, ProtectionAudited, ProtectionWarned, ProtectionUnknown,
	ProtectionBlocked, ProtectionStripped, ProtectionReverted, ProtectionRestored,
}

// Prevents says whether a change that comes to this does not happen.
func (p Protection) Prevents() bool {
	switch p {
	case ProtectionBlocked, ProtectionStripped, ProtectionReverted, ProtectionRestored:
		return true
	}
	return false
}

// Of returns one column.
func (g Guard) Of(column Column) Protection { return *g.column(column) }

func (g *Guard) column(column Column) *Protection {
	switch column {
	case ColumnCreate:
		return &g.Create
	case ColumnAdd:
		return &g.Add
	case ColumnEdit:
		return &g.Edit
	}
	return &g.Remove
}

// guardOf puts the weakest result into each column; one that was not tried is empty.
func guardOf(all []tried) Guard {
	var g Guard
	for _, t := range all {
		column := g.column(t.Column)
		if *column == "" || slices.Index(strengths, t.protection) < slices.Index(strengths, *column) {
			*column = t.protection
		}
	}
	return g
}

// Level is how much of an object's annotations is guarded, in one word.
type Level string

// The levels. Full: all four kinds of change are prevented; None: none is. Whatever could not be found out makes it Unknown.
const (
	LevelNone    Level = "none"
	LevelUnknown Level = "unknown"
	LevelPartial Level = "partial"
	LevelFull    Level = "full"
)

// Level sums the guard up.
func (g Guard) Level() Level {
	prevented := 0
	for _, column := range Columns() {
		switch p := g.Of(column); {
		case p == ProtectionUnknown:
			return LevelUnknown
		case p.Prevents():
			prevented++
		}
	}
	switch prevented {
	case 0:
		return LevelNone
	case len(Columns()):
		return LevelFull
	}
	return LevelPartial
}

// count adds one object.
func (g *Guarded) count(guard Guard) {
	switch guard.Level() {
	case LevelNone:
		g.None++
	case LevelUnknown:
		g.Unknown++
	case LevelPartial:
		g.Partial++
	case LevelFull:
		g.Full++
	}
}
