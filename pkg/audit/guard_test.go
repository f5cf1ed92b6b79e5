package audit

import (
	"slices"
	"strings"
	"testing"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

const (
	allowed = ProtectionAllowed
	blocked = ProtectionBlocked
	unknown = ProtectionUnknown
)

func TestGuard(t *testing.T) {
	for name, test := range map[string]struct {
		manifests []any
		want      Guard
	}{
		"no policy":          {nil, Guard{allowed, allowed, allowed, allowed}},
		"blocking":           {[]any{chartLike(false)}, Guard{blocked, blocked, blocked, blocked}},
		"mutating":           {[]any{chartLike(true)}, Guard{ProtectionStripped, ProtectionStripped, ProtectionReverted, ProtectionRestored}},
		"no removals":        {[]any{chartLike(false)[0]}, Guard{blocked, blocked, blocked, allowed}},
		"removals only":      {[]any{chartLike(false)[1]}, Guard{allowed, allowed, allowed, blocked}},
		"warning":            {[]any{guard{name: "g", resources: everyResource, actions: "[Warn]"}}, Guard{ProtectionWarned, ProtectionWarned, ProtectionWarned, allowed}},
		"auditing":           {[]any{guard{name: "g", resources: everyResource, actions: "[Audit]"}}, Guard{ProtectionAudited, ProtectionAudited, ProtectionAudited, allowed}},
		"everyone is exempt": {[]any{guard{name: "g", resources: everyResource, exempt: ".*"}}, Guard{allowed, allowed, allowed, allowed}},
		"another namespace":  {[]any{guard{name: "g", resources: everyResource, selector: "matchLabels: {team: b}"}}, Guard{allowed, allowed, allowed, allowed}},
		"one key only": {
			[]any{guard{name: "g", resources: everyResource, condition: "has(object.metadata.annotations) && 'downscaler/exclude' in object.metadata.annotations"}},
			Guard{blocked, blocked, blocked, allowed},
		},
		"unrelated denial, no guard": {[]any{requireLabels, bindingOf("require-labels", "[Deny]")}, Guard{allowed, allowed, allowed, allowed}},
		"unrelated denial, guard":    {[]any{requireLabels, bindingOf("require-labels", "[Deny]"), chartLike(false)}, Guard{blocked, blocked, blocked, blocked}},
		"unrelated denial, mutating guard": {
			[]any{requireLabels, bindingOf("require-labels", "[Deny]"), chartLike(true)},
			Guard{ProtectionStripped, ProtectionStripped, ProtectionReverted, ProtectionRestored},
		},
		"unrelated warning":        {[]any{requireLabels, bindingOf("require-labels", "[Warn]")}, Guard{allowed, allowed, allowed, allowed}},
		"denies everything":        {[]any{guard{name: "g", resources: everyResource, condition: "true || 'downscaler/x' == ''"}}, Guard{unknown, unknown, unknown, unknown}},
		"does not compile, Ignore": {[]any{guard{name: "g", resources: everyResource, condition: "'downscaler/' + 1 == ''"}}, Guard{allowed, allowed, allowed, allowed}},
		"does not compile, Fail":   {[]any{guard{name: "g", resources: everyResource, condition: "'downscaler/' + 1 == ''", failure: "Fail"}}, Guard{blocked, blocked, blocked, blocked}},
	} {
		t.Run(name, func(t *testing.T) {
			report := auditOf(t, append(test.manifests, teamA, deployment("team-a", "web", ""))...)
			if got := web(t, report).Guard; got != test.want {
				t.Errorf("got %+v, want %+v", got, test.want)
			}
		})
	}
}

func TestGuardOfCarriedKeys(t *testing.T) {
	// The policy knows one key only; the object carries it, so that a fresh key is tried beside it.
	oneKey := guard{name: "g", resources: everyResource, condition: "[object, oldObject].exists(o, o != null && has(o.metadata.annotations) && 'downscaler/exclude' in o.metadata.annotations) && " +
		"(oldObject == null || [object, oldObject].exists(o, !has(o.metadata.annotations) || !('downscaler/exclude' in o.metadata.annotations)) || object.metadata.annotations['downscaler/exclude'] != oldObject.metadata.annotations['downscaler/exclude'])"}
	for name, test := range map[string]struct {
		annotations string
		want        Guard
	}{
		"none":    {"", Guard{blocked, blocked, blocked, blocked}},
		"the key": {`downscaler/exclude: "true"`, Guard{allowed, allowed, allowed, allowed}},
		"another": {`downscaler/uptime: always`, Guard{blocked, blocked, allowed, allowed}},
	} {
		t.Run(name, func(t *testing.T) {
			report := auditOf(t, oneKey, teamA, deployment("team-a", "web", test.annotations))
			if got := web(t, report).Guard; got != test.want {
				t.Errorf("got %+v, want %+v", got, test.want)
			}
		})
	}
}

// In a namespace that is being deleted nobody creates anything, guard or not.
func TestGuardWhereTheNamespaceTerminates(t *testing.T) {
	terminating := `
apiVersion: v1
kind: Namespace
metadata: {name: team-a, deletionTimestamp: "2026-01-02T03:04:05Z", ` + stored + `}
spec: {finalizers: [kubernetes]}
status: {phase: Terminating}
`
	for name, g := range map[string][]guard{"guarded": chartLike(false), "unguarded": nil} {
		t.Run(name, func(t *testing.T) {
			report := auditOf(t, g, terminating, deployment("team-a", "web", ""))
			want := Guard{blocked, blocked, blocked, blocked}
			if name == "unguarded" {
				want = Guard{blocked, allowed, allowed, allowed}
			}
			if got := web(t, report).Guard; got != want {
				t.Errorf("got %+v, want %+v", got, want)
			}
			if len(report.Incomplete) != 0 || len(besidesRBAC(report.Assumptions)) != 0 {
				t.Errorf("incomplete %v, assumptions %v", report.Incomplete, report.Assumptions)
			}
		})
	}
}

// Where the API itself refuses, what the guard would do is not known, and the report says for which probe.
func TestGuardWhereTheAPIRefuses(t *testing.T) {
	invalid := strings.Replace(deployment("team-a", "web", ""), "name: web,", `name: web, labels: {app: "no label!"},`, 1)
	report := auditOf(t, chartLike(false), teamA, invalid)
	if got, want := web(t, report).Guard, (Guard{unknown, unknown, unknown, unknown}); got != want {
		t.Errorf("got %+v, want %+v\n%s", got, want, invalid)
	}
	want := inventory.Gap{What: "guard of create for deployments.apps in namespace team-a", Why: whyAPI}
	if !slices.Contains(report.Incomplete, want) || len(besidesRBAC(report.Assumptions)) != 0 {
		t.Errorf("incomplete %v, assumptions %v", report.Incomplete, report.Assumptions)
	}
}

func TestGuardOfUnreadNamespace(t *testing.T) {
	report := auditOf(t, guard{name: "g", resources: everyResource, selector: "matchLabels: {team: b}"}, deployment("team-a", "web", ""))
	if got, want := web(t, report).Guard, (Guard{unknown, unknown, unknown, unknown}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if len(report.Incomplete) == 0 {
		t.Error("nothing is incomplete")
	}
}

func TestUnknownBesideCertain(t *testing.T) {
	of := func(p ...Protection) Protection {
		var all []tried
		for _, one := range p {
			all = append(all, tried{Probe: Probe{Column: ColumnEdit}, protection: one})
		}
		return guardOf(all).Edit
	}
	for _, test := range []struct{ got, want Protection }{
		{of(unknown, blocked), unknown},
		{of(blocked, unknown), unknown},
		{of(unknown, allowed), allowed},
		{of(ProtectionWarned, unknown), ProtectionWarned},
		{of(ProtectionAudited, ProtectionWarned), ProtectionAudited},
		{of(ProtectionReverted, blocked), blocked},
	} {
		if test.got != test.want {
			t.Errorf("got %s, want %s", test.got, test.want)
		}
	}
}

// besidesRBAC leaves out that there are no roles and bindings, which most tests have no use for.
func besidesRBAC(gaps []inventory.Gap) []inventory.Gap {
	return slices.DeleteFunc(slices.Clone(gaps), func(gap inventory.Gap) bool { return gap.What == whoGetsRound })
}
