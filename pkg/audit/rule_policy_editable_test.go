package audit

import (
	"strings"
	"testing"
)

func TestPolicyEditable(t *testing.T) {
	objects := []any{guard{name: "g", resources: everyResource}, teamA, deployment("team-a", "web", "")}
	policies := func(rest string) string { return `{apiGroups: [admissionregistration.k8s.io], ` + rest + `}` }
	for name, test := range map[string]struct{ rules, message, evidence string }{
		"patch a policy": {
			policies(`resources: [validatingadmissionpolicies], verbs: [patch]`), `user mallory may patch validatingadmissionpolicies/g, by ClusterRoleBinding "editor" of ClusterRole "editor"`,
			"simulate as-user mallory validatingadmissionpolicies.admissionregistration.k8s.io/g --set downscaler/compliance-probe=true",
		},
		"its binding":      {policies(`resources: [validatingadmissionpolicybindings], verbs: [update]`), "may update validatingadmissionpolicybindings/g-binding", "kubectl downscaler-compliance audit -A --rule policy-editable"},
		"by its name":      {policies(`resources: [validatingadmissionpolicies], resourceNames: [g], verbs: [delete]`), "may delete validatingadmissionpolicies/g", "--operation delete"},
		"delete all":       {policies(`resources: [validatingadmissionpolicybindings], verbs: [deletecollection]`), "may deletecollection", "audit -A --rule policy-editable"},
		"everything of it": {policies(`resources: ["*"], verbs: ["*"]`), "validatingadmissionpolicies/g and validatingadmissionpolicybindings/g-binding", "simulate as-user mallory"},
	} {
		t.Run(name, func(t *testing.T) {
			f := only(t, auditOf(t, append(objects, granted("", "editor", test.rules, mallory))...), "policy-editable")
			if f.Subject != (Subject{Kind: "ClusterRoleBinding", Name: "editor"}) || f.Severity != High || !strings.Contains(f.Message, test.message) || !strings.Contains(f.Message, "Inferred from RBAC") {
				t.Errorf("%+v", f)
			}
			if !strings.Contains(f.Evidence, test.evidence) {
				t.Errorf("evidence %s lacks %s", f.Evidence, test.evidence)
			}
		})
	}
}

// Who can be one of the administrators can change the guard.
func TestPolicyEditableByPath(t *testing.T) {
	objects := []any{guard{name: "g", resources: everyResource}, teamA, deployment("team-a", "web", "")}
	const editor = `{apiGroups: [admissionregistration.k8s.io], resources: [validatingadmissionpolicies], verbs: [patch]}`
	const argo = `{kind: ServiceAccount, namespace: argo, name: cd}`
	for name, test := range map[string]struct {
		rbac    string
		subject Subject
		message string
	}{
		"masters": {
			granted("", "way", `{apiGroups: [""], resources: [groups, users], resourceNames: ["system:masters", zed], verbs: [impersonate]}`, mallory), Subject{Kind: "Group", Name: "system:masters"},
			"user mallory (impersonate groups system:masters, by ClusterRoleBinding \"way\" of ClusterRole \"way\" to User \"mallory\"; impersonate users, by",
		},
		"an administrator's account": {
			granted("", "all", all, argo) + "\n---\n" + granted("argo", "way", `{apiGroups: [apps], resources: [deployments], verbs: [create]}`, mallory),
			Subject{Kind: "ServiceAccount", Namespace: "argo", Name: "cd"}, "can create pods that run as service account argo:cd, who may patch validatingadmissionpolicies/g",
		},
		"a controller's account": {
			granted("", "way", `{apiGroups: [apps], resources: [deployments], verbs: [create]}`, mallory) + "\n---\n{apiVersion: v1, kind: ServiceAccount, metadata: {name: generic-garbage-collector, namespace: kube-system}}",
			Subject{Kind: "ServiceAccount", Namespace: "kube-system", Name: "generic-garbage-collector"}, "can create pods that run as service account kube-system:generic-garbage-collector",
		},
		"bind": {
			granted("", "way", `{apiGroups: [rbac.authorization.k8s.io], resources: [clusterroles, clusterrolebindings], verbs: [bind, create]}`, mallory), Subject{Kind: "User", Name: "mallory"},
			"user mallory (bind clusterroles.rbac.authorization.k8s.io cluster-admin, by ClusterRoleBinding \"way\" of ClusterRole \"way\" to User \"mallory\"; create clusterrolebindings",
		},
		"escalate": {
			granted("", "way", `{apiGroups: [rbac.authorization.k8s.io], resources: [clusterroles], verbs: [escalate, patch]}`, mallory), Subject{Kind: "User", Name: "mallory"}, "can give themselves every right",
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := only(t, auditOf(t, append(objects, test.rbac)...), "policy-editable")
			if f.Subject != test.subject || !strings.Contains(f.Message, test.message) || !strings.Contains(f.Message, "Inferred from RBAC") || !strings.Contains(f.Evidence, "kubectl downscaler-compliance ") {
				t.Errorf("%+v", f)
			}
		})
	}
	for name, rbac := range map[string]string{
		"masters without a user":                  granted("", "way", `{apiGroups: [""], resources: [groups], verbs: [impersonate]}`, mallory),
		"another group":                           granted("", "way", `{apiGroups: [""], resources: [groups, users], resourceNames: [devs, zed], verbs: [impersonate]}`, mallory),
		"another namespace":                       granted("", "all", all, argo) + "\n---\n" + granted("ci", "way", `{apiGroups: [apps], resources: [deployments], verbs: [create]}`, mallory),
		"a pod as a controller that is not there": granted("", "way", `{apiGroups: [apps], resources: [deployments], verbs: [create]}`, mallory),
		"bind another role":                       granted("", "way", `{apiGroups: [rbac.authorization.k8s.io], resources: [clusterroles, clusterrolebindings], resourceNames: [view], verbs: [bind, patch]}`, mallory),
		"an editor's own path":                    granted("", "way", editor, argo) + "\n---\n" + granted("argo", "way", `{apiGroups: [""], resources: [pods], verbs: [create]}`, argo),
	} {
		t.Run(name, func(t *testing.T) {
			for _, f := range found(auditOf(t, append(objects, rbac)...), "policy-editable") {
				if f.Subject.Kind != "ClusterRoleBinding" {
					t.Errorf("%+v", f)
				}
			}
		})
	}
}

// Whom the guard lets through need not switch it off.
func TestPolicyEditableByTheExempt(t *testing.T) {
	manifests := append(letsThrough("^mallory$"), granted("team-a", "own", deploys, mallory),
		granted("", "way", `{apiGroups: [""], resources: [groups, users], resourceNames: ["system:masters", zed], verbs: [impersonate]}`, mallory))
	silent(t, auditOf(t, manifests...), "policy-editable")
}

// only is the rule's one finding.
func only(t *testing.T, report Report, id string) Finding {
	t.Helper()
	findings := found(report, id)
	if len(findings) != 1 {
		t.Fatalf("%d findings: %+v", len(findings), findings)
	}
	return findings[0]
}

func TestPolicyEditableSilent(t *testing.T) {
	objects := []any{teamA, deployment("team-a", "web", "")}
	enforced := guard{name: "g", resources: everyResource}
	editor := func(rest string) string {
		return granted("", "editor", `{apiGroups: [admissionregistration.k8s.io], `+rest+`}`, mallory)
	}
	const everything = `resources: ["*"], verbs: ["*"]`
	for name, manifests := range map[string][]any{
		"nobody else":           {enforced, granted("team-a", "deploy", deploys, mallory)},
		"administrators":        {enforced, granted("", "admin", all, mallory)},
		"kube-system's own":     {enforced, strings.ReplaceAll(editor(everything), mallory, `{kind: ServiceAccount, namespace: kube-system, name: x}`)},
		"the right to look":     {enforced, editor(`resources: ["*"], verbs: [get, list, watch]`)},
		"another policy":        {enforced, editor(`resources: [validatingadmissionpolicies], resourceNames: [other], verbs: [patch]`)},
		"webhooks":              {enforced, editor(`resources: [validatingwebhookconfigurations], verbs: ["*"]`)},
		"create what is there":  {enforced, editor(`resources: [validatingadmissionpolicies, validatingadmissionpolicybindings], verbs: [create]`)},
		"status alone":          {enforced, editor(`resources: [validatingadmissionpolicies/status], verbs: [patch]`)},
		"in a namespace":        {enforced, strings.ReplaceAll(editor(everything), "kind: ClusterRoleBinding, metadata: {name: editor", "kind: RoleBinding, metadata: {namespace: team-a, name: editor")},
		"nothing is enforced":   {guard{name: "g", resources: everyResource, unbound: true}, editor(everything)},
		"no guard":              {requireLabels, bindingOf("require-labels", "[Deny]"), editor(everything)},
		"hardened":              {hardened(t), granted("team-a", "deploy", deploys, mallory)},
		"parameters of nothing": {enforced, granted("team-a", "config", `{apiGroups: [""], resources: [configmaps], verbs: ["*"]}`, mallory)},
	} {
		t.Run(name, func(t *testing.T) {
			silent(t, auditOf(t, append(manifests, objects...)...), "policy-editable")
		})
	}
}

// withParams is a guard that lets those through whom a ConfigMap names.
func withParams(ref string) string {
	return `
{apiVersion: v1, kind: ConfigMap, metadata: {name: exempt, namespace: team-a, labels: {for: guard}}, data: {users: "user1"}}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: g}
spec:
  failurePolicy: Fail
  paramKind: {apiVersion: v1, kind: ConfigMap}
  matchConstraints: {resourceRules: [{apiGroups: [apps], apiVersions: ["*"], operations: [CREATE, UPDATE], resources: [deployments]}]}
  matchConditions: [{name: touched, expression: "has(object.metadata.annotations) && object.metadata.annotations.exists(k, k.startsWith('downscaler/'))"}]
  validations: [{expression: "request.userInfo.username in params.data.users.split(',')"}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: g-binding}
spec: {policyName: g, validationActions: [Deny], paramRef: {parameterNotFoundAction: Deny, ` + ref + `}}
`
}

func TestPolicyEditableParameters(t *testing.T) {
	config := func(namespace, rest string) string {
		return granted(namespace, "config", `{apiGroups: [""], resources: [configmaps], `+rest+`}`, mallory)
	}
	for name, test := range map[string]struct{ ref, rbac, message string }{
		"by name":                       {"name: exempt, namespace: team-a", config("team-a", `verbs: [patch]`), `user mallory may patch configmaps/exempt in team-a, by RoleBinding "config/team-a" of Role "config"`},
		"in the object's own namespace": {"name: exempt", config("team-a", `verbs: [update]`), "may update configmaps/exempt in team-a"},
		"by labels":                     {"namespace: team-a, selector: {matchLabels: {for: guard}}", config("team-a", `resourceNames: [exempt], verbs: [patch]`), "may patch configmaps/exempt in team-a"},
		"none there yet":                {"namespace: other, selector: {matchLabels: {for: guard}}", config("other", `verbs: [create]`), "may create new configmaps in other"},
		"not there yet":                 {"name: exempt, namespace: other", config("other", `verbs: [create]`), "may create configmaps/exempt in other"},
		"in every namespace":            {"name: exempt, namespace: team-a", config("", `verbs: ["*"]`), `by ClusterRoleBinding "config"`},
	} {
		t.Run(name, func(t *testing.T) {
			f := only(t, auditOf(t, withParams(test.ref), teamA, deployment("team-a", "web", ""), test.rbac), "policy-editable")
			if f.Subject != (Subject{Kind: kindValidatingBinding, Name: "g-binding", Field: "spec.paramRef"}) || !strings.Contains(f.Message, test.message) || f.Evidence == "" {
				t.Errorf("%+v", f)
			}
		})
	}
	for name, test := range map[string]struct{ ref, rbac string }{
		"in another namespace": {"name: exempt, namespace: team-a", config("other", `verbs: ["*"]`)},
		"another one":          {"name: exempt, namespace: team-a", config("team-a", `resourceNames: [settings], verbs: ["*"]`)},
		"the right to look":    {"name: exempt, namespace: team-a", config("team-a", `verbs: [get, list]`)},
		"create what is there": {"name: exempt, namespace: team-a", config("team-a", `verbs: [create]`)},
		"create one beside it": {"namespace: team-a, selector: {matchLabels: {for: guard}}", config("team-a", `verbs: [create]`)},
	} {
		t.Run(name, func(t *testing.T) {
			silent(t, auditOf(t, withParams(test.ref), teamA, deployment("team-a", "web", ""), test.rbac), "policy-editable")
		})
	}
}
