// Package compare says what proposed policies would change: what the API server makes of the same requests with the policies in
// force and with those proposed. It writes nothing and asks nobody but the simulators that it is given.
package compare

import (
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/authorization"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// Report is the machine-readable answer of a comparison, kind ComparisonReport.
type Report struct {
	APIVersion string           `json:"apiVersion"`
	Kind       string           `json:"kind"`
	Server     inventory.Server `json:"server"`
	// Requesters are those in whose name the requests were tried.
	Requesters  []Requester     `json:"requesters"`
	Changes     []Change        `json:"changes"`
	Incomplete  []inventory.Gap `json:"incomplete"`
	Assumptions []inventory.Gap `json:"assumptions"`
	Summary     Summary         `json:"summary"`
}

// Change is one request of which something else would come, or of which that is not known, for each of some requesters.
type Change struct {
	Object      simulate.ObjectRef      `json:"object"`
	Requesters  []authorization.Subject `json:"requesters"`
	Operation   string                  `json:"operation"`
	Subresource string                  `json:"subresource"`
	// Key is the annotation that the request is about, and Asked what it asks for it. Both are empty where it is not an annotation
	// but the request as a whole of which something else comes, such as an update that touches none.
	Key   string              `json:"key,omitempty"`
	Asked simulate.ChangeKind `json:"asked,omitempty"`

	Effect   Effect `json:"effect"`
	Today    Side   `json:"today"`
	Tomorrow Side   `json:"tomorrow"`
}

// Side is what comes of a request with one set of policies.
type Side struct {
	Result Result `json:"result"`
	// By are the policies that make it so.
	By []simulate.By `json:"by"`
}

// Result is what comes of a request, or of one of its annotations.
type Result string

// The results. Those that are not ResultBlocked belong to requests that pass: Warned and Audited are stored as asked, with a warning
// or a record in the audit log. The others are named as simulate's effects.
const (
	ResultAllowed       Result = "Allowed"
	ResultWarned        Result = "Warned"
	ResultAudited       Result = "Audited"
	ResultBlocked       Result = "Blocked"
	ResultStripped      Result = "Stripped"
	ResultReverted      Result = "Reverted"
	ResultRestored      Result = "Restored"
	ResultReplaced      Result = "Replaced"
	ResultAddedByPolicy Result = "AddedByPolicy"
	ResultUnknown       Result = "Unknown"
)

// Effect is what a change means to the requester.
type Effect string

// The effects. NewlyStripped is every request that passes and of which something else is stored than it asks for.
// Otherwise is what passes as before, with a warning or a record more or less.
const (
	NewlyBlocked  Effect = "NewlyBlocked"
	NewlyStripped Effect = "NewlyStripped"
	NewlyAllowed  Effect = "NewlyAllowed"
	Otherwise     Effect = "Otherwise"
	Unknown       Effect = "Unknown"
)

// Summary counts what would change.
type Summary struct {
	// Objects are those that were tried, and Changed those of them that some Change is about for certain. The others count requests, those of
	// each requester.
	Objects int `json:"objects"`
	Changed int `json:"changed"`
	// Unknown are the objects with a Change that is not known.
	Unknown int            `json:"unknown"`
	Effects map[Effect]int `json:"effects"`
	// Prevented are the changes that pass today and are blocked or stripped tomorrow; the others that are newly blocked or stripped are prevented
	// today, too, in the other way.
	Prevented int `json:"prevented"`
	// Losing are the requesters for whom something passes today that tomorrow is prevented; Gaining those with the opposite.
	Losing  []authorization.Subject `json:"losing"`
	Gaining []authorization.Subject `json:"gaining"`
}
