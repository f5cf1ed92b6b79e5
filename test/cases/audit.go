package cases

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/test/cluster"
)

// addAudit reads from the audit log what admission noted about each request.
func addAudit(ctx context.Context, c *cluster.Cluster, cases []Case, trials [][]Trial) error {
	wanted := map[string]*Answer{}
	for i, one := range cases {
		for j := range one.Requests {
			if trials[i][j].Err == nil {
				wanted[agent(one, j)] = &trials[i][j].Server
			}
		}
	}
	return cluster.Eventually(ctx, func(context.Context) error {
		events, err := c.AuditEvents()
		if err != nil {
			return err
		}
		found := 0
		for _, event := range events {
			answer, asked := wanted[event.UserAgent]
			if !asked {
				continue
			}
			found++
			answer.Audit = map[string]string{}
			for key, value := range event.Annotations {
				if isPolicys(key) {
					answer.Audit[strings.Clone(key)] = strings.Clone(value)
				}
			}
		}
		if found < len(wanted) {
			return fmt.Errorf("%d of %d requests are in the audit log", found, len(wanted))
		}
		return nil
	})
}

// isPolicys says whether a key of an audit event's annotations is one that admission policies set, and not another part
// of the API server.
func isPolicys(key string) bool {
	domain, _, _ := strings.Cut(key, "/")
	return !slices.Contains([]string{
		"authorization.k8s.io", "authentication.k8s.io", "pod-security.kubernetes.io", "apiserver.latency.k8s.io",
	}, domain)
}
