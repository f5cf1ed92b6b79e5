package verify

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/authorization"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// TestExplainsAuthorization: what another authorizer than RBAC may allow, and what is asked of those who grant rights, keeps a
// difference from being a disagreement, and nothing else does.
func TestExplainsAuthorization(t *testing.T) {
	allowed := Answer{}
	denied := Answer{Status: &metav1.Status{Code: 403, Message: `deployments.apps "web" is forbidden: User "dev" cannot patch resource "deployments" in API group "apps" in the namespace "team-a"`}}
	escalation := Answer{Status: &metav1.Status{Code: 403, Message: `roles.rbac.authorization.k8s.io "r" is forbidden: user "dev" is attempting to grant RBAC permissions not currently held`}}
	conflict := Answer{Status: &metav1.Status{Code: 409}}
	for name, test := range map[string]struct {
		gap    inventory.Gap
		server Answer
		want   bool
	}{
		"another authorizer allows it": {inventory.Gap{What: authorization.RBACAlone}, allowed, true},
		"and admission refuses it":     {inventory.Gap{What: authorization.RBACAlone}, conflict, true},
		"no authorizer allows it":      {inventory.Gap{What: authorization.RBACAlone}, denied, false},
		"an authorizer denies it":      {inventory.Gap{What: authorization.RBACFirst}, denied, true},
		"admission alone refuses it":   {inventory.Gap{What: authorization.RBACFirst}, conflict, false},
		"a policy that was told it":    {inventory.Gap{What: authorization.RBACTellsIt}, conflict, true},
		"a grant refused":              {inventory.Gap{What: "Role r", Why: authorization.WhyGrants}, escalation, true},
		"a grant let through":          {inventory.Gap{What: "Role r", Why: authorization.WhyGrants}, allowed, false},
		"parameters refused":           {inventory.Gap{What: "ValidatingAdmissionPolicy p", Why: authorization.WhyParams}, escalation, true},
	} {
		if got := explains(test.gap, test.server); got != test.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
