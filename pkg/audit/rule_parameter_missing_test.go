package audit

import (
	"fmt"
	"strings"
	"testing"
)

// exemptingByParams is a guard whose exempt users stand in ConfigMaps.
func exemptingByParams(ref, action, failure, actions string) string {
	return fmt.Sprintf(`
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: g}
spec:
  failurePolicy: %[3]s
  paramKind: {apiVersion: v1, kind: ConfigMap}
  matchConstraints:
    resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [deployments]}]
  matchConditions: [{name: touched, expression: %[5]q}]
  validations: [{expression: "request.userInfo.username == params.data.user", message: not authorised}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: g-binding}
spec: {policyName: g, validationActions: %[4]s, paramRef: {%[1]s, parameterNotFoundAction: %[2]s}}
`, ref, action, failure, actions, touched+" || "+removed)
}

func exemptIn(namespace string) string {
	return fmt.Sprintf(`
apiVersion: v1
kind: ConfigMap
metadata: {name: exempt, namespace: %s, labels: {guard: "yes"}, %s}
data: {user: platform}
`, namespace, stored)
}

const teamB = `
apiVersion: v1
kind: Namespace
metadata: {name: team-b, ` + stored + `}
spec: {finalizers: [kubernetes]}
status: {phase: Active}
`

func TestParameterMissing(t *testing.T) {
	for name, test := range map[string]struct {
		policies, subject string
		message           []string
		remedy            string
	}{
		"a name, Allow": {
			exemptingByParams("name: exempt", "Allow", "Fail", "[Deny]"), "g-binding spec.paramRef",
			[]string{`no ConfigMap "exempt" in the object's namespace for 1 object in team-b,`, "creations, additions, edits and removals pass", "deployments.apps/web in team-b"}, "parameterNotFoundAction: Deny",
		},
		"labels, Allow": {
			exemptingByParams("selector: {matchLabels: {guard: 'yes'}}", "Allow", "Fail", "[Deny]"), "g-binding spec.paramRef",
			[]string{`no ConfigMap with the labels "guard=yes" in the object's namespace for 1 object in team-b,`}, "parameterNotFoundAction: Deny",
		},
		"Deny, and what fails is ignored": {
			exemptingByParams("name: exempt", "Deny", "Ignore", "[Deny]"), "g-binding spec.paramRef",
			[]string{"for 1 object in team-b;", "failurePolicy Ignore lets creations, additions, edits and removals pass"}, "failurePolicy: Fail",
		},
		"Deny": {
			exemptingByParams("name: exempt", "Deny", "Fail", "[Deny]"), "g-binding spec.paramRef",
			[]string{"for 1 object in team-b;", "refuse every such request"}, "Create the ConfigMap",
		},
		"in one namespace": {
			exemptingByParams("name: nothing, namespace: team-a", "Allow", "Fail", "[Deny]"), "g-binding spec.paramRef",
			[]string{`no ConfigMap "nothing" in namespace team-a for 2 objects in team-a and team-b,`}, "Create the ConfigMap",
		},
		"a kind that is not there": {
			strings.ReplaceAll(exemptingByParams("name: exempt", "Deny", "Ignore", "[Deny]"), "{apiVersion: v1, kind: ConfigMap}", "{apiVersion: example.com/v1, kind: Exempt}"),
			"g spec.paramKind", []string{"no Exempt of example.com/v1", "lets creations, additions, edits and removals pass"}, "spec.paramKind",
		},
	} {
		t.Run(name, func(t *testing.T) {
			report := auditOf(t, test.policies, teamA, teamB, exemptIn("team-a"), deployment("team-a", "web", ""), deployment("team-b", "web", ""))
			f := one(t, report, "parameter-missing", "-n team-")
			if f.Subject.Name+" "+f.Subject.Field != test.subject || f.Severity != Medium || !strings.Contains(f.Remedy, test.remedy) {
				t.Errorf("%+v", f)
			}
			for _, part := range test.message {
				if !strings.Contains(f.Message, part) {
					t.Errorf("%q lacks %q", f.Message, part)
				}
			}
		})
	}
}

func TestParameterMissingSilent(t *testing.T) {
	unrelated := strings.ReplaceAll(exemptingByParams("name: exempt", "Allow", "Fail", "[Deny]"), "downscaler/", "example.com/")
	for name, manifests := range map[string][]any{
		"all are there":        {exemptingByParams("name: exempt", "Allow", "Fail", "[Deny]"), exemptIn("team-b")},
		"another guard":        {exemptingByParams("name: exempt", "Allow", "Fail", "[Deny]"), chartLike(false)},
		"it only warns":        {exemptingByParams("name: exempt", "Allow", "Fail", "[Warn]")},
		"another tool's":       {unrelated},
		"no parameters at all": {chartLike(false)},
		"hardened":             {hardened(t)},
	} {
		t.Run(name, func(t *testing.T) {
			manifests = append(manifests, teamA, teamB, exemptIn("team-a"), deployment("team-a", "web", ""), deployment("team-b", "web", ""))
			silent(t, auditOf(t, manifests...), "parameter-missing")
		})
	}
}
