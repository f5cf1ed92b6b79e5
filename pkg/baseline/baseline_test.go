package baseline

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/audit"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

var update = flag.Bool("update", false, "write the golden file anew")

func finding(id string, severity audit.Severity, name string) audit.Finding {
	return audit.Finding{
		ID: id, Severity: severity, Message: "A message about " + name + ".", Evidence: "a command", Remedy: "A remedy.",
		Subject: audit.Subject{Kind: "ValidatingAdmissionPolicy", Name: name, Field: "spec.validations[0]"},
	}
}

var (
	first  = finding("removal-not-prevented", audit.High, "guard")
	second = finding("kind-not-covered", audit.Medium, "guard")
	third  = finding("kind-not-covered", audit.Medium, "other")
)

// report is one of an audit that applied two rules.
func report(findings ...audit.Finding) *audit.Report {
	r := &audit.Report{
		Findings: findings, Rules: []audit.Rule{{ID: "kind-not-covered"}, {ID: "removal-not-prevented"}},
		Summary: audit.Summary{Findings: map[audit.Severity]int{}},
	}
	for _, f := range findings {
		r.Summary.Findings[f.Severity]++
	}
	return r
}

func names(findings []audit.Finding) (names []string) {
	for _, f := range findings {
		names = append(names, f.ID+" "+f.Subject.Name)
	}
	return names
}

func knownNames(findings []audit.KnownFinding) (names []string) {
	for _, f := range findings {
		names = append(names, f.ID+" "+f.Subject.Name)
	}
	return names
}

func TestApply(t *testing.T) {
	reworded := first
	reworded.Message, reworded.Evidence, reworded.Remedy = "Otherwise.", "another command", "Do it otherwise."
	graver := second
	graver.Severity = audit.Critical
	unfinished := report(first)
	unfinished.Incomplete = []inventory.Gap{{What: "jobs.batch", Why: "forbidden"}}
	elsewhere := report(first)
	elsewhere.Scope = audit.Scope{Namespace: "team-a"}
	labelled := report(first)
	labelled.Scope = audit.Scope{Selector: "app=web"}
	skipping := report(first)
	skipping.Rules = skipping.Rules[1:]
	ofValues := first
	ofValues.Subject = audit.Subject{Kind: audit.ValuesKind, Name: "guard"}
	withValues := func(file string) *audit.Report {
		r := report(second)
		r.Values = file
		return r
	}
	const one, two, three = "removal-not-prevented guard", "kind-not-covered guard", "kind-not-covered other"
	for name, test := range map[string]struct {
		known                        []audit.Finding
		report                       *audit.Report
		fresh, found, gone, unjudged []string
	}{
		"new":            {nil, report(first), []string{one}, nil, nil, nil},
		"known":          {[]audit.Finding{first, third}, report(first, second, third), []string{two}, []string{one, three}, nil, nil},
		"reworded":       {[]audit.Finding{first}, report(reworded), nil, []string{one}, nil, nil},
		"graver":         {[]audit.Finding{second}, report(graver), []string{two}, nil, []string{two}, nil},
		"gone":           {[]audit.Finding{first, second}, report(first), nil, []string{one}, []string{two}, nil},
		"twice of one":   {[]audit.Finding{first}, report(first, first), []string{one}, []string{one}, nil, nil},
		"one of twice":   {[]audit.Finding{first, first}, report(first), nil, []string{one}, []string{one}, nil},
		"incomplete":     {[]audit.Finding{first, second}, unfinished, nil, []string{one}, nil, []string{two}},
		"another scope":  {[]audit.Finding{first, second}, elsewhere, nil, []string{one}, nil, []string{two}},
		"no values":      {[]audit.Finding{ofValues, second}, report(second), nil, []string{two}, nil, []string{one}},
		"other values":   {[]audit.Finding{ofValues, second}, withValues("a/other"), nil, []string{two}, nil, []string{one}},
		"the values":     {[]audit.Finding{ofValues, second}, withValues("elsewhere/guard"), nil, []string{two}, []string{one}, nil},
		"other labels":   {[]audit.Finding{first, second}, labelled, nil, []string{one}, nil, []string{two}},
		"a rule skipped": {[]audit.Finding{first, second}, skipping, nil, []string{one}, nil, []string{two}},
	} {
		t.Run(name, func(t *testing.T) {
			total := len(test.report.Findings)
			Of(report(test.known...)).Apply(test.report)
			got := test.report.Baseline
			for what, pair := range map[string][2][]string{
				"findings": {test.fresh, names(test.report.Findings)}, "known": {test.found, names(got.Known)},
				"gone": {test.gone, knownNames(got.Gone)}, "not judged": {test.unjudged, knownNames(got.NotJudged)},
			} {
				if diff := cmp.Diff(pair[0], pair[1]); diff != "" {
					t.Errorf("%s (-want +got):\n%s", what, diff)
				}
			}
			counted := 0
			for _, n := range test.report.Summary.Findings {
				counted += n
			}
			if counted != len(test.report.Findings) || total != counted+len(got.Known) {
				t.Errorf("%d findings became %d, %d of them counted, and %d known", total, len(test.report.Findings), counted, len(got.Known))
			}
		})
	}
}

// A renewed baseline has what is new, what is known and what could not be judged, and no more what is gone.
func TestRenewed(t *testing.T) {
	unknown := finding("of-a-later-version", audit.High, "guard")
	r := report(first, third)
	Of(report(first, second, unknown)).Apply(r)
	want := []string{"kind-not-covered other", "removal-not-prevented guard", "of-a-later-version guard"}
	if diff := cmp.Diff(want, knownNames(Of(r).Findings)); diff != "" {
		t.Error(diff)
	}
}

func TestText(t *testing.T) {
	third := third
	third.Reach = &audit.Extent{Kinds: []string{"deployments.apps"}, Namespaces: []string{"team-a"}}
	first := first
	first.Reach = &audit.Extent{EveryNamespace: true}
	hostile := finding("kind-not-covered", audit.Low, "a\x1b[2J\r\n\t\u2028 # <<: \"x\"\u0085z\ufeff")
	file := Of(report(third, first, hostile, second))
	file.Scope = audit.Scope{Namespace: "team-a", Selector: "app=web"}
	file.Incomplete = []inventory.Gap{{What: "jobs.batch", Why: "forbidden: \x1b[2J"}}
	text, err := file.Text()
	if err != nil {
		t.Fatal(err)
	}
	back, err := Read("baseline.yaml", text)
	if err != nil {
		t.Fatal(err)
	}
	again, err := back.Text()
	if err != nil || string(again) != string(text) || back.Scope != file.Scope {
		t.Errorf("%v: read and written it is\n%s\nand was\n%s", err, again, text)
	}
	want := Of(report(third, second, hostile, first))
	want.Scope, want.Incomplete = file.Scope, file.Incomplete
	if other, err := want.Text(); err != nil || string(other) != string(text) {
		t.Errorf("%v: the order of findings makes another file:\n%s", err, other)
	}
	const golden = "testdata/baseline.yaml"
	if *update {
		if err := os.WriteFile(golden, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	wanted, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(wanted), string(text)); diff != "" {
		t.Errorf("%s (-want +got), -update writes it anew:\n%s", golden, diff)
	}
}

func TestReadRefuses(t *testing.T) {
	const (
		head = "apiVersion: compliance.downscaler.dev/v1alpha1\nkind: AuditBaseline\n"
		sum  = "0123456789abcdef0123456789abcdef"
		one  = "- id: no-policy\n  severity: high\n  subject: {kind: Namespace}\n  fingerprint: " + sum + "\n"
	)
	if _, err := Read("b", []byte(head+"findings:\n"+one)); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ text, want string }{
		{"", "b: the file is empty; give one that --write-baseline wrote"},
		{"# nothing\n", "b: the file is empty; give one that --write-baseline wrote"},
		{"a: [", "b, line 1: this is not YAML: did not find expected node content"},
		{"- a\n", "b, line 1: this must have the keys apiVersion, kind, scope, incomplete, findings"},
		{"kind: AuditReport\n", "b, line 1: apiVersion: this must be compliance.downscaler.dev/v1alpha1; give a file that --write-baseline wrote"},
		{strings.Replace(head, "Baseline", "Report", 1), "b, line 2: kind: this must be AuditBaseline; give a file that --write-baseline wrote"},
		{head, "b, line 1: findings: this must be a list of findings; [] where none is known"},
		{head + "incomplete: no\nfindings: []\n", "b, line 3: incomplete: this must be a list of what could not be looked at"},
		{head + "findings:\n" + one + "  reach: {kinds: 1}\n", "b, line 8: findings[0].reach.kinds: this is none that --write-baseline wrote"},
		{head + "findings: {}\n", "b, line 3: findings: this must be a list of findings; [] where none is known"},
		{head + "finding: []\n", `b, line 3: there is no key "finding" here, only apiVersion, kind, scope, incomplete, findings`},
		{head + "kind: x\n", `b, line 3: the key "kind" is there twice`},
		{head + "findings: []\n---\nx: 1\n", "b, line 4: there is a second document; a baseline is one"},
		{head + "scope: all\nfindings: []\n", "b, line 3: scope: this must have the keys namespace, selector"},
		{head + "findings: [x]\n", "b, line 3: findings[0]: this must have the keys subject, reach, fingerprint, id, severity"},
		{head + "findings:\n" + strings.Replace(one, "high", "hihg", 1), `b, line 4: findings[0].severity: there is no severity "hihg"`},
		{head + "findings:\n" + strings.Replace(one, "high", "[high]", 1), "b, line 5: findings[0].severity: this must be a text"},
		{head + "findings:\n" + strings.Replace(one, sum, "12", 1), "b, line 4: findings[0].fingerprint: this is none; --write-baseline writes it"},
		{head + "findings:\n" + strings.Replace(one, "kind: Namespace", "name: a", 1), "b, line 4: findings[0]: a finding needs an id and a subject with a kind"},
		{head + "findings:\n" + strings.Replace(one, "kind:", "knid:", 1), `b, line 6: findings[0].subject: there is no key "knid" here, only field, kind, name, namespace`},
	} {
		if _, err := Read("b", []byte(test.text)); err == nil || err.Error() != test.want {
			t.Errorf("%q:\ngot  %v\nwant %s", test.text, err, test.want)
		}
	}
}
