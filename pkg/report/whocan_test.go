package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/audit"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/authorization"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/whocan"
)

// whoCanOf has some objects of one namespace each, and a namespace itself, with every kind of path.
func whoCanOf(namespaces int) *whocan.Report {
	report := &whocan.Report{
		APIVersion: simulate.APIVersion, Kind: "WhoCanReport", Server: inventory.Server{Version: "v1.37.1", Source: inventory.SourceCluster},
		Asked:       whocan.Asked{Change: whocan.Remove, Key: "downscaler/uptime"},
		Assumptions: []inventory.Gap{{What: "who is in which group", Why: "roles and bindings don't say"}},
	}
	requester := func(s authorization.Subject, result audit.Protection, by ...simulate.By) whocan.Requester {
		r := s.Requester()
		return whocan.Requester{Subject: s, Username: r.Username, Groups: r.Groups, Result: result, By: by, GrantedBy: `RoleBinding "b/team-a" of ClusterRole "edit" to ` + s.Name}
	}
	guard := simulate.By{Kind: "ValidatingAdmissionPolicy", Policy: "guard", Binding: "guard-binding"}
	administrator := requester(masters, audit.ProtectionBlocked, guard)
	administrator.Administrator = true
	status := requester(groupOps, audit.ProtectionAllowed)
	status.Subresource, status.Unguarded = "status", true
	named, partly := requester(deployer, audit.ProtectionAllowed), requester(authorization.Subject{Kind: "User", Name: "zoe"}, audit.ProtectionAllowed)
	named.Exemptions = []audit.Exemption{{Policy: "guard", Match: policy.MatchEquals, Text: deployer.Name}, {Policy: "other", Match: policy.MatchPrefix, Text: "sys"}, {Policy: "other", Match: policy.MatchRegex, Text: "^s.*$"}}
	partly.Exemptions = []audit.Exemption{{Policy: "guard", Match: policy.MatchRegex, Text: "^zo", Part: true}}
	accounts := authorization.Subject{Kind: "Group", Name: "system:serviceaccounts:ci"}
	requesters := []whocan.Requester{administrator, status, named, requester(userDev, audit.ProtectionBlocked, guard), requester(authorization.Subject{Kind: "User", Name: "kim"}, audit.ProtectionUnknown), partly}
	mallory := authorization.Subject{Kind: "User", Name: "mallory"}
	right := func(what string) []authorization.Right {
		return []authorization.Right{{What: what, By: `ClusterRoleBinding "c" of ClusterRole "d" to User "mallory"`}}
	}
	paths := []whocan.Path{
		{Kind: authorization.PathImpersonation, From: mallory, To: &deployer, Rights: append(right("impersonate groups ops"), right("impersonate users")...)},
		{Kind: authorization.PathToken, From: mallory, To: &deployer, Rights: right("create serviceaccounts/token deployer in namespace ci")},
		{Kind: authorization.PathPod, From: mallory, To: &deployer, Rights: right("create pods in namespace ci")},
		{Kind: authorization.PathAccount, From: mallory, To: &accounts, Rights: right("create serviceaccounts in namespace ci")},
		{Kind: whocan.PathPolicy, From: userDev, Rights: right("patch validatingadmissionpolicies/guard")},
	}
	for i := range namespaces {
		report.Objects = append(report.Objects, whocan.Object{Object: deployment(fmt.Sprintf("team-%02d", i), "web"), Requesters: requesters, Paths: paths})
	}
	report.Objects = append(report.Objects, whocan.Object{
		Object: simulate.ObjectRef{APIVersion: "v1", Kind: "Namespace", Name: "team-00"}, Requesters: requesters[3:4],
	})
	report.Summary = whocan.Summarize(report.Objects)
	return report
}

func TestWhoCan(t *testing.T) {
	for _, output := range []string{"table", "wide", "name", "json"} {
		golden(t, "whocan."+output, printed(t, WhoCan, output, whoCanOf(1), Options{}))
	}
	golden(t, "whocan_all.wide", printed(t, WhoCan, "wide", whoCanOf(1), Options{ShowAll: true}))
	golden(t, "whocan_many.table", printed(t, WhoCan, "table", whoCanOf(60), Options{}))
	golden(t, "whocan_narrow.table", printed(t, WhoCan, "table", whoCanOf(1), Options{Width: 80}))
}

func TestWhoCanSummary(t *testing.T) {
	nobody := whoCanOf(0)
	for want, report := range map[string]*whocan.Report{
		"Nothing was looked at.\n": {},
		"Remove downscaler/uptime on 1 object: nobody gets through but administrators; 1 user may write and is stopped.\n": {Asked: nobody.Asked, Summary: nobody.Summary},
	} {
		if got := string(printed(t, WhoCan, "table", report, Options{})); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// A cell names as many as there is room for, those first whom a pattern lets through by a part of their name.
func TestWhoCanNames(t *testing.T) {
	report := &whocan.Report{Objects: []whocan.Object{{Object: deployment("team-a", "web")}}}
	for i := range readableSubjects + 1 {
		who := authorization.Subject{Kind: "User", Name: fmt.Sprint("user", i)}
		r := whocan.Requester{Subject: who, Result: audit.ProtectionAllowed, Exemptions: []audit.Exemption{{Part: i == readableSubjects}}}
		report.Objects[0].Requesters = append(report.Objects[0].Requesters, r)
	}
	const all = "user8, user0, user1, user2, user3, user4, user5, user6"
	if got, want := whoCanRows(report, readableSubjects)[0][2], all+", user7"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	one := whocan.Requester{Subject: authorization.Subject{Kind: "User", Name: "user9"}, Result: audit.ProtectionAllowed}
	report.Objects[0].Requesters = append(report.Objects[0].Requesters, one)
	if got, want := whoCanRows(report, readableSubjects)[0][2], all+", and 2 more"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// Of several objects, whoever gets through on one is counted so, and not lost where they don't.
func TestWhoCanOnOneOfThem(t *testing.T) {
	report := whoCanOf(2)
	report.Objects[0].Requesters = []whocan.Requester{{Subject: userDev, Result: audit.ProtectionAllowed}}
	report.Objects[0].Paths, report.Objects[1].Paths = nil, nil
	report.Summary = whocan.Summarize(report.Objects)
	got := whoCanSummary(report, Options{})
	if !strings.Contains(got, "get through on at least one of them (1 user does not on others)") {
		t.Error(got)
	}
}

func TestHostileWhoCan(t *testing.T) {
	who := authorization.Subject{Kind: hostile, Namespace: hostile, Name: hostile}
	for _, format := range []string{"table", "wide", "json", "yaml", "name"} {
		for _, width := range []int{0, 80} {
			report := &whocan.Report{
				Asked: whocan.Asked{Change: whocan.Change(hostile), Key: hostile},
				Objects: []whocan.Object{{
					Object: deployment(hostile, hostile),
					Requesters: []whocan.Requester{{Subject: who, Result: audit.Protection(hostile), Subresource: hostile, By: []simulate.By{{Policy: hostile}}, GrantedBy: hostile}, {
						Subject: who, Result: audit.ProtectionAllowed, Subresource: hostile, GrantedBy: hostile,
						Exemptions: []audit.Exemption{{Policy: hostile, Match: policy.Match(hostile), Text: hostile, Part: true}, {Policy: hostile, Match: policy.MatchPrefix, Text: hostile}},
					}},
					Paths: []whocan.Path{{Kind: authorization.PathKind(hostile), From: who, To: &who, Rights: []authorization.Right{{What: hostile, By: hostile}}}, {From: who}},
				}},
				Incomplete: []inventory.Gap{{What: hostile, Why: hostile}},
			}
			report.Summary = whocan.Summarize(report.Objects)
			assertHarmless(t, printed(t, WhoCan, format, report, Options{Terminal: true, Width: width, ShowAll: true}))
		}
	}
}
