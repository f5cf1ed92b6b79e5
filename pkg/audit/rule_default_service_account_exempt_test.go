package audit

import (
	"strings"
	"testing"
)

func TestDefaultServiceAccountExempt(t *testing.T) {
	for _, expression := range []string{
		`request.userInfo.username == "system:serviceaccount:ci:default"`,
		userMatching("^system:serviceaccount:ci:default$"),
		userMatching("^system:serviceaccount:ci:(deployer|default)$"),
		`request.userInfo.username in ["user1", "system:serviceaccount:ci:default"]`,
	} {
		t.Run(expression, func(t *testing.T) {
			f := one(t, auditOf(t, exempting(expression), teamA, deployment("team-a", "web", "")), "default-service-account-exempt",
				"simulate as-user system:serviceaccount:ci:default deployments.apps/web -n team-a --set downscaler/exclude=true")
			if f.Severity != Medium || f.Subject.Field != "spec.matchConditions[0].expression" || !strings.Contains(f.Message, "lets the account default of namespace ci through") {
				t.Errorf("%+v", f)
			}
		})
	}
}

// Where the pattern leaves the namespace open, it is those that there are; and where there is none, it is not told of one that nobody has.
func TestDefaultServiceAccountExemptOpenNamespace(t *testing.T) {
	guard := exempting(userMatching("^system:serviceaccount:team-[a-z]+:default$"))
	f := one(t, auditOf(t, guard, teamA, deployment("team-a", "web", "")), "default-service-account-exempt", "as-user system:serviceaccount:team-a:default")
	if !strings.Contains(f.Message, "of namespace team-a through") || !strings.Contains(f.Remedy, "in team-a") {
		t.Errorf("%+v", f)
	}
	f = one(t, auditOf(t, exempting(userMatching("^system:serviceaccount:ci-[0-9]+:default$")), teamA, deployment("team-a", "web", "")), "default-service-account-exempt", "as-user system:serviceaccount:ci-0:default")
	if !strings.Contains(f.Message, "There is none yet") || strings.Contains(f.Remedy, "ci-0") {
		t.Errorf("%+v", f)
	}
}

func TestDefaultServiceAccountExemptSilent(t *testing.T) {
	other := exempting("false")
	other.name = "h"
	const isDefault = `request.userInfo.username == "system:serviceaccount:ci:default"`
	for name, manifests := range map[string][]any{
		"hardened":                {hardened(t)},
		"the chart's":             {rendered(t, false)},
		"another account":         {exempting(userMatching("^system:serviceaccount:ci:default-deployer$"))},
		"every default account":   {exempting(userMatching("^system:serviceaccount:.*:default"))},
		"a user":                  {exempting(`request.userInfo.username == "default"`)},
		"every account there":     {exempting(userMatching("^system:serviceaccount:ci:"))},
		"everyone else":           {exempting(`request.userInfo.username != "system:serviceaccount:ci:default"`)},
		"another policy stops it": {exempting(isDefault), other},
		"together with a group":   {exempting(isDefault + ` && !("system:serviceaccounts:ci" in request.userInfo.groups)`)},
	} {
		t.Run(name, func(t *testing.T) {
			silent(t, auditOf(t, append(manifests, teamA, deployment("team-a", "web", ""))...), "default-service-account-exempt")
		})
	}
}
