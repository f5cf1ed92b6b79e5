package inventory

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
