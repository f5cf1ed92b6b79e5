package findings

import "testing"

func TestDefaultServiceAccountExempt(t *testing.T) {
	situation{
		rule: "default-service-account-exempt", subject: "guard spec.matchConditions[0].expression", world: anyoneMayWrite,
		open:   guard{exempt: "request.userInfo.username == 'system:serviceaccount:ci:default'"}.String(),
		closed: guard{exempt: "request.userInfo.username == 'system:serviceaccount:ci:downscaler'"}.String(),
		ask:    as("as-serviceaccount", "ci:default"),
	}.try(t)
}
