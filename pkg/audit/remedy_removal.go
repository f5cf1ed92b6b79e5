package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// inTheChart is where the same is set by those who install the guard with the downscaler.
const inTheChart = "GoKubeDownscaler's Helm chart: annotationsCompliance"

// removalRemedy says how removals of some kinds are prevented: by a policy that does it for other kinds and lacks only a rule for
// these, else by a new one.
func (v *view) removalRemedy(ctx context.Context, kinds []*tally) (string, error) {
	byPolicy := map[policyName][]string{}
	var without []string
	for _, t := range kinds {
		name, found, err := v.lackingRule(ctx, t)
		switch {
		case err != nil:
			return "", err
		case found:
			byPolicy[name] = append(byPolicy[name], typeOf(t.kind))
		default:
			without = append(without, typeOf(t.kind))
		}
	}
	var parts []string
	for _, p := range v.policies {
		if resources := byPolicy[p.policyName]; len(resources) > 0 {
			parts = append(parts, fmt.Sprintf("Add %s to the resourceRules of %s %s, for UPDATE: it prevents other removals and lacks only the rule.",
				enumerate(resources), p.kind, p.name))
		}
	}
	if len(without) > 0 {
		parts = append(parts, fmt.Sprintf("Add a policy that refuses or restores removals for %s.", enumerate(without)))
	}
	text := strings.TrimSuffix(strings.Join(parts, " "), ".")
	return text + " (" + inTheChart + preventRemoval(kinds) + ", beside enabled).", nil
}

// preventRemoval is the chart's setting for the scopes of some kinds.
func preventRemoval(kinds []*tally) string {
	var scopes []string
	if slices.ContainsFunc(kinds, func(t *tally) bool { return !isNamespace(t.kind) }) {
		scopes = append(scopes, ".onWorkloads.preventRemoval")
	}
	if slices.ContainsFunc(kinds, func(t *tally) bool { return isNamespace(t.kind) }) {
		scopes = append(scopes, ".onNamespace.preventRemoval")
	}
	return enumerate(scopes)
}
