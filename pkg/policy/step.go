package policy

// Phase is the part of the admission chain that a step belongs to.
type Phase string

// The phases in the order in which the API server runs them.
const (
	PhaseAuthorization Phase = "Authorization"
	PhaseMutating      Phase = "Mutating"
	PhaseValidation    Phase = "Validation" // the API's own
	PhaseValidating    Phase = "Validating"
)

// Decision is what one step of the chain came to.
type Decision string

// The decisions. NotMatched: rules or selectors leave the request out. Skipped: a matchCondition is
// false. NoChange: a mutation left the object as it was. Error: an expression or the configuration
// failed and the failurePolicy makes that a denial. ErrorIgnored: it failed and the failurePolicy lets
// the request through. NotSimulated: what the step would do is not known.
const (
	NotMatched   Decision = "NotMatched"
	Skipped      Decision = "Skipped"
	NoChange     Decision = "NoChange"
	Mutated      Decision = "Mutated"
	Admitted     Decision = "Admitted"
	Warned       Decision = "Warned"
	Audited      Decision = "Audited"
	Denied       Decision = "Denied"
	Error        Decision = "Error"
	ErrorIgnored Decision = "ErrorIgnored"
	NotSimulated Decision = "NotSimulated"
)

// Step is what one policy, binding and parameter, or another link of the admission chain, decided
// about a request, and what made it so.
type Step struct {
	Phase    Phase    `json:"phase"`
	Kind     string   `json:"kind"`
	Policy   string   `json:"policy,omitempty"`
	Binding  string   `json:"binding,omitempty"`
	Param    string   `json:"param"` // namespace/name
	Decision Decision `json:"decision"`
	Message  string   `json:"message"`
	Because  Because  `json:"because"`
	Changes  []Change `json:"changes"` // for Mutated
}

// Because names what made a step NotMatched, Skipped, Denied or an error.
type Because struct {
	MatchCondition string `json:"matchCondition"`
	Rule           string `json:"rule"` // such as "matchConstraints.namespaceSelector" or "validations[0]"
	Expression     string `json:"expression"`
}

// Change is what a mutation did to one annotation: nil stands for absent.
type Change struct {
	Key    string  `json:"key"`
	Before *string `json:"before"`
	After  *string `json:"after"`
}
