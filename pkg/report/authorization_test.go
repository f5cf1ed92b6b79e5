package report

import (
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/authorization"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

const mayNotPatch = `deployments.apps "web" is forbidden: User "dev" cannot patch resource "deployments" in API group "apps" in the namespace "team-a"`

func authorized() policy.Step {
	return policy.Step{Phase: policy.PhaseAuthorization, Kind: string(authorization.SourceReview), Decision: policy.Admitted, Message: "RBAC: allowed by a binding"}
}

func refusedBy(source authorization.Source, message string) policy.Step {
	return policy.Step{Phase: policy.PhaseAuthorization, Kind: string(source), Decision: policy.Denied, Message: message}
}

// TestReasonOfAuthorization: a denial is told as any other; that the requester is authorized is no reason for anything.
func TestReasonOfAuthorization(t *testing.T) {
	style := simulationStyle{messageLimit: 400, reasons: 2}
	const cannot = `authorization: User "dev" cannot patch resource "deployments" in API group "apps" in the namespace "team-a"`
	const created = `deployments.apps is forbidden: User "dev" cannot create resource "deployments"`
	for _, test := range []struct {
		outcome simulate.Outcome
		steps   []policy.Step
		want    string
	}{
		{simulate.Blocked, []policy.Step{refusedBy(authorization.SourceReview, mayNotPatch)}, cannot},
		{simulate.Blocked, []policy.Step{refusedBy(authorization.SourceRBAC, mayNotPatch), step(policy.Denied, "no")}, cannot + "; policy block, binding all: no"},
		{simulate.Blocked, []policy.Step{refusedBy(authorization.SourceRBAC, created)}, `authorization: User "dev" cannot create resource "deployments"`},
		{simulate.Blocked, []policy.Step{authorized(), step(policy.Denied, "no")}, "policy block, binding all: no"},
		{simulate.Allowed, []policy.Step{authorized()}, "no policy applies"},
		{simulate.Allowed, []policy.Step{authorized(), step(policy.NotMatched, "")}, "no policy applies"},
		{simulate.Allowed, []policy.Step{authorized(), step(policy.Admitted, "")}, "1 policy asked, no objection"},
	} {
		if got := style.reason(simulate.Result{Outcome: test.outcome, Steps: test.steps}, nil); got != test.want {
			t.Errorf("%s of %d steps: got %q, want %q", test.outcome, len(test.steps), got, test.want)
		}
	}
}

// TestExplainAuthorization: the chain says who was asked.
func TestExplainAuthorization(t *testing.T) {
	for want, step := range map[string]policy.Step{
		"the API server's access review: admitted": authorized(),
		"roles and bindings: denied":               refusedBy(authorization.SourceRBAC, mayNotPatch),
		"the group system:masters: admitted":       {Phase: policy.PhaseAuthorization, Kind: string(authorization.SourceGroup), Decision: policy.Admitted},
		"authorization: not simulated":             {Phase: policy.PhaseAuthorization, Kind: string(authorization.SourceUnknown), Decision: policy.NotSimulated},
	} {
		got := chain(simulate.Result{Outcome: simulate.Allowed, Steps: []policy.Step{step}}, nil, Options{})
		if !strings.HasPrefix(got, "  Authorization  "+want+"\n") || strings.Contains(got, "No policy had a say") != grants(step) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestNeverMergedBehindAuthorization: that the requester is authorized, or not, changes nothing about a request that has no object.
func TestNeverMergedBehindAuthorization(t *testing.T) {
	api := policy.Step{Phase: policy.PhaseValidation, Kind: "API", Decision: policy.Denied}
	for name, test := range map[string]struct {
		result simulate.Result
		want   bool
	}{
		"authorized":     {simulate.Result{Steps: []policy.Step{authorized(), api}, Status: &metav1.Status{Code: 404}}, true},
		"not authorized": {simulate.Result{Steps: []policy.Step{refusedBy(authorization.SourceRBAC, ""), api}, Status: &metav1.Status{Code: 403}}, true},
		"forbidden":      {simulate.Result{Steps: []policy.Step{authorized(), api}, Status: &metav1.Status{Code: 403}}, false},
		"by RBAC alone":  {simulate.Result{Steps: []policy.Step{refusedBy(authorization.SourceRBAC, "")}, Status: &metav1.Status{Code: 403}}, false},
	} {
		test.result.Operation = "UPDATE"
		if got := neverMerged(test.result); got != test.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
