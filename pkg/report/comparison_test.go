package report

import (
	"fmt"
	"testing"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/authorization"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/compare"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

var (
	userDev  = authorization.Subject{Kind: "User", Name: "dev"}
	groupOps = authorization.Subject{Kind: "Group", Name: "ops"}
	masters  = authorization.Subject{Kind: "Group", Name: "system:masters"}
	deployer = authorization.Subject{Kind: "ServiceAccount", Namespace: "ci", Name: "deployer"}
)

func sideOf(result compare.Result, policies ...string) compare.Side {
	side := compare.Side{Result: result}
	for _, name := range policies {
		side.By = append(side.By, simulate.By{Kind: "ValidatingAdmissionPolicy", Policy: name, Binding: name + "-binding"})
	}
	return side
}

// comparisonOf has changes of one Deployment by each of some requesters, and what a person must not miss besides.
func comparisonOf(who ...authorization.Subject) *compare.Report {
	report := &compare.Report{
		APIVersion: simulate.APIVersion, Kind: "ComparisonReport", Server: inventory.Server{Version: "v1.37.1", Source: inventory.SourceCluster},
		Summary: compare.Summary{Objects: 240, Changed: 2, Unknown: 1, Effects: map[compare.Effect]int{}, Losing: who},
	}
	add := func(c compare.Change) {
		report.Changes = append(report.Changes, c)
		report.Summary.Effects[c.Effect] += len(c.Requesters)
	}
	web := simulate.ObjectRef{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "team-a", Name: "web"}
	for _, subject := range who {
		r := compare.Representing(subject)
		r.Objects, r.Loses = 240-len(report.Requesters), 2
		if subject == deployer {
			r.Objects, r.Loses = 0, 0
		}
		report.Requesters = append(report.Requesters, r)
		report.Summary.Prevented += 2
	}
	for _, asked := range []simulate.ChangeKind{simulate.Added, simulate.Removed} {
		operation := map[simulate.ChangeKind]string{simulate.Added: "CREATE", simulate.Removed: "UPDATE"}[asked]
		add(compare.Change{
			Object: web, Requesters: who, Operation: operation, Key: "downscaler/exclude", Asked: asked,
			Effect: compare.NewlyBlocked, Today: sideOf(compare.ResultAllowed), Tomorrow: sideOf(compare.ResultBlocked, "guard"),
		})
	}
	add(compare.Change{
		Object: web, Requesters: who[:1], Operation: "UPDATE",
		Effect: compare.NewlyBlocked, Today: sideOf(compare.ResultAllowed), Tomorrow: sideOf(compare.ResultBlocked, "guard"),
	})
	team := simulate.ObjectRef{APIVersion: "v1", Kind: "Namespace", Name: "team-a"}
	add(compare.Change{
		Object: team, Requesters: who[:1], Operation: "UPDATE", Subresource: "status", Key: "downscaler/uptime", Asked: simulate.Edited,
		Effect: compare.NewlyAllowed, Today: sideOf(compare.ResultReverted, "old"), Tomorrow: sideOf(compare.ResultWarned, "new"),
	})
	add(compare.Change{
		Object: simulate.ObjectRef{APIVersion: "batch/v1", Kind: "Job", Namespace: "team-a", Name: "x"}, Requesters: who[:1], Operation: "DELETE",
		Effect: compare.Unknown, Today: sideOf(compare.ResultAllowed), Tomorrow: sideOf(compare.ResultUnknown),
	})
	report.Incomplete = []inventory.Gap{{What: "ValidatingAdmissionPolicy guard", Why: "it can't be evaluated here"}}
	return report
}

func TestComparison(t *testing.T) {
	many := []authorization.Subject{masters, userDev, groupOps, deployer}
	for i := range 5 {
		many = append(many, authorization.Subject{Kind: "User", Name: fmt.Sprintf("user%d", i)})
	}
	for name, report := range map[string]*compare.Report{
		"one":  comparisonOf(userDev),
		"two":  comparisonOf(userDev, deployer),
		"many": comparisonOf(many...),
	} {
		for _, output := range []string{"table", "wide", "name"} {
			t.Run(name+"_"+output, func(t *testing.T) {
				golden(t, "comparison_"+name+"."+output, printed(t, Comparison, output, report, Options{}))
			})
		}
	}
	golden(t, "comparison.json", printed(t, Comparison, "json", comparisonOf(userDev), Options{}))
}

// Nothing that changes is an answer, too, and so is that nothing was looked at.
func TestComparisonWithoutChanges(t *testing.T) {
	ordinary := compare.Ordinary()
	for want, report := range map[string]*compare.Report{
		"Nothing was compared.\n": {},
		"0 of 12 objects would change.\nTried as an ordinary user (nobody@ordinary.invalid), who stands for all that no policy names.\n": {
			Requesters: []compare.Requester{ordinary}, Summary: compare.Summary{Objects: 12},
		},
		"REQUESTER   REQUESTS LOST  GAINED  MAY WRITE\ndev in ops  0              0       none of them: RBAC lets it write nothing\n\n0 of 12 objects would change.\nTried as dev. Nobody loses or gains anything.\n": {
			Requesters: []compare.Requester{compare.Named(request.NewRequester("dev", []string{"ops"}, "", nil))}, Summary: compare.Summary{Objects: 12},
		},
		"Nothing was compared: nobody was tried.\n": {Summary: compare.Summary{Objects: 12}},
	} {
		if got := string(printed(t, Comparison, "table", report, Options{})); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
