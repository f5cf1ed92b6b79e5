// Package whocan says who can make a change of an annotation: whom roles and bindings let write the object, what the policies make of the
// change when each of them makes it, and who else can make it by acting as one that gets through, or by changing the policies. It asks
// the simulator and writes nothing. It is a library: a CI bot or a controller may import it.
package whocan

import (
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/audit"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/authorization"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// Report is the machine-readable answer, kind WhoCanReport.
type Report struct {
	APIVersion  string           `json:"apiVersion"`
	Kind        string           `json:"kind"`
	Server      inventory.Server `json:"server"`
	Asked       Asked            `json:"asked"`
	Objects     []Object         `json:"objects"`
	Incomplete  []inventory.Gap  `json:"incomplete"`
	Assumptions []inventory.Gap  `json:"assumptions"`
	Summary     Summary          `json:"summary"`
}

// Asked is the change of an annotation that is asked about.
type Asked struct {
	Change Change `json:"change"`
	Key    string `json:"key"`
}

// Change is what is done to the annotation.
type Change string

// The changes. Set adds the annotation, or edits it where the object carries it; Edit and Remove are tried on a copy that carries it where
// the object does not.
const (
	Set    Change = "Set"
	Edit   Change = "Edit"
	Remove Change = "Remove"
)

var columns = map[Change]audit.Column{Set: audit.ColumnAdd, Edit: audit.ColumnEdit, Remove: audit.ColumnRemove}

// Object is one object, with everybody who may write it or can get around the guard.
type Object struct {
	Object     simulate.ObjectRef `json:"object"`
	Requesters []Requester        `json:"requesters"`
	Paths      []Path             `json:"paths"`
}

// Requester is somebody whom roles and bindings let write the object.
type Requester struct {
	authorization.Subject
	Username string   `json:"username"`
	Groups   []string `json:"groups"`
	// Administrator says that it may do everything in the cluster, or is one of the cluster's own components: every path is open to it,
	// and none is listed.
	Administrator bool `json:"administrator"`

	// Result is what comes of the change, made through the subresource by which the most passes; "" is the object itself.
	Result      audit.Protection `json:"result"`
	Subresource string           `json:"subresource"`
	// By are the policies that make it so.
	By []simulate.By `json:"by"`
	// RefusedAnyway says that the request is refused at present with the annotation or without: By are the policies that do, and none where the API server
	// itself does. They are no guard of the annotation.
	RefusedAnyway bool `json:"refusedAnyway,omitempty"`
	// Unguarded says that the change passes as an ordinary user makes it, too: nothing prevents it.
	Unguarded bool `json:"unguarded"`
	// Exemptions are the places by which the policies that stop an ordinary user let this one through; none where they do so in another
	// way than by comparing names.
	Exemptions []audit.Exemption `json:"exemptions"`
	// GrantedBy names the binding, the role and its subject in the API server's words.
	GrantedBy string `json:"grantedBy"`
}

// PathPolicy is the kind of a path that changes the guard: a policy, a binding or a parameter, in one's own name or, where To says so, as somebody
// who may. The other kinds are authorization's.
const PathPolicy authorization.PathKind = "Policy"

// Path is a way in which somebody who does not get through themselves can make the change all the same.
type Path struct {
	Kind authorization.PathKind `json:"kind"`
	From authorization.Subject  `json:"from"`
	// To is whom they act as; it is absent where they need nobody else's name.
	To *authorization.Subject `json:"to,omitempty"`
	// With is whom they take on as well, at once: To's name lets them through, and With has the right to write, or the other way round.
	With   *authorization.Subject `json:"with,omitempty"`
	Rights []authorization.Right  `json:"rights"`
}

// Summary says of all objects together who they are. A subject is in one list only: whoever gets through directly on some object is
// no longer among those of a path, and whoever has a path is not among those who are stopped. Administrators are in the last list only.
type Summary struct {
	Objects        int                     `json:"objects"`
	Direct         []authorization.Subject `json:"direct"`
	ByPath         []authorization.Subject `json:"byPath"`
	Stopped        []authorization.Subject `json:"stopped"`
	Unknown        []authorization.Subject `json:"unknown"`
	Administrators []authorization.Subject `json:"administrators"`
}
