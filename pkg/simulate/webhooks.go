package simulate

import (
	"context"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
)

// Webhooks says of each webhook whether the API server would call it about a request as it is proposed: before any mutation, and whether or
// not the requester is authorized.
func (s *Simulator) Webhooks(ctx context.Context, r request.Request) []policy.WebhookCall {
	c := &chain{simulator: s, request: r}
	c.readNamespace(ctx)
	return s.set.WebhookCalls(ctx, c.policyRequest(r.Proposed, c.unknownParts()))
}
