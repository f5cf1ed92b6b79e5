package audit

import (
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// Report is the machine-readable answer of an audit, kind AuditReport.
type Report struct {
	APIVersion string           `json:"apiVersion"`
	Kind       string           `json:"kind"`
	Server     inventory.Server `json:"server"`
	// Requester is the one that the guards were tried with.
	Requester   request.Requester `json:"requester"`
	Scope       Scope             `json:"scope"`
	Objects     []Object          `json:"objects"`
	Findings    []Finding         `json:"findings"`
	Incomplete  []inventory.Gap   `json:"incomplete"`
	Assumptions []inventory.Gap   `json:"assumptions"`
	Summary     Summary           `json:"summary"`

	// SkippedRules are the ids of the rules that were not applied, by choice: what they would find is not known.
	SkippedRules []string `json:"skippedRules,omitempty"`
	// Baseline is nil where the audit was compared with none.
	Baseline *Baseline `json:"baseline,omitempty"`

	// StateFlags are the options' Flags, see Why.
	StateFlags []string `json:"-"`
	// Values is the file of the Helm values that were audited, empty where none were.
	Values string `json:"-"`
	// Rules are those that were applied.
	Rules []Rule `json:"-"`
	// Positions are where the subjects of findings stand in the files that the state was read from.
	Positions map[Subject]inventory.Position `json:"-"`
}

// Object is one workload or namespace with its annotations and how well they are guarded.
type Object struct {
	Object      simulate.ObjectRef `json:"object"`
	Annotations []Annotation       `json:"annotations"`
	// MayWrite is nil for the ordinary user, and where it can't be found out.
	MayWrite *MayWrite `json:"mayWrite,omitempty"`
	Guard    Guard     `json:"guard"`
	// RefusedAnyway are the policies that refuse changes whatever the annotation: the guard behind them is what Guard says.
	RefusedAnyway []RefusedAnyway `json:"refusedAnyway,omitempty"`
	// Subresources are the ways around the object itself; none of the kind's may write metadata where it is empty.
	Subresources []SubresourceGuard `json:"subresources"`

	// Resource is the object's type as kubectl takes it for no other one, such as deployments.apps; see Why.
	Resource string `json:"-"`
}

// Annotation is one annotation with the downscaler's prefix that an object carries.
type Annotation struct {
	Key     string `json:"key"`
	Value   string `json:"value"`
	Valid   bool   `json:"valid"`
	Problem string `json:"problem"`
	// Flaw is the kind of the problem, in a word; absent where there is none.
	Flaw Flaw `json:"flaw,omitempty"`
	// Meaning is what timespans that can be read come to, in words; absent for other values.
	Meaning string `json:"meaning,omitempty"`
	// SetBy and SetAt are the field manager that owns the annotation, which is a program and no user, and the time of its last write
	// (RFC 3339), from managedFields; empty where these don't say.
	SetBy string `json:"setBy"`
	SetAt string `json:"setAt"`
}

// Flaw is a kind of problem that an annotation has.
type Flaw string

// The flaws. The value of an annotation that is Expired is valid, and does nothing any more.
const (
	FlawUnknownKey   Flaw = "UnknownKey"
	FlawInvalid      Flaw = "Invalid"
	FlawIncompatible Flaw = "Incompatible"
	FlawExpired      Flaw = "Expired"
)

// MayWrite is what the requester is authorized to do with an object. Update is by PATCH or by PUT, of which each would do.
type MayWrite struct {
	Create bool `json:"create"`
	Update bool `json:"update"`
}

// Protection is what a guard makes of one kind of change.
type Protection string

// The protections, weakest first; the last four all prevent the change, and Unknown says nothing.
const (
	ProtectionAllowed  Protection = "Allowed"
	ProtectionAudited  Protection = "Audited"
	ProtectionWarned   Protection = "Warned"
	ProtectionUnknown  Protection = "Unknown"
	ProtectionBlocked  Protection = "Blocked"
	ProtectionStripped Protection = "Stripped"
	ProtectionReverted Protection = "Reverted"
	ProtectionRestored Protection = "Restored"
)

// Guard is what an ordinary user's four probes of one object come to: creating it with an annotation,
// adding one, editing one and removing one.
type Guard struct {
	Create Protection `json:"create"`
	Add    Protection `json:"add"`
	Edit   Protection `json:"edit"`
	Remove Protection `json:"remove"`
}

// Severity ranks findings.
type Severity string

// The severities, gravest first.
const (
	Critical Severity = "critical"
	High     Severity = "high"
	Medium   Severity = "medium"
	Low      Severity = "low"
	Info     Severity = "info"
)

// Finding is one thing that is wrong with a guard.
type Finding struct {
	// ID is the rule's, documented in docs/rules/ID.md.
	ID       string   `json:"id"`
	Severity Severity `json:"severity"`
	Subject  Subject  `json:"subject"`
	Message  string   `json:"message"`
	// Evidence is the simulated request that shows it, as a command that repeats it.
	Evidence string `json:"evidence"`
	Remedy   string `json:"remedy"`
	// Reach is there where the finding is about a set of kinds or namespaces: with more of them it is wider than a baseline knows.
	Reach *Extent `json:"reach,omitempty"`
	// Wider is what a baseline that has this finding does not know of its reach.
	Wider *Extent `json:"wider,omitempty"`

	// Distinct tells a finding from another one of the same rule that has, or once had, the same subject: the pattern that it is
	// about, for example, where the subject's field is a place in a list. It is no sentence. See Fingerprint.
	Distinct string `json:"-"`
}

// Subject is the object, and the field in it, that a finding is about.
type Subject struct {
	Kind      string `json:"kind"`
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name,omitempty"`
	Field     string `json:"field,omitempty"`
}

// Summary counts an audit's objects and findings.
type Summary struct {
	Objects   int     `json:"objects"`
	Annotated int     `json:"annotated"`
	Guarded   Guarded `json:"guarded"`
	// Bypassed is how many of the fully guarded objects are open through a subresource.
	Bypassed int              `json:"bypassed"`
	Findings map[Severity]int `json:"findings"`
	// Hidden is how many findings were left out because they are less grave than what was asked for, see Hide.
	Hidden int `json:"hidden,omitempty"`
}

// Guarded counts objects by how much of their annotations is guarded. Full: all four probes are
// prevented; None: none is.
type Guarded struct {
	Full    int `json:"full"`
	Partial int `json:"partial"`
	None    int `json:"none"`
	Unknown int `json:"unknown"`
}
