package verify

import (
	"net/http"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// judge compares the two answers.
func (r *Result) judge(q Question, server Answer) {
	r.Server = &server
	unauthorized, denied := deniedBy(server.Status)
	r.Differences = compare(r.Simulated, server)
	switch {
	case denied && q.Guard:
		// Whatever was simulated: the guard was not reached.
		*r = r.not(NotAsked, unauthorized.String())
	case r.Simulated.Outcome == simulate.Unknown:
		*r = r.not(NotCompared, says(server)+"; that was not compared, since the simulation could not be certain")
	case len(r.Differences) == 0:
		*r = r.agreed()
		if server.Status == nil && q.Request.SendsMore() {
			r.partly = []inventory.Gap{moreToSend(*r)}
		}
	default:
		r.disagree(unauthorized, denied)
	}
}

// disagree looks for what may keep a difference from being a disagreement.
func (r *Result) disagree(unauthorized denial, denied bool) {
	server := *r.Server
	if why := unreached(server.Status); why != "" {
		*r = r.not(NotAsked, why)
		return
	}
	if denied && !r.authorizationSimulated() {
		*r = r.not(NotAsked, unauthorized.String())
		return
	}
	if why := explained(r.simulation, server); why != "" {
		*r = r.not(NotCompared, why)
		return
	}
	r.Agreement = Disagrees
}

// authorizationSimulated says whether the simulation decided if the requester is authorized.
func (r *Result) authorizationSimulated() bool {
	return slices.ContainsFunc(r.simulation.Steps, func(s policy.Step) bool {
		return s.Phase == policy.PhaseAuthorization && s.Decision != policy.NotSimulated
	})
}

// wouldExist says whether a creation fails for nothing but that the object exists, which the server finds out last.
func wouldExist(server Answer) bool {
	return server.Status != nil && server.Status.Code == http.StatusConflict && server.Status.Reason == metav1.StatusReasonAlreadyExists
}
