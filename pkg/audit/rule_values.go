package audit

import (
	"context"
	"fmt"
)

// ValuesKind is the kind of subject that Helm values are; its name is that of their file.
const ValuesKind = "Values"

// valuesRule finds one kind of mistake in the Helm values that policies were proposed by, of which the chart makes something else than was meant:
// pkg/chart knows them. The policies are tried as they were meant.
func valuesRule(id string, severity Severity, title string) rule {
	find := func(_ context.Context, v *view) ([]Finding, error) {
		var findings []Finding
		for _, m := range v.mistakes {
			if m.ID != id {
				continue
			}
			findings = append(findings, Finding{
				Subject: Subject{Kind: ValuesKind, Name: v.values, Field: m.Field}, Message: m.Message + lineOf(m.Line),
				Evidence: commandLine([]string{"audit"}, v.flags), Remedy: m.Remedy, Distinct: m.Written,
			})
		}
		return findings, nil
	}
	return rule{Rule: Rule{ID: id, Severity: severity, Title: title}, find: find}
}

func lineOf(line int) string {
	if line == 0 {
		return ""
	}
	return fmt.Sprintf(" (line %d)", line)
}

// followsFromValues says of a policy that does not compile, and of what is open for that, that it is no mistake of its own: a pattern of the values broke out of its
// quotes. It is empty where none did.
func (v *view) followsFromValues() string {
	for _, m := range v.mistakes {
		if m.InPatterns() && !m.Mended {
			return fmt.Sprintf(" It follows from values-pattern-quoting at %s%s: mend that first.", m.Field, lineOf(m.Line))
		}
	}
	return ""
}
