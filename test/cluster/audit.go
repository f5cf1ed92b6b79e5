package cluster

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	auditv1 "k8s.io/apiserver/pkg/apis/audit/v1"
)

// auditPolicy logs each request once, when it is answered. Writes are logged with both bodies, reads
// without: listing thousands of objects would otherwise fill the log with what nobody asks it for. The
// API server's requests to itself are left out.
const auditPolicy = `
apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived, ResponseStarted]
rules:
- level: None
  users: ["system:apiserver"]
- level: Metadata
  verbs: [get, list, watch]
- level: RequestResponse
`

func (c *Cluster) auditLog() string {
	return filepath.Join(c.dir, "audit.log")
}

func (c *Cluster) configureAudit() error {
	policy := filepath.Join(c.dir, "audit-policy.yaml")
	if err := os.WriteFile(policy, []byte(auditPolicy), 0o600); err != nil {
		return err
	}
	c.environment.ControlPlane.GetAPIServer().Configure().
		Set("audit-policy-file", policy).
		Set("audit-log-path", c.auditLog())
	return nil
}

// AuditEvents returns the requests answered so far, oldest first. A request's event may appear a moment
// after its response: look for one with Eventually.
func (c *Cluster) AuditEvents() ([]auditv1.Event, error) {
	content, err := os.ReadFile(c.auditLog())
	if err != nil {
		return nil, err
	}

	var events []auditv1.Event
	for line := range bytes.Lines(content) {
		if !bytes.HasSuffix(line, []byte("\n")) {
			break // still being written
		}
		var event auditv1.Event
		if err := json.Unmarshal(line, &event); err != nil {
			return nil, fmt.Errorf("audit log: %w", err)
		}
		events = append(events, event)
	}
	return events, nil
}
