package audit

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
)

// grant is a Role of a namespace, or without one a ClusterRole, bound to a user.
func grant(namespace, user, rule string) string {
	at, kind := "", "ClusterRole"
	if namespace != "" {
		at, kind = ", namespace: "+namespace, "Role"
	}
	return strings.NewReplacer("AT", at, "KIND", kind, "USER", user, "RULE", rule).Replace(`
{apiVersion: rbac.authorization.k8s.io/v1, kind: KIND, metadata: {name: r-USERAT}, rules: [RULE]}
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: KINDBinding, metadata: {name: b-USERAT}, roleRef: {apiGroup: rbac.authorization.k8s.io, kind: KIND, name: r-USER}, subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: USER}]}
`)
}

// TestMayWrite: what RBAC says stands beside the guard, which is tried past it.
func TestMayWrite(t *testing.T) {
	state := []any{teamA, deployment("team-a", "web", ""), deployment("team-a", "api", ""), guard{name: "guard", resources: everyResource}}
	for name, test := range map[string]struct {
		rights string
		want   map[string]MayWrite
	}{
		"everything":        {grant("", "kim", `{apiGroups: ["*"], resources: ["*"], verbs: ["*"]}`), map[string]MayWrite{"team-a": {true, true}, "web": {true, true}, "api": {true, true}}},
		"someone else":      {grant("", "other", `{apiGroups: ["*"], resources: ["*"], verbs: ["*"]}`), map[string]MayWrite{"team-a": {}, "web": {}, "api": {}}},
		"patch":             {grant("team-a", "kim", `{apiGroups: [apps], resources: [deployments], verbs: [patch]}`), map[string]MayWrite{"team-a": {}, "web": {Update: true}, "api": {Update: true}}},
		"update":            {grant("team-a", "kim", `{apiGroups: [apps], resources: [deployments], verbs: [update]}`), map[string]MayWrite{"team-a": {}, "web": {Update: true}, "api": {Update: true}}},
		"create":            {grant("team-a", "kim", `{apiGroups: [apps], resources: [deployments], verbs: [create]}`), map[string]MayWrite{"team-a": {}, "web": {Create: true}, "api": {Create: true}}},
		"by name":           {grant("team-a", "kim", `{apiGroups: [apps], resources: [deployments], resourceNames: [api], verbs: ["*"]}`), map[string]MayWrite{"team-a": {}, "web": {}, "api": {Update: true}}},
		"one's namespace":   {grant("team-a", "kim", `{apiGroups: [""], resources: [namespaces], verbs: ["*"]}`), map[string]MayWrite{"team-a": {Update: true}, "web": {}, "api": {}}},
		"every namespace":   {grant("", "kim", `{apiGroups: [""], resources: [namespaces], verbs: [create]}`), map[string]MayWrite{"team-a": {Create: true}, "web": {}, "api": {}}},
		"subresources only": {grant("", "kim", `{apiGroups: [apps], resources: [deployments/status], verbs: ["*"]}`), map[string]MayWrite{"team-a": {}, "web": {}, "api": {}}},
	} {
		t.Run(name, func(t *testing.T) {
			report := auditWith(t, Options{Requester: request.NewRequester("kim", nil, "", nil)}, append(state, test.rights)...)
			got := map[string]MayWrite{}
			for _, o := range report.Objects {
				if o.MayWrite == nil {
					t.Fatal(o.Object.Name, "is not told")
				}
				got[o.Object.Name] = *o.MayWrite
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
			if o := web(t, report); o.Guard.Add != ProtectionBlocked || len(report.Incomplete)+len(report.Assumptions) > 0 {
				t.Errorf("guard %+v, incomplete %v, assumptions %v", o.Guard, report.Incomplete, report.Assumptions)
			}
		})
	}
}

// TestMayWriteUnsaid: nothing is said of the ordinary user, nor where nobody knows.
func TestMayWriteUnsaid(t *testing.T) {
	state := []any{teamA, deployment("team-a", "web", "")}
	ordinary := auditWith(t, Options{}, append(state, grant("", "kim", `{apiGroups: ["*"], resources: ["*"], verbs: ["*"]}`))...)
	if web(t, ordinary).MayWrite != nil {
		t.Error("the ordinary user is nobody in particular")
	}
	kim := Options{Requester: request.NewRequester("kim", nil, "", nil)}
	silent := auditWith(t, kim, state...)
	if diff := cmp.Diff([]inventory.Gap{noRBAC}, silent.Assumptions); web(t, silent).MayWrite != nil || diff != "" || len(silent.Incomplete) > 0 {
		t.Errorf("%s, incomplete %v", diff, silent.Incomplete)
	}
}

// TestGuardAsksAuthorizer: a guard whose exemption is a right is tried with what the roles say.
func TestGuardAsksAuthorizer(t *testing.T) {
	asking := guard{name: "guard", resources: everyResource, exempt: "", condition: touched + ` && !authorizer.group('downscaler.dev').resource('annotations').check('write').allowed()`}
	rights := grant("", "kim", `{apiGroups: [downscaler.dev], resources: [annotations], verbs: [write]}`)
	for user, want := range map[string]Protection{"kim": ProtectionAllowed, "other": ProtectionBlocked} {
		report := auditWith(t, Options{Requester: request.NewRequester(user, nil, "", nil)}, teamA, deployment("team-a", "web", ""), asking, rights)
		if got := web(t, report).Guard.Add; got != want || len(report.Incomplete) > 0 {
			t.Errorf("%s: %s, want %s; incomplete %v", user, got, want, report.Incomplete)
		}
	}
	report := auditWith(t, Options{}, teamA, deployment("team-a", "web", ""), asking)
	if got := web(t, report).Guard.Add; got != ProtectionUnknown || len(report.Incomplete) == 0 {
		t.Errorf("without roles: %s, incomplete %v", got, report.Incomplete)
	}
}

// TestFindingsPastAuthorization: that roles stop the ordinary user changes no finding, nor those that take a policy tried alone.
func TestFindingsPastAuthorization(t *testing.T) {
	state := []any{teamA, deployment("team-a", "web", ""), nightly, guard{name: "alone", mutating: true, resources: everyResource, unbound: true, condition: "object.metadata.annotations.size() > 0", exempt: ""}, guard{name: "guard", resources: []string{"apps/deployments"}}}
	without := auditOf(t, state...)
	with := auditOf(t, append(state, grant("", "other", `{apiGroups: ["*"], resources: ["*"], verbs: ["*"]}`))...)
	if len(found(without, "policy-without-binding")) == 0 {
		t.Errorf("%+v", without.Findings)
	}
	if diff := cmp.Diff(without.Findings, with.Findings); diff != "" {
		t.Error(diff)
	}
}
