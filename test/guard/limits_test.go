package guard

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
)

const enabled = "annotationsCompliance:\n  onWorkloads: {enabled: true, preventRemoval: true}\n"

// extreme are values that go to the limits of an API server.
var extreme = map[string]struct {
	values   string
	hardened bool
}{
	"plain-62-patterns":         {enabled + listOf("authorizedUsersRegex", 62, "^user%d$"), false},
	"plain-long-pattern":        {enabled + listOf("authorizedUsersRegex", 1, "^user%d|"+strings.Repeat("a|b", 1700)+"$"), false},
	"plain-longest-pattern":     {enabled + listOf("authorizedUsersRegex", 1, "^user%d|"+strings.Repeat("a", 98_900)+"$"), false},
	"plain-largest-policy":      {enabled + listOf("authorizedUsersRegex", 14, "^user%d|"+strings.Repeat("a", 97_000)+"$"), false},
	"hardened-100-patterns":     {enabled + listOf("authorizedUsersRegex", 100, "^user%d$"), true},
	"hardened-long-pattern":     {enabled + listOf("authorizedUsersRegex", 1, "^user%d|"+strings.Repeat("a|b", 1700)+"$"), true},
	"hardened-longest-pattern":  {enabled + listOf("authorizedUsersRegex", 1, "^user%d|"+strings.Repeat("a", 98_900)+"$"), true},
	"hardened-500-namespaces":   {enabled + namespacesOf(500), true},
	"hardened-costliest-users":  {enabled + listOf("authorizedUsersRegex", 6, "^user%d|"+strings.Repeat("a", 90_000)+"$"), true},
	"hardened-200-groups":       {enabled + listOf("authorizedGroupsRegex", 200, "^group-%d-.*$"), true},
	"hardened-costliest-groups": {enabled + listOf("authorizedGroupsRegex", 16, "^group-%d-"+strings.Repeat("a", 7_500)+"$"), true},
	"hardened-quotes":           {enabled + "  authorizedUsersRegex: ['user0|\\\\Quser.1']\n", true},
}

// TestRenderedPoliciesFitTheLimits: policies of extreme values are accepted, and cost nobody so much that work is stopped.
func TestRenderedPoliciesFitTheLimits(t *testing.T) {
	var guards []rendered
	for name, e := range extreme {
		guards = append(guards, render(t, name, e.values, e.hardened))
	}
	mustBeAccepted(t, guards...)
	forced := force(t, annotatedObjects, guards...)
	var groups []string
	for i := range 10 {
		groups = append(groups, fmt.Sprintf("CN=a-group-of-a-directory-with-a-rather-long-name-%03d,OU=example", i))
	}
	for name, f := range forced {
		t.Run(name, func(t *testing.T) {
			deployment := f.get(t, "apps", "deployments", "annotated")
			own := account(releaseNamespace, releaseName+"-go-kube-downscaler")
			long := account(strings.Repeat("n", 63), strings.Repeat("a", 63))
			stopped := prevented
			if !extreme[name].hardened {
				stopped = slices.Concat(allowed, prevented) // as the library says: what costs too much passes
			}
			var questions []posed
			for _, who := range []request.Requester{user("dev", groups...), long} {
				questions = append(questions,
					posed{"other work", who, f.annotating(t, who, deployment, set("example.com/owner", "b"), request.Options{}), allowed},
					posed{"edit", who, f.annotating(t, who, deployment, set("downscaler/exclude", "false"), request.Options{}), stopped})
			}
			meant := map[bool]request.Requester{true: user("user0"), false: own}[strings.Contains(extreme[name].values, "user")]
			for _, who := range []request.Requester{own, meant} {
				questions = append(questions, posed{"edit", who, f.annotating(t, who, deployment, set("downscaler/exclude", "false"), request.Options{}), allowed})
			}
			f.ask(t, questions)
		})
	}
}

// TestRenderSaysWhatExceedsTheLimits: what can't be made to fit is refused, with the field and what to do.
func TestRenderSaysWhatExceedsTheLimits(t *testing.T) {
	for name, test := range map[string]struct {
		values   string
		hardened bool
		want     string
	}{
		"63 patterns, plain":       {enabled + listOf("authorizedUsersRegex", 63, "^user%d$"), false, "65 matchConditions"},
		"a long pattern, plain":    {enabled + listOf("authorizedUsersRegex", 1, "^user%d|"+strings.Repeat("a", 100_000)+"$"), false, "authorizedUsersRegex[0]: the pattern has 1000"},
		"a long pattern, hardened": {enabled + listOf("authorizedGroupsRegex", 1, "^user%d|"+strings.Repeat("a", 100_000)+"$"), true, "authorizedGroupsRegex[0]: the pattern has 1000"},
		"a large policy, plain":    {enabled + listOf("authorizedUsersRegex", 15, "^user%d|"+strings.Repeat("a", 98_000)+"$"), false, "bytes, and an API server stores about"},
		"costly users, hardened":   {enabled + listOf("authorizedUsersRegex", 7, "^user%d|"+strings.Repeat("a", 90_000)+"$"), true, "the patterns of users and service accounts are so many and so long"},
		"costly groups, hardened":  {enabled + listOf("authorizedGroupsRegex", 20, "^group-%d-"+strings.Repeat("a", 7_500)+"$"), true, "authorizedGroupsRegex: the patterns are so many and so long"},
		"deep brackets, hardened":  {enabled + "  authorizedUsersRegex: ['" + strings.Repeat("(", 999) + "a" + strings.Repeat(")", 999) + "']\n", true, "authorizedUsersRegex[0]: the pattern nests too deeply"},
	} {
		t.Run(name, func(t *testing.T) {
			out := renders(t, test.values, test.hardened)
			if out.Code != 2 || out.Stdout != "" || !strings.Contains(out.Stderr, test.want) || strings.Count(out.Stderr, "\n") != 1 {
				t.Errorf("exit %d, %d bytes, %.300s; want %s", out.Code, len(out.Stdout), out.Stderr, test.want)
			}
		})
	}
}

// listOf is a list of as many patterns.
func listOf(field string, number int, pattern string) string {
	text := "  " + field + ":\n"
	for i := range number {
		text += "  - '" + fmt.Sprintf(pattern, i) + "'\n"
	}
	return text
}

func namespacesOf(number int) string {
	text := "  authorizedNamespacesToServiceAccountsRegex:\n"
	for i := range number {
		text += fmt.Sprintf("    team-with-a-long-name-%d: [deployer]\n", i)
	}
	return text
}
