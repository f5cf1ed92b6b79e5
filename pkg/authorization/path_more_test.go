package authorization

import (
	"slices"
	"strings"
	"testing"
)

func TestPathByCertificate(t *testing.T) {
	const whole = `{apiGroups: [certificates.k8s.io], resources: [certificatesigningrequests, certificatesigningrequests/approval], verbs: [create, update]},
 {apiGroups: [certificates.k8s.io], resources: [signers], resourceNames: [kubernetes.io/kube-apiserver-client], verbs: [approve]}`
	account, alice, masters := Subject{Kind: "ServiceAccount", Namespace: "ci", Name: "deployer"}, Subject{Kind: "User", Name: "alice"}, Subject{Kind: "Group", Name: "system:masters"}
	for rules, want := range map[string]bool{
		whole: true,
		strings.ReplaceAll(whole, "kube-apiserver-client]", "*]"):                     true,
		strings.ReplaceAll(whole, "kube-apiserver-client]", "kubelet-serving]"):       false,
		strings.ReplaceAll(whole, ", certificatesigningrequests/approval", ""):        false,
		strings.ReplaceAll(whole, "certificatesigningrequests, cert", "x, cert"):      false,
		strings.ReplaceAll(whole, "approve]", "sign]"):                                false,
		`{apiGroups: [certificates.k8s.io], resources: ["*"], verbs: [get, list]}`:    false,
		`{apiGroups: [certificates.k8s.io], resources: ["*"], verbs: ["*"]}`:          true,
		`{apiGroups: [certificates.k8s.io], resources: ["*"], verbs: [create, sign]}`: false,
	} {
		for _, to := range []Subject{account, alice} {
			if paths := rbacOf(t, roleWith(rules)).Paths(to); (len(paths) == 1 && paths[0].Kind == PathCertificate) != want {
				t.Errorf("%s, %s: got %+v", to, rules, paths)
			}
		}
		if paths := rbacOf(t, roleWith(rules)).Paths(masters); len(paths) > 0 {
			t.Errorf("%s: got %+v", rules, paths)
		}
	}
}

func TestPathsThrough(t *testing.T) {
	account := Subject{Kind: "ServiceAccount", Namespace: "ci", Name: "deployer"}
	web := Workload{Group: "apps", Resource: "deployments", Name: "web", Account: "default"}
	pod := Workload{Resource: "pods", Name: "deploy-1", Account: "deployer"}
	job := Workload{Group: "batch", Resource: "jobs", Name: "once", Account: "deployer"}
	for _, c := range []struct {
		rules string
		there []Workload
		want  PathKind
	}{
		{`{apiGroups: [apps], resources: [deployments], verbs: [patch]}`, []Workload{web}, PathTemplate},
		{`{apiGroups: [apps], resources: [deployments], resourceNames: [web], verbs: [update]}`, []Workload{web}, PathTemplate},
		{`{apiGroups: [apps], resources: [deployments], resourceNames: [other], verbs: [update]}`, []Workload{web}, ""},
		{`{apiGroups: [apps], resources: [deployments], verbs: [patch]}`, nil, ""},
		{`{apiGroups: [apps], resources: [statefulsets], verbs: [patch]}`, []Workload{web}, ""},
		{`{apiGroups: [apps], resources: [deployments], verbs: [get, delete]}`, []Workload{web}, ""},
		{`{apiGroups: [apps], resources: [deployments], verbs: [patch, create]}`, []Workload{web}, ""}, // see Paths
		{`{apiGroups: [batch], resources: [jobs], verbs: [patch]}`, []Workload{job}, ""},
		{`{apiGroups: [""], resources: [pods], verbs: [patch]}`, []Workload{pod}, ""},
		{`{apiGroups: [""], resources: [pods/exec], verbs: [create]}`, []Workload{pod}, PathExec},
		{`{apiGroups: [""], resources: [pods/exec], verbs: [create]}`, []Workload{job}, PathExec},
		{`{apiGroups: [""], resources: [pods/exec], resourceNames: [deploy-1], verbs: [create]}`, []Workload{pod}, PathExec},
		{`{apiGroups: [""], resources: [pods/exec], resourceNames: [other], verbs: [create]}`, []Workload{pod}, ""},
		{`{apiGroups: [""], resources: [pods/attach], verbs: [create]}`, []Workload{pod}, PathExec},
		{`{apiGroups: [""], resources: [pods/ephemeralcontainers], verbs: [patch]}`, []Workload{pod}, PathExec},
		{`{apiGroups: [""], resources: [pods/exec], verbs: [get]}`, []Workload{pod}, ""},
		{`{apiGroups: [""], resources: [pods/exec], verbs: [create]}`, []Workload{web}, ""},
	} {
		paths := rbacOf(t, inNamespaceCI(c.rules)).PathsThrough(account, c.there)
		if c.want == "" && len(paths) == 0 {
			continue
		}
		if len(paths) != 1 || paths[0].Kind != c.want || paths[0].To != account {
			t.Errorf("%s %+v: got %+v, want %q", c.rules, c.there, paths, c.want)
		}
	}
}

// TestRightsForAll: nobody may give rights that they don't have, but for bind and escalate.
func TestRightsForAll(t *testing.T) {
	const rbacGroup = `{apiGroups: [rbac.authorization.k8s.io], `
	for rules, want := range map[string]bool{
		rbacGroup + `resources: [clusterroles, clusterrolebindings], verbs: [bind, create]}`:                                                                        true,
		rbacGroup + `resources: [clusterroles], resourceNames: [view], verbs: [bind]}, ` + rbacGroup + `resources: [clusterrolebindings], verbs: ["*"]}`:            false,
		rbacGroup + `resources: [clusterroles], resourceNames: [cluster-admin], verbs: [bind]}, ` + rbacGroup + `resources: [clusterrolebindings], verbs: [patch]}`: true,
		rbacGroup + `resources: [clusterrolebindings], verbs: [create]}`:                                                                                            false,
		rbacGroup + `resources: [clusterroles], verbs: [bind]}`:                                                                                                     false,
		rbacGroup + `resources: [clusterroles], verbs: [escalate, update]}`:                                                                                         true,
		rbacGroup + `resources: [clusterroles], resourceNames: [r], verbs: [escalate, patch]}`:                                                                      true,
		rbacGroup + `resources: [clusterroles], resourceNames: [other], verbs: [escalate, patch]}`:                                                                  false,
		rbacGroup + `resources: [clusterroles], verbs: [escalate, create]}`:                                                                                         false,
		rbacGroup + `resources: [clusterroles], verbs: [update]}`:                                                                                                   false,
		rbacGroup + `resources: [roles, rolebindings], verbs: ["*"]}`:                                                                                               false,
	} {
		paths := rbacOf(t, roleWith(rules)).RightsForAll()
		if got := slices.ContainsFunc(paths, func(p Path) bool {
			return p.From.Name == "dev" && p.Kind == PathRights && p.To == p.From && len(p.Rights) == 2
		}); got != want {
			t.Errorf("%s: got %+v", rules, paths)
		}
		if paths := rbacOf(t, inNamespaceCI(rules)).RightsForAll(); len(paths) > 0 {
			t.Errorf("%s in a namespace: got %+v", rules, paths)
		}
	}
}
