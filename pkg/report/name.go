package report

import (
	"strings"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/audit"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// simulationNames lists the objects that a pipeline would want to do something about: those whose
// request would not pass unchanged. With ShowAll it lists every object.
func simulationNames(report *simulate.Report, options Options) ([]byte, error) {
	var refs []simulate.ObjectRef
	for _, result := range report.Results {
		if options.ShowAll || result.Outcome != simulate.Allowed {
			refs = append(refs, result.Object)
		}
	}
	return names(refs), nil
}

// auditNames lists the objects that carry annotations or are not fully guarded, as the table does.
// With ShowAll it lists every object.
func auditNames(report *audit.Report, options Options) ([]byte, error) {
	var refs []simulate.ObjectRef
	for _, object := range report.Objects {
		if options.ShowAll || worthShowing(object) {
			refs = append(refs, object.Object)
		}
	}
	return names(refs), nil
}

// names writes a line an object, as kubectl's -o name: without the namespace, and an object once.
func names(refs []simulate.ObjectRef) []byte {
	var b strings.Builder
	seen := map[simulate.ObjectRef]bool{}
	for _, ref := range refs {
		if !seen[ref] {
			b.WriteString(fullName(ref) + "\n")
		}
		seen[ref] = true
	}
	return []byte(b.String())
}
