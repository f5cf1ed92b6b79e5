package report

import (
	"strings"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/audit"
)

// why leads on from a table: the command that explains the object which is guarded least. The command stands in a
// line of its own, unbroken, so that it can be copied.
func why(report *audit.Report, shown []audit.Object, options Options) string {
	for _, object := range shown {
		if standing(object) == string(audit.LevelFull) {
			break
		}
		command := report.Why(object)
		if command == "" {
			continue
		}
		name := shortName(object.Object)
		if object.Object.Namespace != "" {
			name += " in " + escape(object.Object.Namespace)
		}
		return "\n" + indented("", "Why? Clause by clause, for "+name+":", options.Width) + strings.Repeat(" ", 2) + escape(command) + "\n"
	}
	return ""
}
