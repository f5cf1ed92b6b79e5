package listing

import (
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
)

// Report is the machine-readable list of policies, kind PolicyList.
type Report struct {
	APIVersion string           `json:"apiVersion"`
	Kind       string           `json:"kind"`
	Server     inventory.Server `json:"server"`
	Scope      Scope            `json:"scope"`
	// Policies are the validating ones, then the mutating ones, each by name.
	Policies []Policy `json:"policies"`
	// BindingsWithoutPolicy name a policy that there isn't.
	BindingsWithoutPolicy []Binding       `json:"bindingsWithoutPolicy"`
	Incomplete            []inventory.Gap `json:"incomplete"`
	Assumptions           []inventory.Gap `json:"assumptions"`
	Summary               Summary         `json:"summary"`
}

// Scope is the part that is listed; an empty namespace is everything.
type Scope struct {
	Namespace string `json:"namespace"`
}

// Origin says where a policy or a binding comes from.
type Origin string

// The origins. InForce: the cluster, or the manifests in its place, have it. Proposed: it is still to be stored.
const (
	InForce  Origin = "InForce"
	Proposed Origin = "Proposed"
)

// Policy is one policy with everything that says what it does.
type Policy struct {
	Kind   string `json:"kind"`
	Name   string `json:"name"`
	Origin Origin `json:"origin"`
	// AboutAnnotations says that it may be about annotations with the downscaler's prefix: it names the prefix, or it names annotations, or takes
	// parameters, and matches a kind that the downscaler reads them from.
	AboutAnnotations bool   `json:"aboutAnnotations"`
	FailurePolicy    string `json:"failurePolicy"`
	MatchPolicy      string `json:"matchPolicy"`
	// ReinvocationPolicy is a mutating policy's.
	ReinvocationPolicy string     `json:"reinvocationPolicy,omitempty"`
	ParamKind          *ParamKind `json:"paramKind,omitempty"`
	Match
	Bindings  []Binding `json:"bindings"`
	Parties   Parties   `json:"parties"`
	Compile   Compile   `json:"compile"`
	TypeCheck TypeCheck `json:"typeCheck"`
}

// ParamKind is the kind of a policy's parameters.
type ParamKind struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
}

// Match is what a policy's matchConstraints cover, or to what a binding's matchResources narrow that.
type Match struct {
	// Resources are the rules, those that differ only in their resources as one. A binding without any covers what its policy does.
	Resources         []Resources `json:"resources"`
	ExcludedResources []Resources `json:"excludedResources"`
	// The selectors are spelled as kubectl's --selector; empty: everything.
	NamespaceSelector string `json:"namespaceSelector"`
	ObjectSelector    string `json:"objectSelector"`
}

// Resources are what one or more rules cover.
type Resources struct {
	APIGroups     []string `json:"apiGroups"`
	APIVersions   []string `json:"apiVersions"`
	Resources     []string `json:"resources"`
	ResourceNames []string `json:"resourceNames"`
	Operations    []string `json:"operations"`
	Scope         string   `json:"scope"`
}

// Binding is one binding of a policy.
type Binding struct {
	Kind   string `json:"kind"`
	Name   string `json:"name"`
	Policy string `json:"policy"`
	Origin Origin `json:"origin"`
	// Actions are a validating binding's validationActions; a mutating one's is Mutate.
	Actions  []string  `json:"actions"`
	ParamRef *ParamRef `json:"paramRef,omitempty"`
	Match
	// Namespaces are those that the selectors of the policy and the binding leave; absent without a policy.
	Namespaces *Namespaces `json:"namespaces,omitempty"`
}

// ActionMutate is the action of a mutating binding.
const ActionMutate = "Mutate"

// ParamRef says which parameters a binding uses.
type ParamRef struct {
	Name                    string `json:"name,omitempty"`
	Namespace               string `json:"namespace,omitempty"` // empty: that of the object
	Selector                string `json:"selector,omitempty"`
	ParameterNotFoundAction string `json:"parameterNotFoundAction,omitempty"`
}

// Coverage says which namespaces are covered.
type Coverage string

// The coverages. Selected: those under Covered, of all that were read. Unknown: the namespaces could not be read.
const (
	CoversAll      Coverage = "All"
	CoversSelected Coverage = "Selected"
	CoversUnknown  Coverage = "Unknown"
)

// Namespaces are those in which a binding lets its policy act. Of the cluster-scoped kinds, selectors leave out namespaces only.
type Namespaces struct {
	Coverage Coverage `json:"coverage"`
	Covered  []string `json:"covered"`
	Excluded []string `json:"excluded"`
}

// Parties are whom the policy's expressions let through, as far as they say so.
type Parties struct {
	Named       []Party             `json:"named"`
	Expressions []policy.Expression `json:"expressions"`
}

// Party is a party in words, and what these stand for.
type Party struct {
	Text string `json:"text"`
	policy.Party
}

// CompileState says whether a policy's expressions compile in the CEL of the server's version.
type CompileState string

// The states. Unknown: the server is newer than those this program knows, and there is an expression that these reject.
const (
	Compiles       CompileState = "Compiles"
	DoesNotCompile CompileState = "DoesNotCompile"
	CompileUnknown CompileState = "Unknown"
)

// Compile is what compiling a policy came to.
type Compile struct {
	State  CompileState `json:"state"`
	Errors []Remark     `json:"errors"`
}

// Remark is what is said about an expression of a policy.
type Remark struct {
	Field   string `json:"field"`
	Message string `json:"message"`
}

// TypeState sums a type check up.
type TypeState string

// The states, of the check by this program. Passed: every kind that the rules name was checked. Partial: some were, without a warning.
// NotChecked: the API server's checker looks at none. Unknown: schemas could not be read.
const (
	TypesPassed     TypeState = "Passed"
	TypesPartial    TypeState = "Partial"
	TypesWarned     TypeState = "Warnings"
	TypesNotChecked TypeState = "NotChecked"
	TypesUnknown    TypeState = "Unknown"
)

// TypeCheck is what the API server's own type checker says of a validating policy's validations and messages. It looks at nothing else.
type TypeCheck struct {
	State TypeState `json:"state"`
	// Kinds are those that the expressions were checked for, such as "apps/v1 Deployment".
	Kinds []string `json:"kinds"`
	// NotChecked are the others that the rules name, and why.
	NotChecked []inventory.Gap `json:"notChecked"`
	Warnings   []Remark        `json:"warnings"`
	// Stored is what the cluster's own controller has left in the policy's status; absent where there is nothing.
	Stored *StoredTypeCheck `json:"stored,omitempty"`
}

// StoredTypeCheck is a policy's status.typeChecking.
type StoredTypeCheck struct {
	// Current says that it is about the policy as it is now.
	Current  bool     `json:"current"`
	Warnings []Remark `json:"warnings"`
}

// Summary counts the policies.
type Summary struct {
	Policies         int `json:"policies"`
	AboutAnnotations int `json:"aboutAnnotations"`
	WithoutBinding   int `json:"withoutBinding"`
	NotCompiling     int `json:"notCompiling"`
	TypeWarnings     int `json:"typeWarnings"`
	// Elsewhere are left out: they don't cover the namespace that was asked for.
	Elsewhere int `json:"elsewhere"`
}
