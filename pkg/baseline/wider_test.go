package baseline

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/audit"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

func reaching(kinds, namespaces []string, every bool) audit.Finding {
	f := first
	f.Reach = &audit.Extent{Kinds: kinds, Namespaces: namespaces, EveryNamespace: every}
	return f
}

// A finding is known as long as it concerns nothing that the baseline's does not.
func TestWider(t *testing.T) {
	one, two := []string{"a"}, []string{"a", "b"}
	three := []string{"a", "b", "c"}
	for name, test := range map[string]struct {
		known, found audit.Finding
		want         string // empty where it is known
	}{
		"the same":              {reaching(two, one, false), reaching(two, one, false), ""},
		"fewer":                 {reaching(two, two, false), reaching(one, one, false), ""},
		"another kind":          {reaching(one, nil, false), reaching(two, nil, false), "also b."},
		"two kinds":             {reaching(one, nil, false), reaching(three, nil, false), "also b, c."},
		"one kind for another":  {reaching(one, nil, false), reaching([]string{"b"}, nil, false), "also b."},
		"another namespace":     {reaching(one, one, false), reaching(one, two, false), "also namespace b."},
		"two namespaces":        {reaching(one, one, false), reaching(one, three, false), "also the namespaces b, c."},
		"no selector any more":  {reaching(one, one, false), reaching(one, nil, true), "also every other namespace."},
		"kinds and namespaces":  {reaching(one, one, false), reaching(two, two, false), "also b, also namespace b."},
		"a selector now":        {reaching(one, nil, true), reaching(one, two, false), ""},
		"a baseline without it": {first, reaching(two, two, false), ""},
		"a rule without it":     {reaching(one, one, false), first, ""},
	} {
		t.Run(name, func(t *testing.T) {
			text, err := Of(report(test.known)).Text()
			if err != nil {
				t.Fatal(err)
			}
			file, err := Read("known.yaml", text)
			if err != nil {
				t.Fatal(err)
			}
			r := report(test.found)
			file.Apply(r)
			if len(r.Baseline.Gone)+len(r.Baseline.NotJudged) > 0 {
				t.Errorf("it is found, and gone or not judged: %+v", r.Baseline)
			}
			if test.want == "" {
				if len(r.Findings) > 0 || len(r.Baseline.Known) != 1 {
					t.Errorf("it is new: %+v", r.Findings)
				}
				return
			}
			if len(r.Findings) != 1 || len(r.Baseline.Known) > 0 || r.Summary.Findings[first.Severity] != 1 {
				t.Fatalf("it is known: %+v", r.Baseline)
			}
			want := first.Message + " This is wider than the baseline knows: " + test.want
			if diff := cmp.Diff(want, r.Findings[0].Message); diff != "" || r.Findings[0].Wider == nil {
				t.Error(diff)
			}
			renewed, err := Of(r).Text()
			if err != nil || !strings.Contains(string(renewed), "- b\n") && !test.found.Reach.EveryNamespace {
				t.Errorf("%v: a renewed baseline does not know it:\n%s", err, renewed)
			}
		})
	}
}

// What could not be looked at is in the file.
func TestIncomplete(t *testing.T) {
	r := report(first)
	r.Incomplete = []inventory.Gap{{What: "jobs.batch", Why: "forbidden"}}
	text, err := Of(r).Text()
	if err != nil {
		t.Fatal(err)
	}
	file, err := Read("known.yaml", text)
	if diff := cmp.Diff(r.Incomplete, file.Incomplete); diff != "" || err != nil {
		t.Error(err, diff)
	}
}

func TestIs(t *testing.T) {
	text, err := Of(report(first)).Text()
	if err != nil {
		t.Fatal(err)
	}
	for content, want := range map[string]bool{
		string(text): true, "": true, "\n": true, "kind: AuditBaseline\n": false, "a: [": false, "PRECIOUS": false, "{}": false,
		string(text) + "---\nkind: Secret\n": false, strings.Replace(string(text), "AuditBaseline", "AuditReport", 1): false,
	} {
		if Is([]byte(content)) != want {
			t.Errorf("%q: want %v", content, want)
		}
	}
}
