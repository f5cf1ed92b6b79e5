package chart

import (
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestWholePatterns: whatever a pattern is, it matches from end to end what it means, and nothing around it.
func TestWholePatterns(t *testing.T) {
	for pattern, test := range map[string]struct{ matches, not []string }{
		`user1`:         {[]string{"user1"}, []string{"xuser1", "user1x", "user1\n", ""}},
		`^a$|^b$`:       {[]string{"a", "b"}, []string{"ab", "ax"}},
		`a|b`:           {[]string{"a", "b"}, []string{"ab", "xb", "ax"}},
		`(?i)ops`:       {[]string{"OPS"}, []string{"OPSX"}},
		`(?m)^a$`:       {[]string{"a"}, []string{"a\nb", "b\na"}},
		`\\Qa.b`:        {[]string{"a.b"}, []string{"axb", "a.b)", "a.bx"}},
		`x|\\Qa)|(?:.*`: {[]string{"x", "a)|(?:.*"}, []string{"a", "anyone"}},
		``:              {[]string{""}, []string{"a"}},
	} {
		values, err := ReadValues("values.yaml", []byte("annotationsCompliance: {authorizedUsersRegex: ['"+pattern+"']}"))
		if err != nil {
			t.Fatal(err)
		}
		whole := regexp.MustCompile(values.Compliance.Users[0].Whole)
		for _, text := range slices.Concat(test.matches, test.not) {
			if got := whole.MatchString(text); got != slices.Contains(test.matches, text) {
				t.Errorf("%s of %q on %q: %v", whole, pattern, text, got)
			}
		}
	}
}

// TestParts: however many patterns there are and however long, each is in one part, and parts and expressions stay within the limits.
func TestParts(t *testing.T) {
	for _, test := range []struct{ number, length int }{{0, 0}, {1, 98_000}, {62, 10}, {500, 60}, {20_000, 30}, {40, 30_000}, {31, 45_000}} {
		var patterns []Pattern
		for range test.number {
			patterns = append(patterns, Pattern{Whole: strings.Repeat("a", test.length)})
		}
		parts := inParts(patterns)
		if len(parts) > (maxConditions-2)/2 {
			t.Errorf("%d of %d: %d parts", test.number, test.length, len(parts))
		}
		if got := slices.Concat(parts...); len(got) != len(patterns) {
			t.Errorf("%d of %d: %d are in a part", test.number, test.length, len(got))
		}
	}
}

// TestTooMuch: what an API server would not take is refused with the field.
func TestTooMuch(t *testing.T) {
	values, err := ReadValues("values.yaml", []byte("annotationsCompliance: {onWorkloads: {enabled: true}, authorizedGroupsRegex: [a, '"+strings.Repeat("b", 100_000)+"']}"))
	if err != nil {
		t.Fatal(err)
	}
	for _, hardened := range []bool{false, true} {
		_, err := values.Render(Release{Name: "a", Namespace: "b"}, "v1.37.1", hardened)
		var limit *LimitError
		if !errors.As(err, &limit) || limit.Field != "annotationsCompliance.authorizedGroupsRegex[1]" {
			t.Errorf("hardened %v: %.200v", hardened, err)
		}
	}
}

// TestControllersOfReplicaSets: those that copy annotations are exempt on ReplicaSets and nowhere else, and that of Rollouts only where these are scaled.
func TestControllersOfReplicaSets(t *testing.T) {
	for kinds, rollouts := range map[string]bool{"deployments": false, "deployments, rollouts": true} {
		values, err := ReadValues("values.yaml", []byte("includedResources: ["+kinds+"]\nannotationsCompliance: {}"))
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range values.scopes() {
			isReplicaSets := s.name == "replicasets"
			condition := values.requesterConditions(Release{Name: "a", Namespace: "b"}, s)[0].Expression
			for account, want := range map[string]bool{
				`"system:serviceaccount:kube-system:deployment-controller"`: isReplicaSets,
				`"system:kube-controller-manager"`:                          isReplicaSets,
				`"system:serviceaccount:argo-rollouts:argo-rollouts"`:       isReplicaSets && rollouts,
			} {
				if got := strings.Contains(condition, account); got != want {
					t.Errorf("%s with %s: %s exempt: %v", s.name, kinds, account, got)
				}
			}
		}
	}
}
