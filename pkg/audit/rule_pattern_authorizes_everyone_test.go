package audit

import (
	"strings"
	"testing"
)

func TestPatternAuthorizesEveryone(t *testing.T) {
	const everyone, accounts, defaults = "everyone who is logged in", "every service account", `the account "default" of every namespace`
	for expression, test := range map[string]struct{ who, evidence string }{
		userMatching(""):         {everyone, "as-user nobody@ordinary.invalid"},
		userMatching(".*"):       {everyone, "as-user nobody@ordinary.invalid"},
		groupMatching("system:"): {everyone, "as-user nobody@ordinary.invalid"},
		`"system:authenticated" in request.userInfo.groups`:                {everyone, "as-user nobody@ordinary.invalid"},
		`request.userInfo.username.contains("")`:                           {everyone, "as-user nobody@ordinary.invalid"},
		userMatching("system:"):                                            {accounts, "as-user system:serviceaccount:team-a:default"},
		userMatching("^system:serviceaccount:.*:"):                         {accounts, "as-user system:serviceaccount:team-a:default"},
		`request.userInfo.groups.exists(g, g == "system:serviceaccounts")`: {accounts, "as-user system:serviceaccount:team-a:default"},
		userMatching("^system:serviceaccount:.*:default"):                  {defaults, "as-user system:serviceaccount:team-a:default"},
		`request.userInfo.username.endsWith(":default")`:                   {defaults, "as-user system:serviceaccount:team-a:default"},
		// Patterns that go by the shape of names.
		userMatching("^system:serviceaccount:[a-z-]+:default$"):            {defaults + " whose name is of letters and dashes", "as-user system:serviceaccount:team-a:default"},
		userMatching("^system:serviceaccount:[a-z]+:default$"):             {defaults + " whose name is of letters", "as-user system:serviceaccount:qvbzk:default"},
		userMatching("^system:serviceaccount:[^0-9]*:[^0-9]*$"):            {accounts + " whose namespace and name are of letters and dashes", "as-user system:serviceaccount:team-a:default"},
		userMatching("^system:serviceaccount:[a-z0-9-]+:[a-z0-9-]{1,12}$"): {accounts + " whose namespace and name are of letters, digits and dashes", "as-user system:serviceaccount:team-a:default"},
		userMatching("^[a-z]+$"):                                           {"every user whose name is of letters", "as-user qvbzk"},
		userMatching("^[0-9]+$"):                                           {"every user whose name is of digits", "as-user 70319"},
		userMatching("^[a-z]{30,}$"):                                       {"every user whose name is of many letters", "as-user qvbzkandsoon"},
		groupMatching("^[a-z0-9-]+$"):                                      {"every member of any group", "as-user nobody@ordinary.invalid --user-group q7-none"},
	} {
		t.Run(expression, func(t *testing.T) {
			report := auditOf(t, exempting(expression), teamA, deployment("team-a", "web", ""))
			f := one(t, report, "pattern-authorizes-everyone", test.evidence, "deployments.apps/web -n team-a --set downscaler/exclude=true")
			if !strings.Contains(f.Message, "lets "+test.who+" through") || f.Severity != Critical || f.Subject.Field != "spec.matchConditions[0].expression" {
				t.Errorf("%+v", f)
			}
			silent(t, report, "unanchored-pattern")
		})
	}
}

// The policy of removals lets everyone remove what nobody may add.
func TestPatternAuthorizesEveryoneToRemove(t *testing.T) {
	guards := chartLike(false)
	guards[1].exempt = ".*"
	f := one(t, auditOf(t, guards, teamA, deployment("team-a", "web", `downscaler/exclude: "true"`)), "pattern-authorizes-everyone", "--remove downscaler/exclude")
	if f.Subject.Name != guards[1].name || f.Subject.Field != "spec.matchConditions[1].expression" {
		t.Errorf("%+v", f)
	}
}

func TestPatternAuthorizesEveryoneSilent(t *testing.T) {
	objects := []any{teamA, deployment("team-a", "web", "")}
	second := exempting("false")
	second.name = "h"
	warning := exempting(userMatching(".*"))
	warning.actions = "[Warn]"
	for name, manifests := range map[string][]any{
		"hardened":                {hardened(t)},
		"a name":                  {exempting(userMatching("^user1$"))},
		"a namespace's accounts":  {exempting(userMatching("^system:serviceaccount:ci:"))},
		"all but some":            {exempting(`!request.userInfo.groups.exists(g, g == "contractors")`)},
		"one default account":     {exempting(userMatching("^system:serviceaccount:ci:default$"))},
		"some default accounts":   {exempting(userMatching("^system:serviceaccount:team-[a-z]+:default$"))},
		"names of one length":     {exempting(userMatching("^[a-z]{5}$"))},
		"names of a domain":       {exempting(userMatching("^[a-z]+@example.com$"))},
		"another policy stops it": {exempting(userMatching(".*")), second},
		"with a group":            {exempting(userMatching(".*") + ` && "ops" in request.userInfo.groups`)},
		"only a warning":          {warning},
		"nothing to guard":        {exempting(userMatching(".*") + " || true")},
	} {
		t.Run(name, func(t *testing.T) {
			silent(t, auditOf(t, append(manifests, objects...)...), "pattern-authorizes-everyone")
		})
	}
}
