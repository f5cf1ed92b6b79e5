package audit

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/downscaler"
)

// Rules lists the rules in the order of the catalogue.
func Rules() []Rule { return described(rules) }

// RuleNamed finds a rule by its id.
func RuleNamed(id string) (Rule, error) {
	i := slices.IndexFunc(rules, func(r rule) bool { return r.ID == id })
	if i < 0 {
		return Rule{}, noSuchRule(id)
	}
	return rules[i].Rule, nil
}

// noSuchRule names the rules that were most likely meant, and the command that lists them all.
func noSuchRule(id string) error {
	if strings.ContainsFunc(id, unicode.IsSpace) {
		return fmt.Errorf("there is no rule %q; several ids are separated by commas, without spaces", id)
	}
	ids := make([]string, len(rules))
	for i, r := range rules {
		ids[i] = r.ID
	}
	near := slices.DeleteFunc(slices.Clone(ids), func(other string) bool { return len(id) < 4 || !strings.Contains(other, strings.ToLower(id)) })
	if nearest := downscaler.NearestOf(id, ids); nearest != "" {
		near = []string{nearest}
	}
	if len(near) > 0 {
		return fmt.Errorf("there is no rule %q; did you mean %s?", id, strings.Join(near, " or "))
	}
	return fmt.Errorf("there is no rule %q; %s audit --explain-rule list lists them", id, command)
}

// chosen are the rules with these ids in the catalogue's order; all of them where no id is given.
func chosen(ids []string) ([]rule, error) {
	for _, id := range ids {
		if _, err := RuleNamed(id); err != nil {
			return nil, err
		}
	}
	if len(ids) == 0 {
		return rules, nil
	}
	return slices.DeleteFunc(slices.Clone(rules), func(r rule) bool { return !slices.Contains(ids, r.ID) }), nil
}

// skipped are the ids of the rules that are not applied.
func (a *auditor) skipped() []string {
	var ids []string
	for _, r := range rules {
		if !slices.ContainsFunc(a.rules, func(other rule) bool { return other.ID == r.ID }) {
			ids = append(ids, r.ID)
		}
	}
	return ids
}

func described(rules []rule) []Rule {
	list := make([]Rule, len(rules))
	for i, r := range rules {
		list[i] = r.Rule
	}
	return list
}
