package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/audit"
)

// readableFindings is how many findings of one rule a person reads.
const readableFindings = 5

// severities are in the order in which findings are shown.
var severities = []audit.Severity{audit.Critical, audit.High, audit.Medium, audit.Low, audit.Info}

var severityColors = map[audit.Severity]color{
	audit.Critical: red,
	audit.High:     red,
	audit.Medium:   yellow,
}

// findingGroup are findings that differ in their subject only. Of remedies and evidence that name the subject, the first one's are shown.
type findingGroup struct {
	audit.Finding
	subjects []string
}

// findings prints what is wrong, the gravest first: rule and subjects, what is wrong, what to do, and
// the command that shows it.
func findings(report *audit.Report, options Options) string {
	groups := groupFindings(report.Findings)
	printed, left := map[string]int{}, map[string]int{}
	var b strings.Builder
	b.WriteString(about(report, options))
	var skipped []string
	for _, group := range groups {
		if printed[group.ID] >= readableFindings && !options.ShowAll {
			if left[group.ID] == 0 {
				skipped = append(skipped, group.ID)
			}
			left[group.ID] += len(group.subjects)
			continue
		}
		printed[group.ID]++
		b.WriteString(group.print(options) + "\n")
	}
	for _, id := range skipped {
		fmt.Fprintf(&b, "... and %s of %s (--show-all)\n\n", count(left[id], "more finding", "more findings"), escape(id))
	}
	return b.String()
}

// about says whom the findings are about, who may be another one than the table is about.
func about(report *audit.Report, options Options) string {
	if len(report.Findings) == 0 {
		return ""
	}
	ordinary := audit.OrdinaryUser().Username
	text := "Findings are about an ordinary user (" + ordinary + ")"
	if report.Requester.Username != ordinary {
		text += ", the table is about " + escape(report.Requester.Username)
	}
	return indented("", text+".", options.Width) + "\n"
}

func groupFindings(all []audit.Finding) []*findingGroup {
	groups := map[audit.Finding]*findingGroup{}
	var order []*findingGroup
	for _, finding := range all {
		key := finding
		key.Subject, key.Evidence, key.Distinct, key.Reach, key.Wider = audit.Subject{}, "", "", nil, nil
		key.Remedy = withoutNames(finding.Remedy, finding.Subject)
		if groups[key] == nil {
			groups[key] = &findingGroup{Finding: finding}
			order = append(order, groups[key])
		}
		groups[key].subjects = append(groups[key].subjects, subjectName(finding.Subject))
	}
	slices.SortStableFunc(order, func(a, b *findingGroup) int {
		return cmp.Compare(severityRank(a.Severity), severityRank(b.Severity))
	})
	return order
}

// withoutNames is a remedy in which the commands don't name the object: it is the same for objects that are alike.
func withoutNames(remedy string, s audit.Subject) string {
	if s.Name == "" {
		return remedy
	}
	return strings.NewReplacer("/"+s.Name+" -n "+s.Namespace+" ", "/NAME -n NAMESPACE ", "/"+s.Name+" ", "/NAME ").Replace(remedy)
}

func severityRank(severity audit.Severity) int {
	if i := slices.Index(severities, severity); i >= 0 {
		return i
	}
	return len(severities)
}

// subjectName is the object and the field that a finding is about.
func subjectName(s audit.Subject) string {
	name := s.Kind
	if s.Name != "" {
		name += " " + s.Name
	}
	if s.Namespace != "" {
		name += " in " + s.Namespace
	}
	if s.Field != "" {
		name += ", " + s.Field
	}
	return escape(name)
}

func (g *findingGroup) print(options Options) string {
	few := readableWhats
	if options.ShowAll {
		few = len(g.subjects)
	}
	severity := escape(strings.ToUpper(string(g.Severity)))
	label := options.paint(severityColors[g.Severity], severity) + strings.Repeat(" ", max(10-len(severity), 1))
	indent := strings.Repeat(" ", 10)
	var b strings.Builder
	b.WriteString(label + escape(g.ID) + "\n")
	b.WriteString(indented(indent, firstOf(g.subjects, few, "; "), options.Width))
	b.WriteString(indented(indent, escape(g.Message), options.Width))
	if g.Remedy != "" {
		b.WriteString(indented(indent+"Remedy: ", escape(g.Remedy), options.Width))
	}
	if g.Evidence != "" {
		b.WriteString(indented(indent+"Shown by: ", escape(g.Evidence), 0))
	}
	return b.String()
}
