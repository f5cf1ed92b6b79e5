package audit

import (
	"context"
	"fmt"
	"slices"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/downscaler"
)

// unknownAnnotation: a key with the prefix that the downscaler doesn't read, so that whoever set it believes in something that does
// not happen. It is silent for the key that a downscaler's --deployment-time-annotation names.
var unknownAnnotation = rule{
	Rule: Rule{ID: "unknown-annotation", Severity: Low, Title: "An annotation with the prefix that the downscaler does not read"},
	find: findUnknownAnnotation,
}

func findUnknownAnnotation(ctx context.Context, v *view) ([]Finding, error) {
	var findings []Finding
	var named []string // asked for with the first key in question
	for c := range v.carried() {
		if downscaler.Known(c.Key) {
			continue
		}
		if named == nil {
			named = append([]string{""}, v.downscalers(ctx).timeKeys...)
		}
		if slices.Contains(named, c.Key) {
			continue
		}
		f := v.finding(c)
		f.Message = fmt.Sprintf("The downscaler reads no annotation %s; its value is %s.%s%s", c.Key, shown(c.Value), c.meant(), c.who())
		f.Remedy = c.rename()
		findings = append(findings, f)
	}
	return findings, nil
}

// meant names the key that the downscaler reads and that is nearest.
func (c carried) meant() string {
	if nearest := downscaler.Nearest(c.Key); nearest != "" {
		return fmt.Sprintf(" The nearest that it reads is %s.", nearest)
	}
	return ""
}

// rename is the command that writes the nearest key in place of this one, with the nearest valid value, where both are known.
func (c carried) rename() string {
	nearest := downscaler.Nearest(c.Key)
	if nearest == "" {
		return "Remove it: " + c.remove()
	}
	if _, there := c.row.values()[nearest]; there {
		return fmt.Sprintf("Remove it, since the object has %s, too: %s", nearest, c.remove())
	}
	value, valid := usable(nearest, c.Value, c.row)
	if !valid {
		return fmt.Sprintf("Set %s in its place to a value that it takes, and remove this one: %s", nearest, c.remove())
	}
	return fmt.Sprintf("If %s was meant: %s", nearest, c.row.annotate(c.Key+"-", nearest+"="+value))
}
