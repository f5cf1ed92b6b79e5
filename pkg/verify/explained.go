package verify

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/authorization"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// explained says which of the simulation's assumptions may be what makes the server's answer differ, "" if none may.
func explained(result simulate.Result, server Answer) string {
	for _, gap := range result.Assumptions {
		if explains(gap, server) {
			return fmt.Sprintf("the simulation took something for granted that may be the reason (%s: %s), while %s", gap.What, gap.Why, says(server))
		}
	}
	return ""
}

// explains knows the assumptions of pkg/authorization, pkg/policy, pkg/request and pkg/simulate by their words.
func explains(gap inventory.Gap, server Answer) bool {
	switch {
	case strings.HasPrefix(gap.What, "MutatingWebhookConfiguration "):
		return true
	case strings.HasPrefix(gap.What, "ValidatingWebhookConfiguration "):
		return server.Status != nil && strings.Contains(server.Status.Message, "webhook")
	case gap.Why == simulate.WhyDryRun:
		return true
	case gap.What == authorization.RBACAlone:
		_, denied := deniedBy(server.Status)
		return !denied
	case gap.What == authorization.RBACFirst:
		_, denied := deniedBy(server.Status)
		return denied
	case gap.What == authorization.RBACTellsIt:
		return true
	case gap.Why == authorization.WhyGrants, gap.Why == authorization.WhyParams:
		return server.Status != nil && server.Status.Code == http.StatusForbidden
	case strings.HasPrefix(gap.What, "the spec of "):
		return server.Status != nil && (server.Status.Code == http.StatusUnprocessableEntity || server.Status.Code == http.StatusBadRequest)
	}
	return false
}

// says puts the server's answer into words.
func says(server Answer) string {
	if server.Status == nil {
		return fmt.Sprintf("the server says %s", strings.ToLower(string(server.Outcome)))
	}
	return fmt.Sprintf("the server says %d %s: %s", server.Status.Code, server.Status.Reason, server.Status.Message)
}
