package audit

import (
	"strings"
	"testing"
)

func TestEvidenceIsQuoted(t *testing.T) {
	report := auditWith(t, Options{Flags: []string{"--from", "my files/it's.yaml"}}, teamA, deployment("team-a", "web", ""))
	f := one(t, report, "no-policy")
	want := `kubectl downscaler-compliance simulate as-user nobody@ordinary.invalid deployments.apps/web -n team-a --set downscaler/exclude=true --past-authorization --from 'my files/it'\''s.yaml'`
	if f.Evidence != want && !strings.Contains(f.Evidence, "namespaces/team-a") {
		t.Errorf("got  %s\nwant %s", f.Evidence, want)
	}
	if !strings.HasSuffix(f.Evidence, `--from 'my files/it'\''s.yaml'`) {
		t.Error(f.Evidence)
	}
}

func TestQuote(t *testing.T) {
	for in, want := range map[string]string{
		"a/b=c": "a/b=c", "": "''", "a b": "'a b'", "$(x)": "'$(x)'", "it's": `'it'\''s'`, "~": "'~'", "a\nb": "'a\nb'",
	} {
		if got := quote(in); got != want {
			t.Errorf("quote(%q) = %s, want %s", in, got, want)
		}
	}
}
