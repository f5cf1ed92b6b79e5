package findings

import (
	"slices"
	"testing"
)

// catalogue is every situation, at least one for each rule of the audit.
var catalogue = slices.Concat(
	bindingSituations, versionSituations, typeSituations, errorSituations, parameterSituations, budgetSituations,
	coveredSituations, changeSituations, namespaceSituations, replicaSetSituations, deletionSituations,
	orderSituations, mutationSituations, selectorSituations, conditionSituations, fieldSituations,
	patternSituations, exemptSituations, pathSituations, furtherPathSituations, editableSituations, becomingSituations,
	webhookSituations, annotationSituations, driftSituations, valuesSituations,
)

// TestFindings makes each situation of the catalogue on an API server, and mends it.
func TestFindings(t *testing.T) {
	for _, s := range catalogue {
		t.Run(s.name(), func(t *testing.T) {
			t.Parallel()
			s.try(t)
		})
	}
}
