package report

import (
	"slices"
	"strings"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/audit"
)

// directOnly stands where an object is fully guarded and some subresource leads around the guard.
const directOnly = "direct only"

// standing is how well an object is guarded, as people see it: "full" holds for the subresources, too.
func standing(object audit.Object) string {
	level := object.Guard.Level()
	if level == audit.LevelFull && len(object.Bypasses()) > 0 {
		return directOnly
	}
	return string(level)
}

// standings are in the order in which objects are shown: what needs attention first.
var standings = []string{
	string(audit.LevelNone), string(audit.LevelUnknown), string(audit.LevelPartial), directOnly, string(audit.LevelFull),
}

var standingColors = map[string]color{
	string(audit.LevelNone):    red,
	string(audit.LevelUnknown): magenta,
	string(audit.LevelPartial): yellow,
	directOnly:                 yellow,
	string(audit.LevelFull):    green,
}

func standingWord(object audit.Object, options Options) string {
	word := standing(object)
	return options.paint(standingColors[word], word)
}

// bypasses names the ways around an object's guard, those that let the same through together: by /status, /finalize: add, edit.
func bypasses(object audit.Object) string {
	var order []string
	subresources := map[string][]string{}
	for _, bypass := range object.Bypasses() {
		var columns []string
		for _, column := range bypass.Columns {
			columns = append(columns, string(column))
		}
		what := strings.Join(columns, ", ")
		if subresources[what] == nil {
			order = append(order, what)
		}
		subresources[what] = append(subresources[what], "/"+escape(bypass.Subresource))
	}
	var ways []string
	for _, what := range order {
		ways = append(ways, "by "+strings.Join(subresources[what], ", ")+": "+what)
	}
	return strings.Join(ways, "; ")
}

// bypassedBy are the subresources that lead around the guards of fully guarded objects: /finalize or /status.
func bypassedBy(report *audit.Report) string {
	var names []string
	for _, object := range report.Objects {
		if standing(object) != directOnly {
			continue
		}
		for _, bypass := range object.Bypasses() {
			if name := "/" + escape(bypass.Subresource); !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return strings.Join(names, " or ")
}
