package audit

import (
	"fmt"
	"iter"
	"regexp"
	"strings"
	"testing"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
)

// exempting is a guard of everything with an expression that is true of those whom it lets through.
func exempting(expression string) guard {
	return guard{name: "g", resources: everyResource, condition: "(" + touched + ") && !(" + expression + ")"}
}

func userMatching(pattern string) string {
	return fmt.Sprintf(`request.userInfo.username.matches(%q)`, pattern)
}

func groupMatching(pattern string) string {
	return fmt.Sprintf(`request.userInfo.groups.exists(g, g.matches(%q))`, pattern)
}

func TestUnanchoredPattern(t *testing.T) {
	for expression, test := range map[string]struct{ evidence, says, remedy string }{
		userMatching("user1"):                                           {"as-user xuser1x", `in the middle of a longer name`, `^(?:user1)$`},
		userMatching("^user1"):                                          {"as-user user1x", `where the name goes on behind it`, `^(?:user1)$`},
		userMatching("user1$"):                                          {"as-user xuser1", `where the name begins before it`, `^(?:user1)$`},
		userMatching("^ops-[a-z]+"):                                     {"as-user ops-x-x", `"ops-x"`, `^(?:ops-[a-z]+)$`},
		groupMatching("devs"):                                           {"as-user nobody@ordinary.invalid --user-group xdevsx", `a member of group "xdevsx"`, `^(?:devs)$`},
		userMatching("^ops.adm$"):                                       {"as-user opsxadm", `its dot behind "ops" matches any character`, `^(?:ops\.adm)$`},
		userMatching("^(?:jane.doe|joe)$"):                              {"as-user janexdoe", `its dot behind "jane"`, `^(?:(?:jane\.doe|joe))$`},
		userMatching("^ops.adm"):                                        {"as-user opsxadmx", "; and user \"opsxadm\", because its dot", `^(?:ops\.adm)$`},
		userMatching("^system:serviceaccount:team-a:sa1"):               {"as-user system:serviceaccount:team-a:sa1.evil", `service account`, `^(?:system:serviceaccount:team-a:sa1)$`},
		userMatching("^system:serviceaccount:tea|b:sa1"):                {"as-user system:serviceaccount:teax:default", `service account`, `"|" divides the whole pattern`},
		userMatching("^system:serviceaccount:tea:a$|b:sa1$"):            {"as-user xb:sa1", `"b:sa1"`, `"|" divides the whole pattern`},
		`request.userInfo.username.startsWith("user1")`:                 {"as-user user1x", `startsWith("user1") also lets through user "user1x"`, `Write the whole names that are meant, with == or in a list, or let the text end in a separator`},
		`request.userInfo.username.endsWith("user1")`:                   {"as-user xuser1", `endsWith("user1")`, `Write the whole names that are meant, with == or in a list, or let the text begin with a separator`},
		`request.userInfo.groups.exists(g, g.contains("devs"))`:         {"as-user nobody@ordinary.invalid --user-group xdevsx", `contains("devs")`, `Write the whole names that are meant, with == or in a list.`},
		userMatching("^user1") + ` && "ops" in request.userInfo.groups`: {"as-user user1x --user-group ops", "user1x", `^(?:user1)$`},
	} {
		t.Run(expression, func(t *testing.T) {
			f := one(t, auditOf(t, exempting(expression), teamA, deployment("team-a", "web", "")), "unanchored-pattern",
				"simulate "+test.evidence, "deployments.apps/web -n team-a --set downscaler/exclude=true --past-authorization")
			if !strings.Contains(f.Message, test.says) || !strings.Contains(f.Remedy, test.remedy) || f.Severity != High {
				t.Errorf("%+v", f)
			}
			if f.Subject != (Subject{Kind: kindValidating, Name: "g", Field: "spec.matchConditions[0].expression"}) {
				t.Errorf("%+v", f.Subject)
			}
		})
	}
}

func TestUnanchoredPatternSilent(t *testing.T) {
	objects := []any{teamA, deployment("team-a", "web", "")}
	for _, expression := range []string{
		userMatching("^user1$"), userMatching("^(?:user1|user2)$"), userMatching("^ops-.*$"), userMatching("^ops-.*"), userMatching("^ops-"), userMatching(`^ops\.adm$`),
		userMatching("^ops-.$"), userMatching("^user.[0-9]$"), userMatching(`@corp\.example$`), groupMatching("^devs$"), groupMatching("^.*:devs$"),
		userMatching("^system:serviceaccount:ci:"), userMatching("^(?:system:serviceaccount:(?:tea|b):sa1)$"),
		`request.userInfo.username == "user1"`, `"devs" in request.userInfo.groups`, `request.userInfo.username.startsWith("system:serviceaccount:ci:")`,
		`request.userInfo.username.endsWith("@corp.example")`, `!(request.userInfo.username != "a") && !request.userInfo.username.matches("b")`,
	} {
		t.Run(expression, func(t *testing.T) {
			silent(t, auditOf(t, append(objects, exempting(expression))...), "unanchored-pattern")
		})
	}
	second := exempting("false")
	second.name = "h"
	for name, manifests := range map[string][]any{
		"hardened":                {hardened(t)},
		"another policy stops it": {exempting(userMatching("user1")), second},
		"a kind without objects": {func() guard {
			g := exempting(userMatching("user1"))
			g.resources = []string{"apps/statefulsets"}
			return g
		}()},
		"only a warning": {func() guard { g := exempting(userMatching("user1")); g.actions = "[Warn]"; return g }()},
		"everyone":       {exempting(userMatching("^system:serviceaccount:.*:default"))},
		"no guard":       {requireLabels, bindingOf("require-labels", "[Deny]")},
	} {
		t.Run(name, func(t *testing.T) {
			silent(t, auditOf(t, append(manifests, objects...)...), "unanchored-pattern")
		})
	}
}

// A pattern in a mutating policy, and the same one in the policy of removals: each of the two has to be mended.
func TestUnanchoredPatternInEachPolicy(t *testing.T) {
	guards := chartLike(true)
	for i := range guards {
		guards[i].exempt = "^user1"
	}
	report := auditOf(t, guards, teamA, deployment("team-a", "web", `downscaler/exclude: "true"`))
	findings := found(report, "unanchored-pattern")
	if len(findings) != len(guards) {
		t.Fatalf("%+v", findings)
	}
	for _, f := range findings {
		if f.Subject.Kind != kindMutating || !strings.Contains(f.Evidence, "as-user user1x") {
			t.Errorf("%+v", f)
		}
	}
}

// Where the removals' policy alone is open, what passes is a removal.
func TestUnanchoredPatternOfRemovals(t *testing.T) {
	guards := chartLike(false)
	guards[1].exempt = "^user1"
	report := auditOf(t, guards, teamA, deployment("team-a", "web", `downscaler/exclude: "true"`))
	f := one(t, report, "unanchored-pattern", "as-user user1x", "--remove downscaler/exclude")
	if f.Subject.Name != guards[1].name {
		t.Errorf("%+v", f)
	}
}

// FuzzNearMisses: whatever stands in a policy, names are made of it or none are.
func FuzzNearMisses(f *testing.F) {
	for _, seed := range []string{"user1", "^ops.adm$", `\Quser1`, "(((a.b)))|é.x", "[^\\x00-\\x{10FFFF}]", "a{3}.b", "tea|b", "", "(?i)A.b$", "(?:a.b){2}", "x*.y", `\pN.a`, "^(a|b.c)$"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		test := policy.Test{Kind: policy.PartyUser, Match: policy.MatchRegex, Text: text}
		re := regexpOf(test)
		for _, misses := range []iter.Seq[nearMiss]{openEnds(test), openDots(test)} {
			n := 0
			for miss := range misses {
				if !re.MatchString(miss.name) {
					t.Errorf("%q does not match %q", miss.name, text)
				}
				if n++; n > 1000 {
					t.Fatalf("more than %d names of %q", n, text)
				}
			}
		}
		remedy := remedyOf(text)
		if _, meant, found := strings.Cut(remedy, "ends: "); found {
			meant, _, _ = strings.Cut(meant, "; as a constant")
			if _, err := regexp.Compile(meant); err != nil && re != nil && !strings.Contains(text, "; as a") {
				t.Errorf("the remedy of %q is no pattern: %s", text, meant)
			}
		}
	})
}

// TestUndeterminedParties: an expression that asks about the requester in a form of which no names can be made is told; those that can, and the hardened guard's, are not.
func TestUndeterminedParties(t *testing.T) {
	told := func(manifests ...any) []string {
		var found []string
		for _, gap := range auditOf(t, append(manifests, teamA, deployment("team-a", "web", ""))...).Assumptions {
			if strings.HasPrefix(gap.What, "who passes ") {
				found = append(found, gap.What+" "+gap.Why)
			}
		}
		return found
	}
	for _, expression := range []string{
		`request.userInfo.groups.join(",").contains("platform")`, `request.userInfo.username.split(":")[0] == "oidc"`,
		`has(request.userInfo.extra) && "scope" in request.userInfo.extra && request.userInfo.extra["scope"].exists(s, s == "admin")`,
	} {
		found := told(exempting(expression))
		if len(found) != 1 || !strings.Contains(found[0], "ValidatingAdmissionPolicy g by spec.") || !strings.Contains(found[0], expression) {
			t.Errorf("%s: %q", expression, found)
		}
	}
	for name, found := range map[string][]string{
		"hardened": told(hardened(t)), "the chart's": told(rendered(t, false)), "mutating": told(rendered(t, true)), "a name": told(exempting(`request.userInfo.username == "user1"`)),
		"not compiling": told(exempting(`request.userInfo.username.split(":")[0] == 1`)),
	} {
		if len(found) > 0 {
			t.Errorf("%s: %q", name, found)
		}
	}
}
