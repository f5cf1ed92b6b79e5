package report

import (
	"testing"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/audit"
)

func TestAuditTable(t *testing.T) {
	mayWrite := everyGuard()
	mayWrite.Objects[1].MayWrite = &audit.MayWrite{Create: true, Update: true}
	mayWrite.Objects[2].MayWrite = &audit.MayWrite{Update: true}
	mayWrite.Objects[3].MayWrite = &audit.MayWrite{}
	for name, test := range map[string]struct {
		report  *audit.Report
		options Options
	}{
		"empty":    {auditOf(nil), Options{}},
		"every":    {everyGuard(), Options{}},
		"width80":  {everyGuard(), Options{Width: 80}},
		"color":    {everyGuard(), Options{Color: true}},
		"maywrite": {mayWrite, Options{NoHeaders: true}},
		"whole":    {auditOf([]audit.Object{{Object: deployment("team-a", "api"), Guard: fullGuard}}), Options{}},
		"bypassed": {bypassed(), Options{}},
		"bypass80": {bypassed(), Options{Width: 80}},
		"unread":   {unreadAudit(), Options{}},
		"scoped":   {scoped(), Options{}},
		"many":     {manyGuards(900), Options{}},
		"folded":   {manyGuards(10000), Options{}},
	} {
		t.Run(name, func(t *testing.T) {
			golden(t, "audit-table-"+name+".txt", printed(t, Audit, "table", test.report, test.options))
		})
	}
}
