package differential

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// Compare says how the plugin's answer differs from the API server's, and nothing if it does not.
func Compare(server, plugin Answer) string {
	server, plugin = server.canonical(), plugin.canonical()
	if server.Status != nil && plugin.Status != nil && mayAnswer(plugin, *server.Status) {
		plugin.Status = server.Status
	}
	plugin.Annotations = known(plugin, "annotations", plugin.Annotations, server.Annotations)
	plugin.Labels = known(plugin, "labels", plugin.Labels, server.Labels)
	var text strings.Builder
	compare := func(what string, server, plugin any) {
		if !cmp.Equal(server, plugin, cmpopts.EquateEmpty()) {
			fmt.Fprintf(&text, "%s\n  API server: %s\n  plugin:     %s\n", what, compact(server), compact(plugin))
		}
	}
	compare("whether kubectl sends anything", !server.Unsent, !plugin.Unsent)
	compare("status", server.Status, plugin.Status)
	compare("warnings", server.Warnings, plugin.Warnings)
	compare("audit annotations", server.Audit, plugin.Audit)
	if server.Status == nil && plugin.Status == nil {
		compare("annotations", server.Annotations, plugin.Annotations)
		compare("labels", server.Labels, plugin.Labels)
	}
	return text.String()
}

func compact(value any) string {
	content, err := json.Marshal(value)
	if err != nil {
		return err.Error()
	}
	return string(content)
}

// mayAnswer says whether a status is one of those that the plugin expects. Where there are several of them, the causes come
// in the order in which the API server ran the policies, which is none.
func mayAnswer(plugin Answer, status metav1.Status) bool {
	if len(plugin.Possible) == 0 {
		return false
	}
	status = withSortedCauses(status)
	return slices.ContainsFunc(plugin.Possible, func(possible metav1.Status) bool {
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

// known returns the plugin's annotations or labels, with the API server's where the plugin does not claim to know them.
func known(plugin Answer, field string, own, server map[string]string) map[string]string {
	all := maps.Clone(own)
	if all == nil {
		all = map[string]string{}
	}
	maps.Copy(all, server)
	for key := range all {
		if slices.Contains(plugin.Unknown, inventory.FieldPath("metadata", field, key)) {
			continue
		}
		delete(all, key)
		if value, found := own[key]; found {
			all[key] = value
		}
	}
	return all
}
