package differential

import (
	"maps"
	"slices"
	"strings"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/test/reply"
)

// Compare says how the plugin's answer differs from the API server's, and nothing if it does not.
func Compare(server, plugin Answer) string {
	plugin.Annotations = known(plugin, "annotations", plugin.Annotations, server.Annotations)
	plugin.Labels = known(plugin, "labels", plugin.Labels, server.Labels)
	var found reply.Differences
	found.Compare("whether kubectl sends anything", !server.Unsent, !plugin.Unsent)
	found.Replies(server.Reply, plugin.Reply)
	if server.Status == nil && plugin.Status == nil {
		found.Compare("annotations", server.Annotations, plugin.Annotations)
		found.Compare("labels", server.Labels, plugin.Labels)
	}
	if len(found) == 0 {
		return ""
	}
	return strings.Join(found, "\n") + "\n"
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
