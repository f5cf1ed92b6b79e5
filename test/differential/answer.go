package differential

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
)

// Answer is what both sides are compared by.
type Answer struct {
	// Status is the API server's answer to a request that fails, nil for one that passes.
	Status *metav1.Status
	// Possible are the statuses any one of which is right. Only the plugin knows them.
	Possible []metav1.Status
	Warnings []string
	// Audit are the annotations that admission added to the audit event.
	Audit map[string]string
	// Annotations and Labels are those of the object as it would be stored, nil where nothing is.
	Annotations, Labels map[string]string
	// Unsent says that kubectl sends nothing, since there is nothing to change.
	Unsent bool
	// Unknown are the paths of annotations and labels whose values the plugin does not claim to know.
	Unknown []string
}

// canonical puts an answer into the form that is compared: statuses without kind and retry hints, warnings sorted.
func (a Answer) canonical() Answer {
	a.Possible = slices.Clone(a.Possible)
	if a.Status != nil {
		status := canonicalStatus(*a.Status)
		a.Status = &status
	}
	for i, status := range a.Possible {
		a.Possible[i] = canonicalStatus(status)
	}
	a.Warnings = slices.Sorted(slices.Values(a.Warnings))
	audit := map[string]string{}
	for key, value := range a.Audit {
		audit[key] = sortedAudit(key, value)
	}
	a.Audit = audit
	return a
}

// validationFailure is the key under which the API server lists what failed in policies that audit.
const validationFailure = "validation.policy.admission.k8s.io/validation_failure"

// sortedAudit sorts the parts of an audit annotation: the API server goes through bindings and parameters in no order.
func sortedAudit(key, value string) string {
	if key != validationFailure {
		parts := strings.Split(value, ", ")
		slices.Sort(parts)
		return strings.Join(parts, ", ")
	}
	var failures []json.RawMessage
	if err := json.Unmarshal([]byte(value), &failures); err != nil {
		return value
	}
	slices.SortFunc(failures, func(a, b json.RawMessage) int { return strings.Compare(string(a), string(b)) })
	sorted, err := json.Marshal(failures)
	if err != nil {
		return value
	}
	return string(sorted)
}

func canonicalStatus(status metav1.Status) metav1.Status {
	status.TypeMeta, status.ListMeta = metav1.TypeMeta{}, metav1.ListMeta{}
	return status
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
