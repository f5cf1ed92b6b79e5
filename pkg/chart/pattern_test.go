package chart

import (
	"regexp"
	"testing"
)

// A namespace's and an account's pattern stand in the middle of the account's user name. Whoever writes ^ and $ there means what the
// place says anyway.
func TestEndsOfServiceAccountPatterns(t *testing.T) {
	for _, test := range []struct {
		namespace, name, account string
		want                     bool
	}{
		{"^ci$", "^deployer$", "ci:deployer", true},
		{"^ci$", "^deployer$", "ci:deployer2", false},
		{"^ci", "deployer$", "ci2:deployer", false},
		{"^(a|b)$", "^x.*$", "b:xy", true},
		{"^a|b$", "x", "b:x", true},
		{"a|^b$", "x", "b:x", true},
		{"a|^b$", "x", "bc:x", false},
		{"tea|b", "x", "team:x", false},
		{"", "x", ":x", true},
		{"^$", "x", ":x", true},
		{`^a\$`, "x", "a$:x", true},
		{"(?i)^CI$", "x", "ci:x", true},
		{`\Aci\z`, "x", "ci:x", true},
	} {
		p := newServiceAccountPattern(section{}, test.namespace, test.name)
		got := regexp.MustCompile(p.Whole).MatchString("system:serviceaccount:" + test.account)
		if got != test.want || p.Lost {
			t.Errorf("%s and %s: %s %s: got %v, want %v", test.namespace, test.name, p.Whole, test.account, got, test.want)
		}
	}
}
