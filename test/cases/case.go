package cases

import (
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
)

// Object is a Kubernetes object as a manifest has it.
type Object = map[string]any

// Case is one file: a statement about policies, and the requests that show it.
type Case struct {
	// Name is the file's, without its ending. It is the namespace of what names none.
	Name string `json:"-"`
	// Describes is the statement, and Source where the documentation has it: page and heading.
	Describes string `json:"describes"`
	Source    string `json:"source"`
	// Objects are what the cluster holds before the policies are in force; Policies are policies and bindings.
	Objects  []Object  `json:"objects,omitempty"`
	Policies []Object  `json:"policies,omitempty"`
	Requests []Request `json:"requests,omitempty"`
	// Refused are policies and bindings that can't even be created.
	Refused []Refusal `json:"refused,omitempty"`
}

// Request is one request, and the answer that is expected. It has one of Send, Annotate and Delete.
type Request struct {
	About string `json:"about"`

	// User is dev where the file names nobody.
	User   string              `json:"user,omitempty"`
	Groups []string            `json:"groups,omitempty"`
	UID    string              `json:"uid,omitempty"`
	Extra  map[string][]string `json:"extra,omitempty"`

	// Send is an object that is sent as Via says; create where nothing is said.
	Send Object      `json:"send,omitempty"`
	Via  request.Via `json:"via,omitempty"`
	// Annotate is the TYPE/NAME of a stored object whose annotations are set and removed, Delete of one that is deleted.
	Annotate string            `json:"annotate,omitempty"`
	Set      map[string]string `json:"set,omitempty"`
	Remove   []string          `json:"remove,omitempty"`
	Delete   string            `json:"delete,omitempty"`
	// Namespace is that of Annotate and Delete where it is not the case's own.
	Namespace   string `json:"namespace,omitempty"`
	Subresource string `json:"subresource,omitempty"`
	// Real says that the request is no dry run.
	Real bool `json:"real,omitempty"`

	Expect Expectation `json:"expect"`
}

// Expectation is the right answer to a request.
type Expectation struct {
	Verdict Verdict `json:"verdict"`
	// Code, Reason and Message are those of the Status that denies. OneOf are the messages any one of which the API
	// server may give, where several policies deny: the plugin has to know all of them. Contains is for messages that
	// are too long to be written down, and for those of the CEL library.
	Code     int32    `json:"code,omitempty"`
	Reason   string   `json:"reason,omitempty"`
	Message  string   `json:"message,omitempty"`
	OneOf    []string `json:"oneOf,omitempty"`
	Contains []string `json:"contains,omitempty"`
	// Warnings and Audit are all of them, in any order. What is not named must not come.
	Warnings []string          `json:"warnings,omitempty"`
	Audit    map[string]string `json:"audit,omitempty"`
	// Stored is a part of the object that is stored. A null stands for a field that is not there, a list is compared whole.
	Stored Object `json:"stored,omitempty"`
	// Assumed says that the plugin lets the request pass under an assumption that turns out wrong, with a part of it.
	Assumed string `json:"assumed,omitempty"`
	// NotSimulated says that the plugin claims no answer, with a part of the reason it has to give.
	NotSimulated string `json:"notSimulated,omitempty"`
}

// Verdict is what becomes of a request.
type Verdict string

// The verdicts. Altered: what is stored differs from what was sent in an annotation with the downscaler's prefix.
const (
	Allowed Verdict = "allowed"
	Altered Verdict = "altered"
	Denied  Verdict = "denied"
)

// Refusal is a policy or binding that the API server does not take, and a part of what it says. The plugin must not take it
// from a file either.
type Refusal struct {
	About  string `json:"about"`
	Object Object `json:"object"`
	Says   string `json:"says"`
}
