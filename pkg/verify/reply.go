package verify

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/admission"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/downscaler"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// reply is what came back from the API server.
type reply struct {
	code     int
	body     []byte
	warnings []string
}

// answer reads a reply to a request.
func (r reply) answer(asked request.Request) (Answer, error) {
	a := Answer{Outcome: simulate.Allowed, Warnings: r.warnings, Annotations: map[string]string{}}
	if r.code >= http.StatusBadRequest {
		a.Outcome, a.Status = simulate.Blocked, &metav1.Status{}
		if err := json.Unmarshal(r.body, a.Status); err != nil || a.Status.Kind != "Status" {
			return Answer{}, fmt.Errorf("it answered HTTP %d with something else than a Status", r.code)
		}
		return a.withGeneratedName(asked, ""), nil
	}
	if asked.Operation == admission.Delete {
		return a, nil
	}
	stored := metav1.PartialObjectMetadata{}
	if err := json.Unmarshal(r.body, &stored); err != nil {
		return Answer{}, fmt.Errorf("it answered with something else than the object: %w", err)
	}
	a.Annotations = prefixed(stored.Annotations)
	if proposed, ok := asked.Proposed.(metav1.Object); ok && !maps.Equal(a.Annotations, prefixed(proposed.GetAnnotations())) {
		a.Outcome = simulate.Altered
	}
	return a.withGeneratedName(asked, stored.Name), nil
}

// prefixed are the annotations with the downscaler's prefix.
func prefixed(annotations map[string]string) map[string]string {
	kept := map[string]string{}
	for key, value := range annotations {
		if strings.HasPrefix(key, downscaler.Prefix) {
			kept[key] = value
		}
	}
	return kept
}

// simulated is the simulation's answer.
func simulated(result simulate.Result) Answer {
	a := Answer{
		Outcome: result.Outcome, Status: result.Status, PossibleStatuses: result.PossibleStatuses,
		Warnings: result.Warnings, Annotations: map[string]string{},
	}
	if result.Outcome != simulate.Allowed && result.Outcome != simulate.Altered {
		return a
	}
	for _, annotation := range result.Annotations {
		if annotation.After != nil {
			a.Annotations[annotation.Key] = *annotation.After
		}
	}
	return a
}

func changes(result simulate.Result) []Change {
	list := []Change{}
	for _, a := range result.Annotations {
		if a.Change != simulate.Unchanged && a.Change != simulate.None {
			list = append(list, Change{Key: a.Key, Change: a.Change, Before: a.Before, Proposed: a.Proposed})
		}
	}
	return list
}
