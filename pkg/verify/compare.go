package verify

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// compare lists the differences between two answers.
func compare(simulated, server Answer) []Difference {
	differences := []Difference{}
	if (simulated.Status == nil) != (server.Status == nil) {
		outcome := Difference{What: "outcome", Simulated: text(string(simulated.Outcome)), Server: text(string(server.Outcome))}
		message := Difference{What: "status.message", Simulated: messageOf(simulated.Status), Server: messageOf(server.Status)}
		return append(differences, outcome, message)
	}
	if server.Status != nil {
		differences = append(differences, statusDifferences(simulated.mayBe(server.Status), server.Status)...)
	} else {
		differences = append(differences, annotationDifferences(simulated.Annotations, server.Annotations)...)
	}
	return append(differences, warningDifferences(simulated.Warnings, server.Warnings)...)
}

func statusDifferences(simulated, server *metav1.Status) []Difference {
	var differences []Difference
	add := func(what, a, b string) {
		if a != b {
			differences = append(differences, Difference{What: what, Simulated: text(a), Server: text(b)})
		}
	}
	add("status.code", strconv.Itoa(int(simulated.Code)), strconv.Itoa(int(server.Code)))
	add("status.reason", string(simulated.Reason), string(server.Reason))
	add("status.message", simulated.Message, server.Message)
	if !sameDetails(simulated.Details, server.Details) {
		add("status.details", detailsText(simulated.Details), detailsText(server.Details))
	}
	return differences
}

// sameDetails compares what a Status says about its object and its causes.
func sameDetails(a, b *metav1.StatusDetails) bool {
	plain := func(d *metav1.StatusDetails) metav1.StatusDetails {
		if d == nil {
			return metav1.StatusDetails{}
		}
		copied := *d
		copied.RetryAfterSeconds = 0
		return copied
	}
	return equality.Semantic.DeepEqual(plain(a), plain(b))
}

// detailsText is the details in JSON: they are for programs.
func detailsText(details *metav1.StatusDetails) string {
	content, err := json.Marshal(details)
	if err != nil {
		return err.Error()
	}
	return string(content)
}

func annotationDifferences(simulated, server map[string]string) []Difference {
	var differences []Difference
	keys := slices.Concat(slices.Collect(maps.Keys(simulated)), slices.Collect(maps.Keys(server)))
	slices.Sort(keys)
	for _, key := range slices.Compact(keys) {
		a, b := valueOf(simulated, key), valueOf(server, key)
		if a == nil || b == nil || *a != *b {
			differences = append(differences, Difference{What: "annotations[" + key + "]", Simulated: a, Server: b})
		}
	}
	return differences
}

func warningDifferences(simulated, server []string) []Difference {
	a, b := policyWarnings(simulated), policyWarnings(server)
	if slices.EqualFunc(a, b, sameWarning) {
		return nil
	}
	return []Difference{{What: "warnings", Simulated: joined(a), Server: joined(b)}}
}

func joined(list []string) *string {
	if len(list) == 0 {
		return nil
	}
	return text(strings.Join(list, "; "))
}

func messageOf(status *metav1.Status) *string {
	if status == nil {
		return nil
	}
	return text(status.Message)
}

func valueOf(values map[string]string, key string) *string {
	if value, found := values[key]; found {
		return &value
	}
	return nil
}

func text(s string) *string { return &s }
