package audit

import "testing"

// What is asked for changes something, whatever the object carries.
func TestAsk(t *testing.T) {
	simulator := simulatorOf(t, load(t, teamA, deployment("team-a", "web", `downscaler/exclude: "true"`)))
	kind, err := simulator.Inventory().Kinds().Resolve("deployments")
	if err != nil {
		t.Fatal(err)
	}
	object, err := simulator.Inventory().Get(t.Context(), kind, "team-a", "web")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		column, want Column
		key          string
		copied       bool
	}{
		{ColumnAdd, ColumnAdd, "downscaler/uptime", false},
		{ColumnAdd, ColumnEdit, "downscaler/exclude", false},
		{ColumnEdit, ColumnEdit, "downscaler/exclude", false},
		{ColumnEdit, ColumnEdit, "downscaler/uptime", true},
		{ColumnRemove, ColumnRemove, "downscaler/exclude", false},
		{ColumnRemove, ColumnRemove, "downscaler/uptime", true},
	} {
		p := Ask(object, test.column, test.key)
		before, carried := p.Object.Meta().GetAnnotations()[test.key]
		after, set := p.Change.Set[test.key]
		if p.Column != test.want || p.Copied != test.copied || set && carried && before == after || (test.want != ColumnAdd) != carried {
			t.Errorf("%s %s: %+v", test.column, test.key, p)
		}
	}
}
