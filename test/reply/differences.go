package reply

import (
	"fmt"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Differences say how the plugin's reply differs from the API server's.
type Differences []string

// Compare compares one part of them. What is empty is as good as what is not there.
func (d *Differences) Compare(what string, server, plugin any) {
	if !cmp.Equal(server, plugin, cmpopts.EquateEmpty()) {
		*d = append(*d, fmt.Sprintf("%s\n  API server: %s\n  plugin:     %s", what, JSON(server), JSON(plugin)))
	}
}

// Replies compares whole replies, with any of the statuses that the plugin takes for possible.
func (d *Differences) Replies(server, plugin Reply) {
	server, plugin = server.Canonical(), plugin.Canonical()
	if server.Status != nil && plugin.Status != nil && plugin.mayBe(*server.Status) {
		plugin.Status = server.Status
	}
	d.Compare("status", server.Status, plugin.Status)
	d.Compare("warnings", server.Warnings, plugin.Warnings)
	d.Compare("audit annotations", server.Audit, plugin.Audit)
}

// mayBe says whether a status is one of those that are possible. Its causes come in the order in which the API server ran the
// policies, which is none.
func (r Reply) mayBe(status metav1.Status) bool {
	status = withSortedCauses(status)
	return slices.ContainsFunc(r.Possible, func(possible metav1.Status) bool {
		return equality.Semantic.DeepEqual(withSortedCauses(possible), status)
	})
}

func withSortedCauses(status metav1.Status) metav1.Status {
	if status.Details == nil {
		return status
	}
	status = *status.DeepCopy()
	slices.SortStableFunc(status.Details.Causes, func(a, b metav1.StatusCause) int { return strings.Compare(a.Message, b.Message) })
	return status
}
