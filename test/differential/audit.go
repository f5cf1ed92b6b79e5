package differential

import (
	"context"
	"fmt"
	"strings"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/test/cluster"
)

// auditAnnotations reads from the audit log what admission noted about each of the requests.
func (r *Rig) auditAnnotations(ctx context.Context, ids map[string]*Answer) error {
	return cluster.Eventually(ctx, func(context.Context) error {
		events, err := r.cluster.AuditEvents()
		if err != nil {
			return err
		}
		found := 0
		for _, event := range events {
			answer, asked := ids[string(event.AuditID)]
			if !asked {
				continue
			}
			found++
			answer.Audit = map[string]string{}
			for key, value := range event.Annotations {
				if isAdmissions(key) {
					answer.Audit[strings.Clone(key)] = strings.Clone(value)
				}
			}
		}
		if found < len(ids) {
			return fmt.Errorf("%d of %d requests are in the audit log", found, len(ids))
		}
		return nil
	})
}

// isAdmissions says whether a key of an audit event's annotations is one that admission policies add.
func isAdmissions(key string) bool {
	return !strings.HasPrefix(key, "authorization.k8s.io/") && !strings.HasPrefix(key, "pod-security.kubernetes.io/") &&
		!strings.HasPrefix(key, "apiserver.latency.k8s.io/") && !strings.HasPrefix(key, "authentication.k8s.io/")
}
