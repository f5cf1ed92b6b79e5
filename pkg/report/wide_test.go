package report

import "testing"

func TestSimulationWide(t *testing.T) {
	golden(t, "simulation-wide.txt", printed(t, Simulation, "wide", everyOutcome(), Options{}))
	golden(t, "simulation-wide-width200.txt", printed(t, Simulation, "wide", everyOutcome(), Options{Width: 200}))
	golden(t, "simulation-wide-width120.txt", printed(t, Simulation, "wide", everyOutcome(), Options{Width: 120}))
}

func TestAuditWide(t *testing.T) {
	golden(t, "audit-wide.txt", printed(t, Audit, "wide", everyGuard(), Options{}))
	golden(t, "audit-wide-bypassed.txt", printed(t, Audit, "wide", bypassed(), Options{}))
	golden(t, "audit-wide-width120.txt", printed(t, Audit, "wide", everyGuard(), Options{Width: 120, NoHeaders: true}))
}
