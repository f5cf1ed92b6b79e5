package inventory

// SnapshotSummary says what a snapshot holds.
type SnapshotSummary struct {
	Objects    int
	Namespaces int
	Redacted   int // how many values were taken out

	// Incomplete is what the snapshot lacks; it says so itself, too.
	Incomplete []Gap
}

func (i snapshotIndex) summary() SnapshotSummary {
	summary := SnapshotSummary{Objects: i.Objects, Incomplete: i.Incomplete}
	for _, list := range i.Lists {
		if list.Group == namespacesResource.Group && list.Resource == namespacesResource.Resource {
			summary.Namespaces = list.Objects
		}
	}
	for _, redacted := range i.Redacted {
		summary.Redacted += len(redacted.Paths)
	}
	return summary
}
