package findings

import (
	"fmt"
	"testing"
)

// as asks for the addition in somebody's name.
func as(who ...string) []string { return append(append([]string{}, who...), addition...) }

func userMatching(pattern string) string {
	return fmt.Sprintf("request.userInfo.username.matches('%s')", pattern)
}

func TestUnanchoredPattern(t *testing.T) {
	for name, s := range map[string]struct {
		open, closed string // expressions of whom the guard lets through
		who          []string
	}{
		"both-ends": {userMatching("user1"), userMatching("^(?:user1)$"), []string{"as-user", "xuser1x"}},
		"dot":       {userMatching("^ops.adm$"), userMatching("^ops[.]adm$"), []string{"as-user", "opsXadm"}},
		"group": {
			"request.userInfo.groups.exists(g, g.matches('devs'))", "request.userInfo.groups.exists(g, g.matches('^devs$'))",
			[]string{"as-user", "somebody", "--user-group", "non-devs-guests"},
		},
		"account":     {userMatching("^system:serviceaccount:ci:sa1"), userMatching("^system:serviceaccount:ci:sa1$"), []string{"as-serviceaccount", "ci:sa1.evil"}},
		"alternation": {userMatching("^system:serviceaccount:tea|b:sa1"), userMatching("^system:serviceaccount:(tea|b):sa1$"), []string{"as-serviceaccount", "team:anything"}},
	} {
		t.Run(name, func(t *testing.T) {
			situation{
				rule: "unanchored-pattern", subject: "guard spec.matchConditions[0].expression", world: anyoneMayWrite,
				open: guard{exempt: s.open}.String(), closed: guard{exempt: s.closed}.String(), ask: as(s.who...),
			}.try(t)
		})
	}
}

func TestPatternAuthorizesEveryone(t *testing.T) {
	for name, s := range map[string]struct {
		open string
		who  []string
	}{
		"everything":    {userMatching(""), []string{"as-user", "somebody"}},
		"authenticated": {"request.userInfo.groups.exists(g, g.matches('system:'))", []string{"as-user", "somebody"}},
		"every-default": {userMatching("^system:serviceaccount:.*:default"), []string{"as-serviceaccount", "some:default"}},
	} {
		t.Run(name, func(t *testing.T) {
			situation{
				rule: "pattern-authorizes-everyone", subject: "guard spec.matchConditions[0].expression", world: anyoneMayWrite,
				open: guard{exempt: s.open}.String(), closed: guard{exempt: userMatching("^user1$")}.String(), ask: as(s.who...),
			}.try(t)
		})
	}
}

// anyoneMayWrite is what makes a request of any name one that only the guard can stop.
const anyoneMayWrite = `
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: anyone, namespace: NS}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: tenant}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: Group, name: "system:authenticated"}]
`
