package simulate

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
)

// APIVersion is the version of every report, see docs/reports.md.
const APIVersion = "compliance.downscaler.dev/v1alpha1"

// Outcome is what a request comes to.
type Outcome string

// The outcomes. Altered: the request succeeds and what is stored differs from what was proposed in
// some annotation with the downscaler's prefix. Unknown: what could not be read or evaluated may decide it.
const (
	Allowed Outcome = "Allowed"
	Altered Outcome = "Altered"
	Blocked Outcome = "Blocked"
	Unknown Outcome = "Unknown"
)

// ChangeKind is what a request asks for one annotation.
type ChangeKind string

// The kinds of change. None: only a policy touches the annotation.
const (
	Added     ChangeKind = "Added"
	Edited    ChangeKind = "Edited"
	Removed   ChangeKind = "Removed"
	Unchanged ChangeKind = "Unchanged"
	None      ChangeKind = "None"
)

// Effect is what becomes of one annotation.
type Effect string

// The effects. Stripped: an addition taken out. Reverted: an edit put back. Restored: a removal undone.
// Replaced: stored with a third value. AddedByPolicy: a key the request did not carry. Kept: stored as
// proposed, a removal included.
const (
	EffectKept          Effect = "Kept"
	EffectBlocked       Effect = "Blocked"
	EffectStripped      Effect = "Stripped"
	EffectReverted      Effect = "Reverted"
	EffectRestored      Effect = "Restored"
	EffectReplaced      Effect = "Replaced"
	EffectAddedByPolicy Effect = "AddedByPolicy"
	EffectUnknown       Effect = "Unknown"
)

// Report is the machine-readable answer of a simulation, kind SimulationReport.
type Report struct {
	APIVersion  string            `json:"apiVersion"`
	Kind        string            `json:"kind"`
	Server      inventory.Server  `json:"server"`
	Requester   request.Requester `json:"requester"`
	Results     []Result          `json:"results"`
	Incomplete  []inventory.Gap   `json:"incomplete"`
	Assumptions []inventory.Gap   `json:"assumptions"`
	Summary     Summary           `json:"summary"`
}

// Summary counts results by outcome.
type Summary struct {
	Objects int `json:"objects"`
	Allowed int `json:"allowed"`
	Altered int `json:"altered"`
	Blocked int `json:"blocked"`
	Unknown int `json:"unknown"`
}

// ObjectRef names one object of a report.
type ObjectRef struct {
	APIVersion   string `json:"apiVersion"`
	Kind         string `json:"kind"`
	Namespace    string `json:"namespace,omitempty"`
	Name         string `json:"name,omitempty"`
	GenerateName string `json:"generateName,omitempty"`
}

// Result is what the API server would do with one request.
type Result struct {
	Object      ObjectRef `json:"object"`
	Operation   string    `json:"operation"`
	Verb        string    `json:"verb"`
	Subresource string    `json:"subresource"`
	Outcome     Outcome   `json:"outcome"`
	// Status is the API server's answer where the request fails, nil otherwise.
	Status *metav1.Status `json:"status,omitempty"`
	// PossibleStatuses are all the answers the API server may give where several policies deny; it
	// gives any one of them.
	PossibleStatuses []metav1.Status   `json:"possibleStatuses"`
	Warnings         []string          `json:"warnings"`
	AuditAnnotations map[string]string `json:"auditAnnotations"`
	Annotations      []Annotation      `json:"annotations"`
	Steps            []policy.Step     `json:"steps"`

	// Incomplete and Assumptions are this request's own; a report gathers them.
	Incomplete  []inventory.Gap `json:"-"`
	Assumptions []inventory.Gap `json:"-"`
	// Disorder is set where the order of mutating policies decides.
	Disorder *policy.Disorder `json:"-"`
}

// Annotation is what becomes of one annotation with the downscaler's prefix: nil stands for absent.
type Annotation struct {
	Key      string     `json:"key"`
	Change   ChangeKind `json:"change"`
	Before   *string    `json:"before"`
	Proposed *string    `json:"proposed"`
	After    *string    `json:"after"`
	Effect   Effect     `json:"effect"`
	By       []By       `json:"by"`
}

// By names a policy and the binding through which it acted.
type By struct {
	Kind    string `json:"kind"`
	Policy  string `json:"policy"`
	Binding string `json:"binding,omitempty"`
}
