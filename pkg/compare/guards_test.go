package compare

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/authorization"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
)

// lines are a report's changes, a line each.
func lines(r Report) []string {
	var all []string
	for _, c := range r.Changes {
		for _, who := range c.Requesters {
			all = append(all, fmt.Sprintf("%s/%s %s: %s %s: %s, %s -> %s", strings.ToLower(c.Object.Kind), c.Object.Name, who, c.Operation, c.Asked, c.Effect, c.Today.Result, c.Tomorrow.Result))
		}
	}
	return all
}

func TestGuards(t *testing.T) {
	denying, warning := guard{name: "deny", action: "Deny", exempt: "ops"}, guard{name: "warn", action: "Warn"}
	subjects := func(list ...authorization.Subject) []authorization.Subject { return list }
	dev := authorization.Subject{Kind: "User", Name: "dev"}
	ci := authorization.Subject{Kind: "ServiceAccount", Namespace: "team-a", Name: "ci"}
	four := func(who, effect, sides string) []string {
		var all []string
		for _, asked := range []string{"CREATE Added", "UPDATE Added", "UPDATE Edited", "UPDATE Removed"} {
			all = append(all, fmt.Sprintf("deployment/web %s: %s: %s, %s", who, asked, effect, sides))
		}
		return all
	}
	masters := authorization.Subject{Kind: "Group", Name: "system:masters"}
	var controllers []authorization.Subject // that may patch Deployments on every cluster
	var ofControllers []string
	for _, name := range []string{"deployment-controller", "generic-garbage-collector", "storage-version-migrator-controller"} {
		controllers = append(controllers, authorization.Subject{Kind: "ServiceAccount", Namespace: "kube-system", Name: name})
		ofControllers = append(ofControllers, four("service account kube-system:"+name, "NewlyBlocked", "Allowed -> Blocked")[1:]...)
	}
	for name, test := range map[string]struct {
		today, tomorrow []any
		options         Options
		want            []string
		losing, gaining []authorization.Subject
	}{
		"a guard for the ordinary user": {
			nil, []any{denying}, Options{},
			four("nobody@ordinary.invalid", "NewlyBlocked", "Allowed -> Blocked"), nil, nil,
		},
		"the same twice": {[]any{denying}, []any{denying}, Options{}, nil, nil, nil},
		"a warning":      {nil, []any{warning}, Options{}, four("nobody@ordinary.invalid", "Otherwise", "Allowed -> Warned"), nil, nil},
		"one user": {
			[]any{denying, rbac}, []any{rbac}, Options{Requesters: []Requester{Named(request.NewRequester("dev", nil, "", nil))}},
			four("dev", "NewlyAllowed", "Blocked -> Allowed"), nil, subjects(dev),
		},
		"one who may not write": {
			[]any{rbac}, []any{denying, rbac}, Options{Requesters: []Requester{Named(request.NewRequester("auditor", nil, "", nil))}}, nil, nil, nil,
		},
		"one who may patch only": {
			[]any{rbac}, []any{denying, rbac}, Options{Requesters: []Requester{Named(request.ServiceAccount("team-a", "ci", nil, "", nil))}},
			four("service account team-a:ci", "NewlyBlocked", "Allowed -> Blocked")[1:], subjects(ci), nil,
		},
		"everybody": {
			[]any{rbac}, []any{denying, rbac}, Options{Live: true},
			slices.Concat(four("service account team-a:ci", "NewlyBlocked", "Allowed -> Blocked")[1:], four("dev", "NewlyBlocked", "Allowed -> Blocked"),
				four("group system:masters", "NewlyBlocked", "Allowed -> Blocked"), ofControllers), append(subjects(masters), append(controllers, ci, dev)...), nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			report, err := Guards(t.Context(), simulatorOf(t, test.today...), simulatorOf(t, test.tomorrow...), inventory.Query{}, test.options)
			if err != nil {
				t.Fatal(err)
			}
			anyOrder := cmpopts.SortSlices(func(a, b string) bool { return a < b })
			if diff := cmp.Diff(test.want, lines(report), anyOrder, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if diff := cmp.Diff([2][]authorization.Subject{test.losing, test.gaining}, [2][]authorization.Subject{report.Summary.Losing, report.Summary.Gaining}, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("losing and gaining (-want +got):\n%s", diff)
			}
			changed := min(len(test.want), 1)
			if report.Summary.Objects != 3 || report.Summary.Changed != changed || len(report.Incomplete) != 0 {
				t.Errorf("%+v, incomplete %v", report.Summary, report.Incomplete)
			}
		})
	}
}

// Where a side is not known no guess is shown: what is asked of the Deployment, and the CronJob's creation, since the namespace may not exist.
func TestGuardsThatAreNotKnown(t *testing.T) {
	unread := guard{name: "unread", action: "Deny"}
	for name, sides := range map[string][2][]any{
		"tomorrow": {nil, {unread}}, "today": {{unread}, nil}, "both": {{unread}, {unread}},
	} {
		t.Run(name, func(t *testing.T) {
			selector := "namespaceSelector: {matchLabels: {team: a}}, "
			manifests := func(policies []any) []any {
				for i := range policies {
					policies[i] = strings.Replace(fmt.Sprint(policies[i]), "matchConstraints: {", "matchConstraints: {"+selector, 1)
				}
				return policies
			}
			today, tomorrow := simulatorWithoutNamespace(t, manifests(sides[0])...), simulatorWithoutNamespace(t, manifests(sides[1])...)
			report, err := Guards(t.Context(), today, tomorrow, inventory.Query{}, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if s := report.Summary; s.Unknown != 2 || s.Changed != 0 || s.Effects[Unknown] != 8 || len(report.Incomplete) == 0 {
				t.Errorf("%+v, incomplete %v, changes %v", s, report.Incomplete, lines(report))
			}
		})
	}
}

// Files without roles and bindings say nothing of who may do what: everything is tried, and the report says so; subjects there are none.
func TestGuardsWithoutRBAC(t *testing.T) {
	today, tomorrow := simulatorOf(t), simulatorOf(t, guard{name: "deny", action: "Deny"})
	named := Options{Requesters: []Requester{Named(request.NewRequester("dev", nil, "", nil))}}
	report, err := Guards(t.Context(), today, tomorrow, inventory.Query{}, named)
	if err != nil {
		t.Fatal(err)
	}
	if report.Summary.Changed != 1 || !cmp.Equal(report.Assumptions, []inventory.Gap{noRBAC}) {
		t.Errorf("%+v, assumptions %v", report.Summary, report.Assumptions)
	}
	report, err = Guards(t.Context(), today, tomorrow, inventory.Query{}, Options{Live: true})
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Requesters) != 0 || len(report.Incomplete) != 1 {
		t.Errorf("%+v, incomplete %v", report.Requesters, report.Incomplete)
	}
}

// A policy that is in the way of ordinary work is no guard that nothing would change for: it denies every update of what carries an annotation, whether
// the update touches it or not.
func TestGuardsThatStopOrdinaryWork(t *testing.T) {
	const naive = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: naive}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [apps], apiVersions: [v1], resources: ["*"], operations: [CREATE, UPDATE]}]}
  validations: [{expression: "!has(object.metadata.annotations) || !object.metadata.annotations.exists(k, k.startsWith('downscaler/'))", message: not so}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: naive}
spec: {policyName: naive, validationActions: [Deny]}
`
	const replicaSet = `
apiVersion: apps/v1
kind: ReplicaSet
metadata: {name: web-1, namespace: team-a, uid: 1-4, resourceVersion: "7", creationTimestamp: "2026-01-01T00:00:00Z", annotations: {downscaler/exclude: "true"}}
spec: {selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: main, image: web}]}}}
`
	annotated := strings.Replace(objects, "name: web, namespace: team-a,", `name: web, namespace: team-a, annotations: {downscaler/exclude: "true"},`, 1)
	today := simulatorOn(t, annotated, guard{name: "deny", action: "Deny"}, replicaSet)
	tomorrow := simulatorOn(t, annotated, guard{name: "deny", action: "Deny"}, replicaSet, naive)
	report, err := Guards(t.Context(), today, tomorrow, inventory.Query{}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"deployment/web nobody@ordinary.invalid: UPDATE : NewlyBlocked, Allowed -> Blocked",
		"replicaset/web-1 nobody@ordinary.invalid: UPDATE : NewlyBlocked, Allowed -> Blocked",
	} {
		if !slices.Contains(lines(report), want) {
			t.Errorf("%q is missing in\n%s", want, strings.Join(lines(report), "\n"))
		}
	}
}

// What a policy does to a request counts, also where it would do the same without the annotation.
func TestGuardsThatRefuseEverything(t *testing.T) {
	const refusing = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: refusing}
spec:
  paramKind: {apiVersion: v1, kind: ConfigMap}
  matchConstraints: {resourceRules: [{apiGroups: [apps], apiVersions: [v1], resources: [deployments], operations: [CREATE, UPDATE]}]}
  validations: [{expression: "!object.metadata.?annotations.orValue({}).exists(k, k.startsWith(params.data.prefix))"}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: refusing}
spec: {policyName: refusing, validationActions: [Deny], paramRef: {name: missing, namespace: team-a, parameterNotFoundAction: Deny}}
`
	report, err := Guards(t.Context(), simulatorOf(t), simulatorOf(t, refusing), inventory.Query{}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if s := report.Summary; s.Effects[NewlyBlocked] != 6 || s.Unknown != 0 {
		t.Errorf("%+v, incomplete %v\n%s", s, report.Incomplete, strings.Join(lines(report), "\n"))
	}
}
