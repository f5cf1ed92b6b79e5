package audit

import (
	"strings"
	"testing"
)

// letsThrough lets the service account ci:deployer change annotations, which may write Deployments in team-a.
func letsThrough(pattern string) []any {
	additions, removals := chartLike(false)[0], chartLike(false)[1]
	additions.exempt, removals.exempt = pattern, pattern
	return []any{additions, removals, teamA, deployment("team-a", "web", `downscaler/exclude: "true"`), granted("team-a", "deploy", deploys, deployer)}
}

const onlyDeployer = "^system:serviceaccount:ci:deployer$"

func TestPrivilegedPath(t *testing.T) {
	in := func(rules string) string { return granted("ci", "way", rules, mallory) }
	for name, test := range map[string]struct {
		rbac, message string
	}{
		"impersonate":        {in(impersonates), "user mallory (impersonate serviceaccounts deployer in namespace ci, by RoleBinding \"way/ci\" of Role \"way\" to User \"mallory\")"},
		"in every namespace": {granted("", "way", impersonates, mallory), `by ClusterRoleBinding "way" of ClusterRole "way"`},
		"token":              {in(`{apiGroups: [""], resources: [serviceaccounts/token], verbs: [create]}`), "create serviceaccounts/token deployer in namespace ci"},
		"pod":                {in(`{apiGroups: [""], resources: [pods], verbs: [create]}`), "create pods in namespace ci"},
		"certificate": {
			granted("", "way", `{apiGroups: [certificates.k8s.io], resources: [certificatesigningrequests, certificatesigningrequests/approval], verbs: [create, update]}, `+
				`{apiGroups: [certificates.k8s.io], resources: [signers], resourceNames: [kubernetes.io/kube-apiserver-client], verbs: [approve]}`, mallory),
			"approve signers.certificates.k8s.io kubernetes.io/kube-apiserver-client",
		},
		"a workload's template": {
			in(`{apiGroups: [apps], resources: [deployments], verbs: [patch]}`) + "\n---\n" + deployment("ci", "runner", ""), "patch deployments.apps in namespace ci",
		},
		"into a pod": {
			in(`{apiGroups: [""], resources: [pods/exec], verbs: [create]}`) + "\n---\n{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: ci}, spec: {serviceAccountName: deployer, containers: [{name: c, image: i}]}}",
			"create pods/exec in namespace ci",
		},
		"workload":                {in(`{apiGroups: [batch], resources: [cronjobs], verbs: ["*"]}`), "create cronjobs.batch in namespace ci"},
		"a group":                 {granted("ci", "way", impersonates, `{kind: Group, name: devs}`), "group devs (impersonate"},
		"everybody":               {granted("ci", "way", impersonates, `{kind: Group, name: "system:authenticated"}`), "group system:authenticated (impersonate"},
		"another service account": {granted("ci", "way", impersonates, `{kind: ServiceAccount, namespace: team-a, name: bot}`), "service account team-a:bot (impersonate"},
		"who is stopped herself":  {in(impersonates) + "\n---\n" + granted("team-a", "own", deploys, mallory), "user mallory (impersonate"},
		"the edit role in its namespace": {
			`{apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, metadata: {name: edit, namespace: ci}, roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: edit}, subjects: [` + mallory + `]}`,
			`of ClusterRole "edit" to User "mallory"`,
		},
		"constrained": {
			in(`{apiGroups: [authentication.k8s.io], resources: [serviceaccounts], verbs: ["impersonate:serviceaccount"]}`) + "\n---\n" +
				granted("team-a", "requests", `{apiGroups: [apps], resources: [deployments], verbs: ["impersonate-on:serviceaccount:patch"]}`, mallory),
			"impersonate:serviceaccount serviceaccounts.authentication.k8s.io deployer in namespace ci, by RoleBinding \"way/ci\"",
		},
	} {
		t.Run(name, func(t *testing.T) {
			report := auditOf(t, append(letsThrough(onlyDeployer), test.rbac)...)
			found := found(report, "privileged-path")
			if len(found) == 0 {
				t.Fatalf("nothing found: %+v", report.Findings)
			}
			f := found[0]
			if f.Subject != (Subject{Kind: "ServiceAccount", Namespace: "ci", Name: "deployer"}) || f.Severity != High {
				t.Errorf("%+v", f)
			}
			for _, want := range []string{test.message, "Inferred from RBAC", "service account ci:deployer", "deployments.apps/web in team-a"} {
				if !strings.Contains(f.Message, want) {
					t.Errorf("%s lacks %s", f.Message, want)
				}
			}
			if want := "kubectl downscaler-compliance who-can set downscaler/compliance-probe deployments.apps/web -n team-a -o wide"; f.Evidence != want {
				t.Errorf("evidence %s, want %s", f.Evidence, want)
			}
		})
	}
}

// Users and groups are impersonated; who is in a group of service accounts is tried by name.
func TestPrivilegedPathToOthers(t *testing.T) {
	additions := chartLike(false)[0]
	objects := []any{teamA, deployment("team-a", "web", "")}
	for name, test := range map[string]struct {
		exempt string
		rbac   string
		want   Subject
	}{
		"user": {"^alice$", granted("team-a", "deploy", deploys, `{kind: User, name: alice}`), Subject{Kind: "User", Name: "alice"}},
		"account by its group": {
			onlyDeployer, "{apiVersion: v1, kind: ServiceAccount, metadata: {name: deployer, namespace: ci}}\n---\n" +
				granted("team-a", "deploy", deploys, `{kind: Group, name: "system:serviceaccounts:ci"}`),
			Subject{Kind: "ServiceAccount", Namespace: "ci", Name: "deployer"},
		},
		"any account of a namespace": {
			"^system:serviceaccount:ci:.*$", granted("team-a", "deploy", deploys, `{kind: Group, name: "system:serviceaccounts:ci"}`),
			Subject{Kind: "Group", Name: "system:serviceaccounts:ci"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			additions.exempt = test.exempt
			report := auditOf(t, append(objects, additions, test.rbac, granted("", "way", impersonates, mallory))...)
			if f := one(t, report, "privileged-path", "who-can set downscaler/exclude"); f.Subject != test.want {
				t.Errorf("%+v", f)
			}
		})
	}
}

// Accounts of one namespace to which the same leads are one finding.
func TestPrivilegedPathsJoined(t *testing.T) {
	twin := strings.ReplaceAll(granted("team-a", "twin", deploys, deployer), "name: deployer", "name: deployer-2")
	report := auditOf(t, append(letsThrough("^system:serviceaccount:ci:deployer"), twin, granted("ci", "way", impersonates, mallory))...)
	f := one(t, report, "privileged-path", "who-can")
	if want := "service account ci:deployer and service account ci:deployer-2"; !strings.Contains(f.Message, want) {
		t.Errorf("%s lacks %s", f.Message, want)
	}
}

func TestPrivilegedPathSilent(t *testing.T) {
	way := granted("ci", "way", impersonates, mallory)
	stopped := granted("team-a", "more", deploys, mallory)
	for name, manifests := range map[string][]any{
		"nobody else":                         {letsThrough(onlyDeployer)},
		"administrators":                      {letsThrough(onlyDeployer), granted("", "admin", all, mallory)},
		"in another namespace":                {letsThrough(onlyDeployer), granted("team-a", "way", impersonates, mallory)},
		"a template of nothing":               {letsThrough(onlyDeployer), granted("ci", "way", `{apiGroups: [apps], resources: [deployments], verbs: [patch]}`, mallory)},
		"into nothing":                        {letsThrough(onlyDeployer), granted("ci", "way", `{apiGroups: [""], resources: [pods/exec], verbs: [create]}`, mallory)},
		"groups alone":                        {exemptGroup, granted("", "way", `{apiGroups: [""], resources: [groups], verbs: [impersonate]}`, mallory)},
		"a group that is not exempt":          {exemptGroup, granted("", "way", `{apiGroups: [""], resources: [groups, users], resourceNames: [devs, mallory], verbs: [impersonate]}`, mallory)},
		"together with one who may not write": {exemptGroup, granted("", "way", `{apiGroups: [""], resources: [groups, users], resourceNames: [ops, zed], verbs: [impersonate]}`, mallory)},
		"another account":                     {letsThrough(onlyDeployer), granted("ci", "way", `{apiGroups: [""], resources: [serviceaccounts], resourceNames: [other], verbs: [impersonate]}`, mallory)},
		"the right to look":                   {letsThrough(onlyDeployer), granted("ci", "way", `{apiGroups: [""], resources: [serviceaccounts, pods], verbs: [get, list, watch]}`, mallory)},
		"kube-system's own":                   {letsThrough(onlyDeployer), strings.ReplaceAll(way, mallory, `{kind: ServiceAccount, namespace: kube-system, name: job-controller}`)},
		"itself":                              {letsThrough(onlyDeployer), strings.ReplaceAll(way, mallory, deployer)},
		"who gets through as well":            {letsThrough("^(system:serviceaccount:ci:deployer|mallory)$"), way, stopped},
		"to one who is stopped, too":          {letsThrough("^alice$"), way},
		"to one without the right":            {chartLike(false), teamA, deployment("team-a", "web", ""), guard{name: "g", exempt: onlyDeployer, resources: everyResource}, way},
		"no guard":                            {teamA, deployment("team-a", "web", ""), granted("team-a", "deploy", deploys, deployer), way},
		"constrained, for something else": {
			letsThrough(onlyDeployer), granted("ci", "way", `{apiGroups: [authentication.k8s.io], resources: [serviceaccounts], verbs: ["impersonate:serviceaccount"]}`, mallory),
			granted("team-a", "requests", `{apiGroups: [apps], resources: [deployments], verbs: ["impersonate-on:serviceaccount:get"]}`, mallory),
		},
		"hardened": {hardened(t), teamA, deployment("team-a", "web", ""), granted("team-a", "deploy", deploys, `{kind: User, name: user1}, {kind: User, name: dev}`)},
	} {
		t.Run(name, func(t *testing.T) {
			silent(t, auditOf(t, flatten(manifests)...), "privileged-path")
		})
	}
}

// exemptGroup is a guard that lets a group through to which no role is bound; mallory may write.
var exemptGroup = []any{
	guard{name: "g", resources: everyResource, condition: touched + " && !('ops' in request.userInfo.groups)"}, teamA, deployment("team-a", "web", ""), granted("team-a", "deploy", deploys, mallory),
}

// Somebody's rights and a name that lets them through need not be one's.
func TestPrivilegedPathTogether(t *testing.T) {
	impersonating := func(names string) string {
		return granted("", "way", `{apiGroups: [""], resources: [groups, users, serviceaccounts], resourceNames: `+names+`, verbs: [impersonate]}`, `{kind: User, name: eve}, `+mallory)
	}
	for name, test := range map[string]struct{ rbac, message string }{
		"with oneself":       {impersonating("[ops, mallory]"), "user mallory (impersonate groups ops, by ClusterRoleBinding \"way\" of ClusterRole \"way\" to User \"mallory\"; impersonate users mallory, "},
		"with somebody else": {impersonating("[ops, mallory]"), "user eve (impersonate groups ops, by ClusterRoleBinding \"way\" of ClusterRole \"way\" to User \"eve\"; impersonate users mallory, "},
		"with a group of writers": {
			impersonating("[ops, devs, zed]") + "\n---\n" + granted("team-a", "devs", deploys, `{kind: Group, name: devs}`), "impersonate groups devs",
		},
		"by the right of everybody": {
			impersonating("[ops, zed]") + "\n---\n" + granted("team-a", "all", deploys, `{kind: Group, name: "system:authenticated"}`), "user eve (impersonate groups ops",
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := only(t, auditOf(t, append(exemptGroup, test.rbac)...), "privileged-path")
			if f.Subject != (Subject{Kind: "Group", Name: "ops"}) || !strings.Contains(f.Message, test.message) || !strings.Contains(f.Message, "can impersonate group ops together with somebody who may write, whom the guard lets through") {
				t.Errorf("%+v", f)
			}
		})
	}
}

// Without roles and bindings nobody can tell, and the report says so.
func TestPrivilegedPathUnknown(t *testing.T) {
	report := auditOf(t, chartLike(false), teamA, deployment("team-a", "web", ""))
	if len(report.Assumptions) != 1 || report.Assumptions[0].What != whoGetsRound {
		t.Errorf("%+v", report.Assumptions)
	}
	report = auditOf(t, append(letsThrough(onlyDeployer), `{apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, metadata: {name: b, namespace: ci}, roleRef: {kind: Role, name: gone}, subjects: [`+mallory+`]}`)...)
	if len(report.Assumptions) != 1 || report.Assumptions[0].What != "Role gone" {
		t.Errorf("%+v", report.Assumptions)
	}
}

// flatten takes lists of manifests apart.
func flatten(lists []any) []any {
	var flat []any
	for _, item := range lists {
		if list, is := item.([]any); is {
			flat = append(flat, list...)
			continue
		}
		flat = append(flat, item)
	}
	return flat
}
