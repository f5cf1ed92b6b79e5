package audit

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const makesTokens = `{apiGroups: [""], resources: [serviceaccounts/token], verbs: [create]}`

// conditioned is a validating guard with some matchConditions, each a name and an expression, behind that about annotations.
func conditioned(conditions ...[2]string) string {
	text := guard{name: "g", resources: everyResource, condition: touched}.String()
	var list strings.Builder
	for _, c := range conditions {
		fmt.Fprintf(&list, "  - {name: %s, expression: %q}\n", c[0], c[1])
	}
	return strings.Replace(text, "  matchConditions:\n", "  matchConditions:\n"+list.String(), 1)
}

func lets(user string) string { return "!" + userMatching(user) }

// validating is a guard with some validations in place of the one that refuses all.
func validating(expressions ...string) string {
	g := ofVersion(guard{name: "g", resources: []string{"apps/deployments", "/namespaces"}, validation: "REPLACED"})
	var list []string
	for _, e := range expressions {
		list = append(list, fmt.Sprintf("  - {expression: %q, message: not authorised}", e))
	}
	return strings.Replace(g, `  - {expression: "REPLACED", message: not authorised}`, strings.Join(list, "\n"), 1)
}

// marks are the fingerprints of a rule's findings.
func marks(t *testing.T, id string, manifests ...any) []string {
	t.Helper()
	var marks []string
	for _, f := range found(auditOf(t, manifests...), id) {
		marks = append(marks, f.Fingerprint())
	}
	if len(marks) == 0 {
		t.Fatalf("%s finds nothing", id)
	}
	slices.Sort(marks)
	return marks
}

// What a policy says elsewhere makes no other finding of one, and what it is about does.
func TestFindingsStayTheSame(t *testing.T) {
	const broken, misspelt, typed = "'downscaler/'.nothing()", "object.metadata.annotation['downscaler/exclude'] != ''", "object.spec.replicas < 0"
	skips := `!has(object.metadata.labels) || !("skip" in object.metadata.labels)`
	other := `!has(object.metadata.labels) || !("skip" in object.metadata.labels) && true`
	selecting := func(selector string) any { return selectingObjects(exempting("false"), selector) }
	bound := func(rbac ...string) []any {
		return append(letsThrough(onlyDeployer), granted("ci", "way", impersonates, strings.Join(rbac, ", ")))
	}
	uptime := func(name, value string) any { return deployment("team-a", name, "downscaler/uptime: "+value) }
	objects := []any{teamA, deployment("team-a", "web", ""), deployment("team-a", "sleeper", "example.com/owner: a")}
	for id, test := range map[string]struct{ of, same, different [][]any }{
		"unanchored-pattern": {
			[][]any{{conditioned([2]string{"a", lets("user1")})}},
			[][]any{
				{conditioned([2]string{"first", lets("^ops$")}, [2]string{"a", lets("user1")})}, {conditioned([2]string{"renamed", lets("user1")})},
				{conditioned([2]string{"a", lets("user1") + " && !(request.userInfo.username == 'ops')"})},
			},
			[][]any{{conditioned([2]string{"a", lets("user2")})}, {conditioned([2]string{"a", lets("^user1")})}, {conditioned([2]string{"a", "!" + groupMatching("user1")})}, {conditioned([2]string{"a", "!request.userInfo.username.contains('user1')"})}},
		},
		"pattern-authorizes-everyone": {
			[][]any{{exempting(userMatching(".*"))}}, [][]any{{conditioned([2]string{"first", lets("^ops$")}, [2]string{"a", lets(".*")})}}, [][]any{{exempting(groupMatching(".*"))}, {exempting(userMatching("system:"))}},
		},
		"default-service-account-exempt": {
			[][]any{{exempting(`request.userInfo.username == "system:serviceaccount:ci:default"`)}},
			[][]any{{conditioned([2]string{"first", lets("^ops$")}, [2]string{"a", `request.userInfo.username != "system:serviceaccount:ci:default"`})}},
			[][]any{{exempting(`request.userInfo.username == "system:serviceaccount:cd:default"`)}},
		},
		"match-condition-opt-out": {
			[][]any{{conditioned([2]string{"a", skips})}},
			[][]any{{conditioned([2]string{"first", lets("^ops$")}, [2]string{"a", skips})}, {conditioned([2]string{"renamed", skips})}}, [][]any{{conditioned([2]string{"a", other})}, {unless(skips)}},
		},
		"policy-does-not-compile": {
			[][]any{{conditioned([2]string{"a", broken})}},
			[][]any{{conditioned([2]string{"first", lets("^ops$")}, [2]string{"a", broken})}, {conditioned([2]string{"renamed", broken})}},
			[][]any{{conditioned([2]string{"a", "1 + 'downscaler/'"})}, {conditioned([2]string{"a", broken}, [2]string{"b", "1 + 'downscaler/'"})}},
		},
		"policy-type-error": {
			[][]any{{validating(misspelt, "false", typed)}},
			[][]any{{validating(typed, misspelt, "false")}, {validating("1 == 2", misspelt, typed)}}, [][]any{{validating(misspelt, "false")}, {validating(misspelt, "object.spec.replicas < 1", "false")}},
		},
		"policy-errors-ignored": {
			[][]any{{conditioned([2]string{"a", documented})}},
			[][]any{{conditioned([2]string{"first", lets("^ops$")}, [2]string{"a", documented})}, {conditioned([2]string{"renamed", documented})}}, [][]any{{conditioned([2]string{"a", documented + " && true"})}},
		},
		"selector-opt-out": {
			[][]any{{selecting(`matchExpressions: [{key: a, operator: NotIn, values: [one, two]}]`)}}, [][]any{{selecting(`matchExpressions: [{key: a, operator: NotIn, values: [two, one]}]`)}}, [][]any{{selecting(`matchExpressions: [{key: b, operator: NotIn, values: [one, two]}]`)}},
		},
		"binding-without-policy": {
			[][]any{{chartLike(false), guard{name: "guard-annotations-gone", unpoliced: true}}}, [][]any{{chartLike(false), strings.ReplaceAll(guard{name: "guard-annotations-gone", unpoliced: true}.String(), "labels: {}", "labels: {a: b}")}},
			[][]any{{chartLike(false), strings.ReplaceAll(guard{name: "guard-annotations-gone", unpoliced: true}.String(), "policyName: guard-annotations-gone", "policyName: guard-annotations-other")}},
		},
		"order-dependent-mutation": {
			[][]any{{writes("a", never, annotates(`"downscaler/x": "1"`)), writes("b", never, annotates(`"downscaler/x": "2"`))}},
			[][]any{{writes("b", never, annotates(`"downscaler/x": "2"`)), writes("a", never, annotates(`"downscaler/x": "3"`))}}, [][]any{{writes("a", never, annotates(`"downscaler/x": "1"`)), writes("c", never, annotates(`"downscaler/x": "2"`))}},
		},
		"privileged-path":          {[][]any{bound(mallory)}, [][]any{append(bound(mallory), uptime("other", "always"))}, [][]any{bound(mallory, `{kind: User, name: eve}`), bound(`{kind: User, name: eve}`), append(letsThrough(onlyDeployer), granted("ci", "way", makesTokens, mallory))}},
		"invalid-annotation-value": {[][]any{{uptime("timed", "Fry")}}, [][]any{{uptime("timed", "Fry"), uptime("other", "always")}}, [][]any{{uptime("timed", "Sut")}, {uptime("other", "Fry")}}},
	} {
		t.Run(id, func(t *testing.T) {
			with := func(manifests []any) []any {
				if id == "privileged-path" { // which has its own
					return manifests
				}
				return slices.Concat(objects, manifests)
			}
			want := marks(t, id, with(test.of[0])...)
			for _, manifests := range test.same {
				if diff := cmp.Diff(want, marks(t, id, with(manifests)...)); diff != "" {
					t.Errorf("another finding of %v:\n%s", manifests, diff)
				}
			}
			for _, manifests := range test.different {
				if got := marks(t, id, with(manifests)...); slices.Equal(got, want) {
					t.Errorf("the same finding of %v", manifests)
				}
			}
		})
	}
}

// Two findings of one rule about one object are told apart, also where the same stands there twice.
func TestFingerprintsAreUnique(t *testing.T) {
	twice := conditioned([2]string{"a", lets("user1")}, [2]string{"b", lets("user1")}, [2]string{"c", "!" + groupMatching("user1")}, [2]string{"d", "!request.userInfo.username.contains('user1')"})
	ways := append(letsThrough(onlyDeployer), granted("ci", "way", impersonates, mallory), granted("ci", "token", makesTokens, mallory))
	for id, test := range map[string]struct {
		manifests []any
		n         int
	}{
		"unanchored-pattern": {[]any{twice, teamA, deployment("team-a", "web", "")}, 4},
		"privileged-path":    {ways, 2},
		"order-dependent-mutation": {[]any{
			writes("a", never, annotates(`"downscaler/x": "1"`)), writes("b", never, annotates(`"downscaler/x": "2", "downscaler/y": "2"`)), writes("c", never, annotates(`"downscaler/y": "3"`)),
			teamA, deployment("team-a", "web", ""),
		}, 1},
	} {
		t.Run(id, func(t *testing.T) {
			all := marks(t, id, test.manifests...)
			if unique := slices.Compact(slices.Clone(all)); len(unique) != len(all) || len(all) < test.n {
				t.Errorf("%d findings with %d fingerprints, want at least %d", len(all), len(unique), test.n)
			}
		})
	}
	same := Finding{ID: "no-policy", Subject: Subject{Kind: kindValidating, Field: "spec.validations[0]"}}
	three := []Finding{same, same, same}
	setApart(three)
	if a, b, c := three[0].Fingerprint(), three[1].Fingerprint(), three[2].Fingerprint(); a == b || b == c || a == c || a != same.Fingerprint() {
		t.Errorf("%s, %s and %s", a, b, c)
	}
}
