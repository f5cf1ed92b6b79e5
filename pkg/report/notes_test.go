package report

import (
	"fmt"
	"testing"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

func TestNotes(t *testing.T) {
	var gaps []inventory.Gap
	for i := range 30 {
		gaps = append(gaps,
			inventory.Gap{What: fmt.Sprintf("kind %d", i), Why: "forbidden"},
			inventory.Gap{What: "policy block", Why: fmt.Sprintf("reason %d", i)},
			inventory.Gap{What: "policy block", Why: "always the same"})
	}
	golden(t, "notes.txt", []byte(notes(gaps, nil, Options{})))
	golden(t, "notes-all.txt", []byte(notes(nil, gaps, Options{ShowAll: true, Width: 60})))
	if text := notes(nil, nil, Options{}); text != "" {
		t.Errorf("no notes print %q", text)
	}
}
