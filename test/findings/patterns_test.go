package findings

import "fmt"

// as asks for the addition in somebody's name.
func as(who ...string) []string { return append(append([]string{}, who...), addition...) }

func userMatching(pattern string) string {
	return fmt.Sprintf("request.userInfo.username.matches('%s')", pattern)
}

func groupMatching(pattern string) string {
	return fmt.Sprintf("request.userInfo.groups.exists(g, g.matches('%s'))", pattern)
}

// letting is the situation of a guard that lets through whom it is not meant for, and no more once another expression says whom.
func letting(rule, variant, open, closed string, who ...string) situation {
	return situation{
		rule: rule, variant: variant, subject: "guard spec.matchConditions[0].expression", world: anyoneMayWrite,
		leak: "Adding an annotation as `" + who[len(who)-1] + "`, who is let through by `" + open + "`", mend: "`" + closed + "`",
		open: guard{exempt: open}.String(), closed: guard{exempt: closed}.String(), ask: as(who...),
	}
}

var patternSituations = []situation{
	letting("unanchored-pattern", "both-ends", userMatching("user1"), userMatching("^(?:user1)$"), "as-user", "xuser1x"),
	letting("unanchored-pattern", "dot", userMatching("^ops.adm$"), userMatching("^ops[.]adm$"), "as-user", "opsXadm"),
	letting("unanchored-pattern", "group", groupMatching("devs"), groupMatching("^devs$"), "as-user", "somebody", "--user-group", "non-devs-guests"),
	letting("unanchored-pattern", "account", userMatching("^system:serviceaccount:ci:sa1"), userMatching("^system:serviceaccount:ci:sa1$"), "as-serviceaccount", "ci:sa1.evil"),
	letting("unanchored-pattern", "alternation", userMatching("^system:serviceaccount:tea|b:sa1"), userMatching("^system:serviceaccount:(tea|b):sa1$"), "as-serviceaccount", "team:anything"),
	letting("pattern-authorizes-everyone", "everything", userMatching(""), userMatching("^user1$"), "as-user", "somebody"),
	letting("pattern-authorizes-everyone", "authenticated", groupMatching("system:"), userMatching("^user1$"), "as-user", "somebody"),
	letting("pattern-authorizes-everyone", "every-default", userMatching("^system:serviceaccount:.*:default"), userMatching("^user1$"), "as-serviceaccount", "some:default"),
}

// anyoneMayWrite is what makes a request of any name one that only the guard can stop.
const anyoneMayWrite = `
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: anyone, namespace: NS}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: tenant}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: Group, name: "system:authenticated"}]
`
