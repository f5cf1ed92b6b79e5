package inventory

import (
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// A snapshot is a stream of YAML manifests with two documents of its own: it begins with a Snapshot and ends
// with a SnapshotIndex. One without an end was cut short.
const (
	snapshotGroup      = "compliance.downscaler.dev"
	snapshotAPIVersion = snapshotGroup + "/v1alpha1"
	snapshotKind       = "Snapshot"
	snapshotIndexKind  = "SnapshotIndex"
)

// Redacted is what a snapshot has in the place of a secret value.
const Redacted = "REDACTED by kubectl downscaler-compliance"

// snapshotHeader is what the cluster says of itself.
type snapshotHeader struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	servedKinds
}

// snapshotIndex says what the snapshot holds and what it doesn't.
type snapshotIndex struct {
	APIVersion string             `json:"apiVersion"`
	Kind       string             `json:"kind"`
	Objects    int                `json:"objects"` // how many documents stand between the header and this
	Lists      []snapshotList     `json:"lists"`
	Unread     []Gap              `json:"unreadPolicies"`
	Incomplete []Gap              `json:"incomplete"`
	Redacted   []snapshotRedacted `json:"redacted"`
}

// snapshotList is one kind that was listed.
type snapshotList struct {
	Group    string `json:"group"`
	Resource string `json:"resource"`
	Objects  int    `json:"objects"`
	Error    string `json:"error,omitempty"` // why the list isn't whole
}

// snapshotRedacted names the fields of one object whose values were taken out.
type snapshotRedacted struct {
	Group     string   `json:"group"`
	Kind      string   `json:"kind"`
	Namespace string   `json:"namespace,omitempty"`
	Name      string   `json:"name"`
	Paths     []string `json:"paths"`
}

// snapshotKinds are the kinds that every snapshot holds where the server serves them: what the decision on a
// request depends on besides the object itself. ReplicaSets and ControllerRevisions are what a rollback brings back.
var snapshotKinds = []schema.GroupResource{
	{Group: "", Resource: "namespaces"},
	{Group: "", Resource: "serviceaccounts"},
	{Group: "admissionregistration.k8s.io", Resource: "mutatingadmissionpolicies"},
	{Group: "admissionregistration.k8s.io", Resource: "mutatingadmissionpolicybindings"},
	{Group: "admissionregistration.k8s.io", Resource: "mutatingwebhookconfigurations"},
	{Group: "admissionregistration.k8s.io", Resource: "validatingadmissionpolicies"},
	{Group: "admissionregistration.k8s.io", Resource: "validatingadmissionpolicybindings"},
	{Group: "admissionregistration.k8s.io", Resource: "validatingwebhookconfigurations"},
	{Group: "apiextensions.k8s.io", Resource: "customresourcedefinitions"},
	{Group: "apps", Resource: "controllerrevisions"},
	{Group: "apps", Resource: "replicasets"},
	{Group: "rbac.authorization.k8s.io", Resource: "clusterrolebindings"},
	{Group: "rbac.authorization.k8s.io", Resource: "clusterroles"},
	{Group: "rbac.authorization.k8s.io", Resource: "rolebindings"},
	{Group: "rbac.authorization.k8s.io", Resource: "roles"},
}
