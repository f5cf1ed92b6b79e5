package differential

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/downscaler"
)

// Compare says how the plugin's answer differs from the API server's, and nothing if it does not.
func Compare(server, plugin Answer) string {
	server, plugin = server.canonical(), plugin.canonical()
	if server.Status != nil && plugin.Status != nil && mayAnswer(plugin, *server.Status) {
		plugin.Status = server.Status
	}
	if !plugin.AllKnown {
		server.Labels, plugin.Labels = nil, nil
		server.Annotations = withPrefix(server.Annotations)
	}
	for _, key := range plugin.Unknown {
		if _, both := server.Annotations[key]; both {
			plugin.Annotations[key] = server.Annotations[key]
		}
	}
	var text strings.Builder
	compare := func(what string, server, plugin any) {
		if !cmp.Equal(server, plugin, cmpopts.EquateEmpty()) {
			fmt.Fprintf(&text, "%s\n  API server: %s\n  plugin:     %s\n", what, compact(server), compact(plugin))
		}
	}
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

// mayAnswer says whether a status is one of those that the plugin expects.
func mayAnswer(plugin Answer, status metav1.Status) bool {
	return slices.ContainsFunc(plugin.Possible, func(possible metav1.Status) bool {
		return equality.Semantic.DeepEqual(possible, status)
	})
}

func withPrefix(annotations map[string]string) map[string]string {
	kept := map[string]string{}
	for key, value := range annotations {
		if strings.HasPrefix(key, downscaler.Prefix) {
			kept[key] = value
		}
	}
	return kept
}
