package chart

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
)

// requesterConditions ask about nothing but the requester: what a condition reads of the object, whoever writes the object decides.
func (v *Values) requesterConditions(r Release, s scope) []admissionregistrationv1.MatchCondition {
	exempt := []string{v.downscaler(r)}
	if v.WebhookEnabled {
		exempt = append(exempt, v.webhook(r))
	}
	exempt = append(exempt, s.exempt...)
	conditions := []admissionregistrationv1.MatchCondition{{Name: "not-the-downscaler", Expression: "!(request.userInfo.username in [" + strings.Join(quoted(exempt), ", ") + "])"}}
	for i, part := range inParts(slices.Concat(v.Compliance.ServiceAccounts, v.Compliance.Users)) {
		conditions = append(conditions, admissionregistrationv1.MatchCondition{
			Name: numbered("not-an-authorized-user", i), Expression: "!(" + anyMatches("request.userInfo.username", part) + ")",
		})
	}
	for i, part := range inParts(v.Compliance.Groups) {
		conditions = append(conditions, admissionregistrationv1.MatchCondition{
			Name:       numbered("not-in-an-authorized-group", i),
			Expression: "!request.userInfo.?groups.orValue([]).exists(group,\n  " + anyMatches("group", part) + ")",
		})
	}
	return conditions
}

// inParts divides patterns among conditions: an expression must not become too long, and has a cost limit of its own. There are
// at most 31 parts, so that users' and groups' together stay below maxConditions.
func inParts(patterns []Pattern) [][]Pattern {
	total, length := 0, 0
	for _, p := range patterns {
		total += quotedLength(p.Whole)
	}
	limit := max(4_000, total/15)
	var parts [][]Pattern
	for _, p := range patterns {
		if p.Lost {
			continue
		}
		if length += quotedLength(p.Whole); len(parts) == 0 || length > limit {
			parts, length = append(parts, nil), quotedLength(p.Whole)
		}
		parts[len(parts)-1] = append(parts[len(parts)-1], p)
	}
	return parts
}

func numbered(name string, i int) string {
	if i == 0 {
		return name
	}
	return fmt.Sprintf("%s-%d", name, i+1)
}

// anyMatches says that a text matches one of the patterns, from its beginning to its end.
func anyMatches(text string, patterns []Pattern) string {
	var all []string
	for _, p := range patterns {
		all = append(all, text+".matches("+strconv.Quote(p.Whole)+")")
	}
	return strings.Join(all, " ||\n  ")
}

func quoted(texts []string) []string {
	var all []string
	for _, text := range texts {
		all = append(all, strconv.Quote(text))
	}
	return all
}
