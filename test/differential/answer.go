package differential

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/test/reply"
)

// Answer is what both sides are compared by.
type Answer struct {
	reply.Reply
	// Annotations and Labels are those of the object as it would be stored, nil where nothing is.
	Annotations, Labels map[string]string
	// Unsent says that kubectl sends nothing, since there is nothing to change.
	Unsent bool
	// Unknown are the paths of annotations and labels whose values the plugin does not claim to know.
	Unknown []string
}

// withoutGeneratedName puts the plugin's stand-in for the name that the API server made of generateName.
func (a Answer) withoutGeneratedName(generateName string) Answer {
	if generateName == "" {
		return a
	}
	generated := regexp.MustCompile(regexp.QuoteMeta(generateName) + "[a-z0-9]{5}")
	replace := func(s string) string { return generated.ReplaceAllString(s, request.GeneratedName) }
	if a.Status != nil {
		status := *a.Status.DeepCopy()
		status.Message = replace(status.Message)
		if status.Details != nil {
			status.Details.Name = replace(status.Details.Name)
			for i := range status.Details.Causes {
				status.Details.Causes[i].Message = replace(status.Details.Causes[i].Message)
			}
		}
		a.Status = &status
	}
	a.Warnings = slices.Clone(a.Warnings)
	for i := range a.Warnings {
		a.Warnings[i] = replace(a.Warnings[i])
	}
	a.Audit = replaceValues(a.Audit, replace)
	a.Annotations = replaceValues(a.Annotations, replace)
	a.Labels = replaceValues(a.Labels, replace)
	return a
}

func replaceValues(values map[string]string, replace func(string) string) map[string]string {
	replaced := map[string]string{}
	for key, value := range values {
		replaced[key] = replace(value)
	}
	return replaced
}

// transcript is all the text of an answer, in which Coverage looks for what it shows.
func (a Answer) transcript() string {
	var text strings.Builder
	if a.Status != nil {
		text.WriteString(a.Status.Message + "\n")
	}
	for _, warning := range a.Warnings {
		text.WriteString(warning + "\n")
	}
	for _, values := range []map[string]string{a.Audit, a.Annotations} {
		for _, key := range slices.Sorted(maps.Keys(values)) {
			text.WriteString(key + "=" + values[key] + "\n")
		}
	}
	return text.String()
}
