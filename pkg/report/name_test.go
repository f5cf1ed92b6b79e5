package report

import "testing"

func TestNames(t *testing.T) {
	if got, want := string(printed(t, Simulation, "name", everyOutcome(), Options{})),
		"deployment.apps/cache\ndeployment.apps/web\nrollout.argoproj.io/shop\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := string(printed(t, Simulation, "name", everyOutcome(), Options{ShowAll: true})),
		"namespace/team-a\njob.batch/load-<generated>\ndeployment.apps/api\ndeployment.apps/cache\ndeployment.apps/web\nrollout.argoproj.io/shop\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := string(printed(t, Audit, "name", everyGuard(), Options{})),
		"namespace/team-a\ndeployment.apps/web\ndeployment.apps/shop\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := printed(t, Audit, "name", auditOf(nil), Options{}); len(got) != 0 {
		t.Errorf("got %q for no objects", got)
	}
}

// An object whose request and whose subresource's request both fail is one object.
func TestNamesOnce(t *testing.T) {
	again := blocked(deployment("team-a", "web"))
	again.Subresource = "status"
	report := simulationOf(blocked(deployment("team-a", "web")), again, blocked(deployment("team-b", "web")))
	if got, want := string(printed(t, Simulation, "name", report, Options{})), "deployment.apps/web\ndeployment.apps/web\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
