package verify

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// Agreement is what came of putting a request to both sides.
type Agreement string

// The agreements. Agrees: the API server answers what was simulated. Disagrees: it answers something else.
// NotAsked: admission on the server was not reached, and Why says what kept the request from it. NotCompared: the server
// answered, and Why says what keeps its answer from being held against the simulation, such as an outcome that is
// Unknown or a webhook, which is not simulated.
const (
	Agrees      Agreement = "Agrees"
	Disagrees   Agreement = "Disagrees"
	NotAsked    Agreement = "NotAsked"
	NotCompared Agreement = "NotCompared"
)

// Report is the machine-readable answer of a verification, kind VerifyReport.
type Report struct {
	APIVersion string           `json:"apiVersion"`
	Kind       string           `json:"kind"`
	Server     inventory.Server `json:"server"`
	// Requester is the one in whose name the API server was asked.
	Requester request.Requester `json:"requester"`
	Results   []Result          `json:"results"`
	// Incomplete is what could not be looked at: what the simulation could not, and each request that was not asked
	// or not compared. Assumptions are those of the results that don't agree: the others the server has confirmed.
	Incomplete  []inventory.Gap `json:"incomplete"`
	Assumptions []inventory.Gap `json:"assumptions"`
	Summary     Summary         `json:"summary"`
}

// Summary counts results by agreement. Requests is the number of all of them.
type Summary struct {
	Requests    int `json:"requests"`
	Agrees      int `json:"agrees"`
	Disagrees   int `json:"disagrees"`
	NotAsked    int `json:"notAsked"`
	NotCompared int `json:"notCompared"`
}

// Result is one request, put to both sides.
type Result struct {
	Object      simulate.ObjectRef `json:"object"`
	Operation   string             `json:"operation"`
	Verb        string             `json:"verb"`
	Subresource string             `json:"subresource"`
	// Changes are what the request asks for annotations with the downscaler's prefix.
	Changes   []Change  `json:"changes"`
	Agreement Agreement `json:"agreement"`
	// Why is empty where the two agree or disagree.
	Why string `json:"why,omitempty"`
	// Simulated is what this library says. Server is what the API server says, nil where it was not asked, or where
	// kubectl would send nothing: two that have nothing to differ in agree.
	Simulated Answer  `json:"simulated"`
	Server    *Answer `json:"server,omitempty"`
	// Differences are those between the two, for whatever agreement.
	Differences []Difference `json:"differences"`
	// Steps are how the simulation came to its answer, where the server does not agree.
	Steps []policy.Step `json:"steps"`

	simulation simulate.Result
	// partly says what part of the request the server could not be asked although the result agrees.
	partly []inventory.Gap
}

// Change is what a request asks for one annotation: nil stands for absent.
type Change struct {
	Key      string              `json:"key"`
	Change   simulate.ChangeKind `json:"change"`
	Before   *string             `json:"before"`
	Proposed *string             `json:"proposed"`
}

// Answer is what one side says.
type Answer struct {
	Outcome simulate.Outcome `json:"outcome"`
	// Status is that of a request that fails.
	Status *metav1.Status `json:"status,omitempty"`
	// PossibleStatuses are all that the server may answer where several policies deny. Only the simulation knows them.
	PossibleStatuses []metav1.Status `json:"possibleStatuses,omitempty"`
	// Warnings are those that the client gets. The server's may hold some that are not of policies, such as those of
	// deprecated versions; these are not compared.
	Warnings []string `json:"warnings"`
	// Annotations are those with the downscaler's prefix as they would be stored; none where nothing is.
	Annotations map[string]string `json:"annotations"`
}

// Difference is one thing in which the two sides differ: nil stands for its absence on that side.
type Difference struct {
	// What is outcome, status.code, status.reason, status.message, status.details, warnings, or annotations[KEY].
	What      string  `json:"what"`
	Simulated *string `json:"simulated"`
	Server    *string `json:"server"`
}

// Simulation is what was simulated, with its steps.
func (r Result) Simulation() simulate.Result { return r.simulation }
