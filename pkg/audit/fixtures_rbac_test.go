package audit

import "fmt"

// granted binds a role of the same name to subjects, all in YAML's flow form; without a namespace it is a ClusterRole and its binding.
func granted(namespace, name, rules, subjects string) string {
	kind, in := "ClusterRole", ""
	if namespace != "" {
		kind, in = "Role", ", namespace: "+namespace
	}
	return fmt.Sprintf(`
{apiVersion: rbac.authorization.k8s.io/v1, kind: %[1]s, metadata: {name: %[2]s%[3]s}, rules: [%[4]s]}
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: %[1]sBinding, metadata: {name: %[2]s%[3]s}, roleRef: {apiGroup: rbac.authorization.k8s.io, kind: %[1]s, name: %[2]s}, subjects: [%[5]s]}
`, kind, name, in, rules, subjects)
}

const (
	all          = `{apiGroups: ["*"], resources: ["*"], verbs: ["*"]}`
	deploys      = `{apiGroups: [apps], resources: [deployments], verbs: [get, patch]}`
	impersonates = `{apiGroups: [""], resources: [users, groups, serviceaccounts], verbs: [impersonate]}`

	mallory  = `{kind: User, name: mallory}`
	deployer = `{kind: ServiceAccount, namespace: ci, name: deployer}`
)
