package chart

import (
	"fmt"
	"strconv"
	"strings"
)

// party is somebody whom a policy exempts: the name of its matchCondition, and an expression that is true of everybody else.
type party struct{ condition, isNot string }

// parties are those of a release in the chart's order: the webhook, the downscaler, and who is authorised by a pattern.
func (v *Values) parties(r Release) []party {
	all := []party{
		{"kube-downscaler-webhook-sa", "request.userInfo.username != " + strconv.Quote(v.webhook(r))},
		{"kube-downscaler-sa", "request.userInfo.username != " + strconv.Quote(v.downscaler(r))},
	}
	for i, p := range v.Compliance.ServiceAccounts {
		all = append(all, party{fmt.Sprintf("authorized-sa-pattern-%d", i+1), notUser(p)})
	}
	for i, p := range v.Compliance.Users {
		all = append(all, party{fmt.Sprintf("authorized-user-pattern-%d", i), notUser(p)})
	}
	for i, p := range v.Compliance.Groups {
		all = append(all, party{fmt.Sprintf("authorized-group-pattern-%d", i), notGroup(p)})
	}
	return all
}

func notUser(p Pattern) string {
	if p.Lost && !p.Escapes {
		return "true"
	}
	return "!request.userInfo.username.matches(" + p.literal() + ")"
}

func notGroup(p Pattern) string {
	if p.Lost && !p.Escapes {
		return "true"
	}
	return "!request.userInfo.groups.exists(group, group.matches(" + p.literal() + "))"
}

// literal is the pattern as a CEL string, and as the chart writes it where a quote of its own closes that.
func (p Pattern) literal() string {
	if p.Escapes {
		return `"` + strings.ReplaceAll(p.Written, "''", "'") + `"`
	}
	return strconv.Quote(p.Regex)
}
