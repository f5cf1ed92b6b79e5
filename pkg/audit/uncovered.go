package audit

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"k8s.io/apiserver/pkg/admission"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/downscaler"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// uncovered is what passes by one cause.
type uncovered struct {
	cause
	// objects are how many there are of a kind on which changes pass that pass as they are.
	objects map[string]map[Column]int
	shown   *example
	// likes are changes that pass and differ from prevented ones in what is named; kinds are those of their objects.
	likes []passing
	kinds map[string]bool
}

// uncoveredBy are all of them, by clause.
type uncoveredBy map[string]*uncovered

func (u uncoveredBy) of(c cause) *uncovered {
	key := fmt.Sprint(c.subject, c.why)
	if u[key] == nil {
		u[key] = &uncovered{cause: c, objects: map[string]map[Column]int{}, kinds: map[string]bool{}}
	}
	return u[key]
}

// add counts the objects of a kind that one sort of change passes on.
func (u *uncovered) add(t *tally, column Column, objects int, shown example) {
	if u.objects[typeOf(t.kind)] == nil {
		u.objects[typeOf(t.kind)] = map[Column]int{}
	}
	u.objects[typeOf(t.kind)][column] += objects
	u.shown = lesser(u.shown, &shown)
}

// like adds a change that differs from a prevented one, and the kinds that it passes on as well.
func (u *uncovered) like(ctx context.Context, v *view, p passing) {
	first := !slices.ContainsFunc(u.likes, func(other passing) bool { return other.Column == p.Column })
	u.likes = append(u.likes, p)
	u.kinds[typeOf(p.Object.Kind)] = true
	if !first || p.named {
		return
	}
	for _, key := range v.stopKeys() {
		s := v.gathered.stops[key]
		if key.column != p.Column || key.by != fmt.Sprint(policiesOf(p.stop.acting)) || u.kinds[key.kind] {
			continue
		}
		for _, probe := range further(s) {
			if probe.Key != p.Key || probe.Change.Set[p.Key] != p.Change.Set[p.Key] {
				continue
			}
			t := v.trier("")
			if one := t.tryProbe(ctx, probe, &controls{trier: t, object: s.object}); passes(one.protection) && len(one.orders) == 0 {
				u.kinds[key.kind] = true
			}
		}
	}
}

// what says of how many objects what is stored.
func (u *uncovered) what() string {
	columns := map[Column]bool{}
	var kinds []string
	for _, kind := range slices.Sorted(maps.Keys(u.objects)) {
		most := 0
		for column, n := range u.objects[kind] {
			columns[column] = true
			most = max(most, n)
		}
		kinds = append(kinds, fmt.Sprintf("%s (%d)", kind, most))
	}
	return fmt.Sprintf("%s pass on %s", changesIn(columns), enumerate(kinds))
}

// whatElse says by what changes that pass differ from those that are prevented.
func (u *uncovered) whatElse(partly map[like]bool) string {
	columns := map[Column]bool{}
	var list []string
	for _, p := range u.likes {
		columns[p.Column] = true
		text := p.Key
		switch {
		case p.named:
			text = "the name " + p.Object.Meta().GetName()
		case p.Column != ColumnRemove && partly[like{p.Column, p.Key}]:
			text += "=" + p.Change.Set[p.Key]
		}
		if !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	return fmt.Sprintf("%s on %s with %s", changesIn(columns), enumerate(slices.Sorted(maps.Keys(u.kinds))), enumerate(list))
}

func changesIn(columns map[Column]bool) string {
	var list []string
	for _, column := range Columns() {
		switch {
		case columns[column] && column == ColumnCreate:
			list = append(list, "creations with an annotation")
		case columns[column]:
			list = append(list, changesOf[column])
		}
	}
	return enumerate(list)
}

// bestLike is the one that a command can repeat, and of these the first.
func (u *uncovered) bestLike() passing {
	return slices.MinFunc(u.likes, func(a, b passing) int { return exampleOf(a.tried).compare(exampleOf(b.tried)) })
}

func (u *uncovered) severity() Severity {
	bookkeeping := !slices.ContainsFunc(u.likes, func(p passing) bool { return p.named || p.Key != downscaler.OriginalReplicas })
	if u.by() == "namespaceSelector" || len(u.objects) == 0 && bookkeeping {
		return Medium
	}
	return High
}

// finding tells of it.
func (u *uncovered) finding(ctx context.Context, v *view, partly map[like]bool) Finding {
	f := Finding{Severity: u.severity(), Subject: u.subject, Remedy: u.remedy, Distinct: u.distinct, Reach: ofKinds(slices.AppendSeq(slices.Collect(maps.Keys(u.objects)), maps.Keys(u.kinds)))}
	if len(u.objects) > 0 {
		f.Evidence = v.evidence(*u.shown, "")
		f.Message = fmt.Sprintf("An ordinary user's %s, since %s. For example %s.", u.what(), u.why, *u.shown)
	}
	if len(u.likes) == 0 {
		return f
	}
	best := u.bestLike()
	if len(u.objects) > 0 {
		f.Message += fmt.Sprintf(" So do %s.", u.whatElse(partly))
	} else {
		f.Message = fmt.Sprintf("An ordinary user's %s pass, since %s.", u.whatElse(partly), u.why)
	}
	if len(u.objects) == 0 || u.shown.onCopy() {
		f.Evidence = v.likeEvidence(ctx, best)
	}
	f.Message += fmt.Sprintf(" For example %s passes, and %s is prevented.", best, exampleOf(best.stop.tried))
	return f
}

// String names the change with its value.
func (p passing) String() string {
	text := exampleOf(p.tried).String()
	if value, set := p.Change.Set[p.Key]; set {
		text += fmt.Sprintf(" with the value %q", value)
	}
	return text
}

// likeEvidence is the command that makes such a change; of a creation under another name that of a made-up object, as far as it passes, too.
func (v *view) likeEvidence(ctx context.Context, p passing) string {
	e := exampleOf(p.tried)
	if !p.named {
		return v.evidence(e, "")
	}
	made := bare(p.Object)
	made.Meta().SetName(p.Object.Meta().GetName())
	p.Change.ApplyTo(made.Meta())
	r, err := request.Annotate(OrdinaryUser(), made, request.Change{}, request.Options{Operation: admission.Create})
	if err != nil || slices.Contains(v.flags, "-") || !keeps(v.simulator.Run(ctx, r, simulate.Options{}), p.Key) {
		return v.auditCommand(OrdinaryUser(), e)
	}
	return v.sending(made)
}
