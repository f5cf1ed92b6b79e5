package report

import (
	"strings"
	"testing"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/audit"
)

func TestAuditTable(t *testing.T) {
	mayWrite := everyGuard()
	mayWrite.Objects[1].MayWrite = &audit.MayWrite{Create: true, Update: true}
	mayWrite.Objects[2].MayWrite = &audit.MayWrite{Update: true}
	mayWrite.Objects[3].MayWrite = &audit.MayWrite{}
	for name, test := range map[string]struct {
		report  *audit.Report
		options Options
	}{
		"empty":    {auditOf(nil), Options{}},
		"every":    {everyGuard(), Options{}},
		"width80":  {everyGuard(), Options{Width: 80}},
		"color":    {everyGuard(), Options{Color: true}},
		"maywrite": {mayWrite, Options{NoHeaders: true}},
		"whole":    {auditOf([]audit.Object{{Object: deployment("team-a", "api"), Guard: fullGuard}}), Options{}},
		"bypassed": {bypassed(), Options{}},
		"bypass80": {bypassed(), Options{Width: 80}},
		"unread":   {unreadAudit(), Options{}},
		"scoped":   {scoped(), Options{}},
		"many":     {manyGuards(900), Options{}},
		"folded":   {manyGuards(10000), Options{}},
	} {
		t.Run(name, func(t *testing.T) {
			golden(t, "audit-table-"+name+".txt", printed(t, Audit, "table", test.report, test.options))
		})
	}
}

func TestFlawWords(t *testing.T) {
	for want, a := range map[string]audit.Annotation{
		"":             {Valid: true},
		"unknown key":  {Flaw: audit.FlawUnknownKey},
		"invalid":      {Flaw: audit.FlawInvalid},
		"incompatible": {Flaw: audit.FlawIncompatible},
		"expired":      {Valid: true, Flaw: audit.FlawExpired},
	} {
		if got := flawWord(a); got != want {
			t.Errorf("%+v: %q", a, got)
		}
	}
	if got := flawWord(audit.Annotation{Flaw: "Newer"}); got != "invalid" {
		t.Errorf("a flaw that is not known: %q", got)
	}
}

// Where findings were asked for the table has no objects, and where everything goes to files only the summary is left: what could not be
// looked at is told in both.
func TestAuditWithoutObjects(t *testing.T) {
	for _, test := range []struct {
		name    string
		options Options
		want    []string
		wantNot []string
	}{
		{"findings", Options{FindingsOnly: true}, []string{"binding-does-not-deny\n", " tried as ", "finding"}, []string{"NAMESPACE", "Why?", "not listed"}},
		{"all the same", Options{FindingsOnly: true, ShowAll: true}, []string{"binding-does-not-deny\n", "NAMESPACE"}, nil},
		{"summary", Options{SummaryOnly: true}, []string{" tried as ", "finding"}, []string{"NAMESPACE", "binding-does-not-deny\n", "Remedy"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := string(printed(t, Audit, "table", everyGuard(), test.options))
			for _, want := range test.want {
				if !strings.Contains(got, want) {
					t.Errorf("no %q in\n%s", want, got)
				}
			}
			for _, not := range test.wantNot {
				if strings.Contains(got, not) {
					t.Errorf("%q in\n%s", not, got)
				}
			}
		})
	}
	if got := string(printed(t, Audit, "table", unreadAudit(), Options{SummaryOnly: true})); !strings.Contains(got, "Incomplete, not looked at") {
		t.Errorf("what is missing is not told:\n%s", got)
	}
}

func TestUnknownGuard(t *testing.T) {
	unknown := audit.ProtectionUnknown
	if got := getsThrough(audit.Object{Guard: audit.Guard{Create: unknown, Add: unknown, Edit: unknown, Remove: unknown}}); got != "unknown" {
		t.Error(got)
	}
}
