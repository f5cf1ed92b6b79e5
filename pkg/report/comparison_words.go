package report

import (
	"cmp"
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/authorization"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/compare"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

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

var effectColors = map[compare.Effect]color{
	compare.Unknown: magenta, compare.NewlyAllowed: red, compare.NewlyBlocked: yellow, compare.NewlyStripped: yellow,
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
