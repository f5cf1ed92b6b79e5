package whocan

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/audit"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

const objects = `
{apiVersion: v1, kind: Namespace, metadata: {name: team-a}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: team-a, annotations: {downscaler/uptime: always}}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: main, image: web}]}
---
{apiVersion: v1, kind: ServiceAccount, metadata: {name: deployer, namespace: ci}}
---
{apiVersion: v1, kind: ServiceAccount, metadata: {name: other, namespace: ci}}
`

// guard lets through whom an expression is true of; resources are those of its rule.
func guard(exempt, resources string) string {
	return fmt.Sprintf(`
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: guard}
spec:
  failurePolicy: Fail
  matchConstraints: {resourceRules: [{apiGroups: [apps], apiVersions: ["*"], operations: [CREATE, UPDATE], resources: [%s]}]}
  matchConditions: [{name: others, expression: %q}]
  variables:
  - {name: new, expression: "object.metadata.?annotations.orValue({}).transformMap(k, v, k.startsWith('downscaler/'), v)"}
  - {name: old, expression: "oldObject == null ? {} : oldObject.metadata.?annotations.orValue({}).transformMap(k, v, k.startsWith('downscaler/'), v)"}
  validations: [{expression: "variables.new == variables.old"}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: guard}
spec: {policyName: guard, validationActions: [Deny]}
`, resources, "!("+exempt+")")
}

const (
	covered     = "deployments, deployments/status"
	forDeployer = "request.userInfo.username == 'system:serviceaccount:ci:deployer'"
	deploys     = `{apiGroups: [apps], resources: [deployments], verbs: [patch]}`
)

// granted binds a role of the same name in a namespace, or in none, to subjects.
func granted(namespace, name, rules, subjects string) string {
	kind, in := "ClusterRole", ""
	if namespace != "" {
		kind, in = "Role", ", namespace: "+namespace
	}
	return fmt.Sprintf(`
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: %[1]s, metadata: {name: %[2]s%[3]s}, rules: [%[4]s]}
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: %[1]sBinding, metadata: {name: %[2]s%[3]s}, roleRef: {apiGroup: rbac.authorization.k8s.io, kind: %[1]s, name: %[2]s}, subjects: [%[5]s]}
`, kind, name, in, rules, subjects)
}

// asked answers for the Deployment web.
func asked(t *testing.T, manifests string, what Asked) Report {
	t.Helper()
	inv, err := inventory.FromFiles(t.Context(), inventory.FileSource{Path: "test", Reader: strings.NewReader(objects + manifests)})
	if err != nil {
		t.Fatal(err)
	}
	simulator, err := simulate.New(t.Context(), inv, inv.Policies())
	if err != nil {
		t.Fatal(err)
	}
	kind, err := inv.Kinds().Resolve("deployments")
	if err != nil {
		t.Fatal(err)
	}
	web, err := inv.Get(t.Context(), kind, "team-a", "web")
	if err != nil {
		t.Fatal(err)
	}
	report, err := Run(t.Context(), simulator, slices.Values([]inventory.Object{web}), what)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

var setExclude = Asked{Change: Set, Key: "downscaler/exclude"}

// lines writes an answer, administrators left out.
func lines(report Report) []string {
	var all []string
	for _, o := range report.Objects {
		for _, r := range o.Requesters {
			if !r.Administrator {
				all = append(all, strings.TrimSpace(fmt.Sprintf("%s %s %s", r.Subject, r.Result, r.Subresource)))
			}
		}
		for _, p := range o.Paths {
			to := "the guard"
			if p.To != nil {
				to = p.To.String()
			}
			if p.With != nil {
				to += " with " + p.With.String()
			}
			all = append(all, fmt.Sprintf("%s: %s to %s", p.From, p.Kind, to))
		}
	}
	return all
}

const (
	deployerBound = `{kind: ServiceAccount, name: deployer, namespace: ci}`
	dev           = `{kind: User, name: dev}`
	mallory       = `{kind: User, name: mallory}`
)

func TestRun(t *testing.T) {
	impersonates := `{apiGroups: [""], resources: [serviceaccounts], verbs: [impersonate]}`
	bound := granted("team-a", "deploy", deploys, deployerBound+", "+dev)
	for name, test := range map[string]struct {
		manifests string
		want      []string
	}{
		"direct and stopped":   {guard(forDeployer, covered) + bound, []string{"service account ci:deployer Allowed", "dev Blocked"}},
		"by a subresource":     {guard(forDeployer, "deployments") + granted("team-a", "status", `{apiGroups: [apps], resources: [deployments, deployments/status], verbs: [patch]}`, dev), []string{"dev Allowed status"}},
		"by impersonation":     {guard(forDeployer, covered) + bound + granted("ci", "way", impersonates, mallory), []string{"service account ci:deployer Allowed", "dev Blocked", "mallory: Impersonation to service account ci:deployer"}},
		"who is stopped":       {guard(forDeployer, covered) + bound + granted("ci", "way", impersonates, dev), []string{"service account ci:deployer Allowed", "dev Blocked", "dev: Impersonation to service account ci:deployer"}},
		"who is let through":   {guard(forDeployer+" || request.userInfo.username == 'dev'", covered) + bound + granted("ci", "way", impersonates, dev), []string{"service account ci:deployer Allowed", "dev Allowed"}},
		"to one that is not":   {guard("false", covered) + bound + granted("ci", "way", impersonates, mallory), []string{"service account ci:deployer Blocked", "dev Blocked"}},
		"through the guard":    {guard(forDeployer, covered) + bound + granted("", "editor", `{apiGroups: [admissionregistration.k8s.io], resources: [validatingadmissionpolicies], verbs: [delete]}`, dev+", "+mallory), []string{"service account ci:deployer Allowed", "dev Blocked", "dev: Policy to the guard"}},
		"creating no policies": {guard(forDeployer, covered) + bound + granted("", "editor", `{apiGroups: [admissionregistration.k8s.io], resources: ["*"], verbs: [create]}`, dev), []string{"service account ci:deployer Allowed", "dev Blocked"}},
		"constrained": {
			guard(forDeployer, covered) + bound + granted("", "way", `{apiGroups: [authentication.k8s.io], resources: [serviceaccounts], verbs: ["impersonate:serviceaccount"]}, {apiGroups: [apps], resources: [deployments], verbs: ["impersonate-on:serviceaccount:patch"]}`, mallory),
			[]string{"service account ci:deployer Allowed", "dev Blocked", "mallory: Impersonation to service account ci:deployer"},
		},
		"members of a group by name": {
			guard(forDeployer, covered) + granted("team-a", "deploy", deploys, `{kind: Group, name: "system:serviceaccounts:ci"}`),
			[]string{"group system:serviceaccounts:ci Blocked", "service account ci:deployer Allowed", "service account ci:other Blocked"},
		},
		"together with oneself": {
			guard("'ops' in request.userInfo.groups", covered) + bound + granted("", "way", `{apiGroups: [""], resources: [groups, users], resourceNames: [ops, dev], verbs: [impersonate]}`, dev+", "+mallory),
			[]string{"service account ci:deployer Blocked", "dev Blocked", "dev: Impersonation to group ops with dev", "mallory: Impersonation to group ops with dev"},
		},
		"a group alone": {
			guard("'ops' in request.userInfo.groups", covered) + bound + granted("", "way", `{apiGroups: [""], resources: [groups], verbs: [impersonate]}`, mallory),
			[]string{"service account ci:deployer Blocked", "dev Blocked"},
		},
		"as an administrator": {
			guard(forDeployer, covered) + bound + granted("", "way", `{apiGroups: [""], resources: [groups, users], resourceNames: ["system:masters", zed], verbs: [impersonate]}`, mallory),
			[]string{"service account ci:deployer Allowed", "dev Blocked", "mallory: Policy to group system:masters"},
		},
		"as one who may write the guard": { // mallory has no right to the object
			guard(forDeployer, covered) + bound + granted("", "editor", `{apiGroups: [admissionregistration.k8s.io], resources: [validatingadmissionpolicies], verbs: [delete]}`, `{kind: User, name: zoe}`) +
				granted("", "way", `{apiGroups: [""], resources: [users], resourceNames: [zoe], verbs: [impersonate]}`, dev+", "+mallory),
			[]string{"service account ci:deployer Allowed", "dev Blocked", "dev: Policy to zoe"},
		},
		"every right": {
			guard(forDeployer, covered) + bound + granted("", "way", `{apiGroups: [rbac.authorization.k8s.io], resources: [clusterroles, clusterrolebindings], verbs: [bind, create]}`, mallory),
			[]string{"service account ci:deployer Allowed", "dev Blocked", "mallory: Rights to the guard"},
		},
		"a workload that is there": {
			guard(forDeployer, covered) + bound + granted("ci", "way", `{apiGroups: [apps], resources: [deployments], verbs: [patch]}`, mallory) +
				"---\n{apiVersion: apps/v1, kind: Deployment, metadata: {name: runner, namespace: ci}, spec: {selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: i}]}}}}",
			[]string{"service account ci:deployer Allowed", "dev Blocked", "mallory: Template to service account ci:deployer"},
		},
		"an administrator's paths": {guard(forDeployer, covered) + bound + granted("", "admin", `{apiGroups: ["*"], resources: ["*"], verbs: ["*"]}`, mallory), []string{"service account ci:deployer Allowed", "dev Blocked"}},
	} {
		t.Run(name, func(t *testing.T) {
			report := asked(t, test.manifests, setExclude)
			if diff := cmp.Diff(test.want, lines(report)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if len(report.Incomplete) > 0 {
				t.Errorf("incomplete: %v", report.Incomplete)
			}
		})
	}
}

// What is edited or removed need not be there: then it is tried on a copy. What is set may be there already.
func TestChanges(t *testing.T) {
	additions := strings.ReplaceAll(guard("false", covered), "variables.new == variables.old", "variables.new.all(k, v, k in variables.old)")
	for _, test := range []struct {
		asked Asked
		want  audit.Protection
	}{
		{Asked{Set, "downscaler/exclude"}, audit.ProtectionBlocked},
		{Asked{Set, "downscaler/uptime"}, audit.ProtectionAllowed},
		{Asked{Edit, "downscaler/exclude"}, audit.ProtectionAllowed},
		{Asked{Remove, "downscaler/exclude"}, audit.ProtectionAllowed},
		{Asked{Remove, "downscaler/uptime"}, audit.ProtectionAllowed},
	} {
		report := asked(t, additions+granted("team-a", "deploy", deploys, dev), test.asked)
		for _, r := range report.Objects[0].Requesters {
			if r.Name == "dev" && r.Result != test.want {
				t.Errorf("%+v: got %s, want %s", test.asked, r.Result, test.want)
			}
		}
	}
}

func TestRunUnknown(t *testing.T) {
	for name, test := range map[string]struct{ manifests, what string }{
		"without roles and bindings": {guard("false", covered), "whom roles and bindings let write the objects"},
		"a policy that asks what nobody knows": {
			strings.ReplaceAll(guard("false", covered), "variables.new == variables.old", "has(object.metadata.managedFields)") + granted("team-a", "deploy", deploys, dev), "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			report := asked(t, test.manifests, setExclude)
			if len(report.Incomplete) == 0 || !strings.Contains(report.Incomplete[0].What, test.what) {
				t.Errorf("%+v", report.Incomplete)
			}
			if test.what == "" && len(report.Summary.Unknown) != 1 {
				t.Errorf("%+v", report.Summary)
			}
		})
	}
}

func TestSummarize(t *testing.T) {
	report := asked(t, guard(forDeployer, covered)+granted("team-a", "deploy", deploys, deployerBound+", "+dev+", "+mallory)+
		granted("ci", "way", `{apiGroups: [""], resources: [pods], verbs: [create]}`, mallory), setExclude)
	s := report.Summary
	got := fmt.Sprint(s.Objects, s.Direct, s.ByPath, s.Stopped, s.Unknown, len(s.Administrators) > 0)
	if want := "1 [service account ci:deployer] [mallory] [dev] [] true"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// Why somebody is let through: nobody is stopped, the name is compared with, or the policy asks in another way.
func TestLetThrough(t *testing.T) {
	user := "request.userInfo.username"
	for name, test := range map[string]struct{ manifests, want string }{
		"by a pattern":       {guard(user+".matches('^de')", covered) + granted("team-a", "deploy", deploys, dev), "false ^de true"},
		"by name":            {guard(user+" == 'dev'", covered) + granted("team-a", "deploy", deploys, dev), "false dev false"},
		"in another way":     {guard(user+".size() == 3", covered) + granted("team-a", "deploy", deploys, dev), "false"},
		"nothing prevents":   {guard(user+" == 'dev'", "statefulsets") + granted("team-a", "deploy", deploys, dev), "true"},
		"by the subresource": {guard("false", "deployments") + granted("team-a", "status", `{apiGroups: [apps], resources: [deployments, deployments/status], verbs: [patch]}`, dev), "true"},
		"stopped":            {guard("false", covered) + granted("team-a", "deploy", deploys, dev), "false"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, r := range asked(t, test.manifests, setExclude).Objects[0].Requesters {
				if r.Name != "dev" {
					continue
				}
				got := fmt.Sprint(r.Unguarded)
				for _, x := range r.Exemptions {
					got += fmt.Sprint(" ", x.Text, " ", x.Part)
				}
				if got != test.want {
					t.Errorf("got %s, want %s", got, test.want)
				}
			}
		})
	}
}

// freeze refuses every change but an administrator's, whatever it is about.
const freeze = `
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: freeze}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [deployments]}]}
  matchConditions: [{name: others, expression: '!request.userInfo.username.matches("^release-")'}]
  validations: [{expression: "CONDITION"}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: freeze}
spec: {policyName: freeze, validationActions: [Deny]}
`

// TestRefusedAnyway: what another policy than a guard refuses is refused, whether or not it reads annotations.
func TestRefusedAnyway(t *testing.T) {
	for name, condition := range map[string]string{
		"everything":             "false",
		"without an owner":       `object.metadata.?annotations['owner'].orValue('') != ''`,
		"annotations in general": `object.metadata.?annotations.orValue({}).exists(k, k.startsWith('owner/'))`,
	} {
		t.Run(name, func(t *testing.T) {
			manifests := strings.ReplaceAll(freeze, "CONDITION", condition) + granted("team-a", "deploy", deploys, dev+", {kind: User, name: release-1}")
			report := asked(t, manifests, setExclude)
			if diff := cmp.Diff([]string{"dev Blocked", "release-1 Allowed"}, lines(report)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if len(report.Incomplete) > 0 {
				t.Errorf("incomplete: %v", report.Incomplete)
			}
			for _, r := range report.Objects[0].Requesters {
				switch r.Name {
				case "dev":
					if !r.RefusedAnyway || len(r.By) != 1 || r.By[0].Policy != "freeze" {
						t.Errorf("%+v", r)
					}
				case "release-1":
					if r.RefusedAnyway || r.Unguarded || len(r.Exemptions) != 1 {
						t.Errorf("%+v", r)
					}
				}
			}
		})
	}
	report := asked(t, guard("false", covered)+granted("team-a", "deploy", deploys, dev), setExclude)
	if r := report.Objects[0].Requesters; slices.ContainsFunc(r, func(r Requester) bool { return r.RefusedAnyway }) {
		t.Errorf("a guard refuses the annotation: %+v", r)
	}
}
