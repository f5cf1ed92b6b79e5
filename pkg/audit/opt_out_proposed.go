package audit

import (
	"regexp/syntax"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/downscaler"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
)

// manyProposed is how many opt-outs of one policy are tried at most.
const manyProposed = 100

// proposed are the opt-outs of an object that a policy's expressions may depend on: each label and annotation whose key stands in them, taken out or with
// each constant that does, and names made of these.
func proposed(reads policy.Reads, object inventory.Object) []optOut {
	var found []optOut
	if reads.Labels {
		found = append(found, proposedIn("labels", reads.Texts, object.Meta().GetLabels())...)
	}
	if reads.Annotations {
		found = append(found, proposedIn("annotations", reads.Texts, object.Meta().GetAnnotations())...)
	}
	if reads.Name {
		for _, name := range namesOf(reads.Texts) {
			found = append(found, optOut{"name", "", &name})
		}
	}
	return found[:min(len(found), manyProposed)]
}

func proposedIn(field string, texts []string, has map[string]string) []optOut {
	var found []optOut
	for _, key := range keysOut(texts) {
		if _, there := has[key]; there {
			found = append(found, optOut{field, key, nil})
		}
		for _, value := range append([]string{"true", "false"}, texts...) {
			if value != key && value != has[key] && (field != "labels" || len(validation.IsValidLabelValue(value)) == 0) {
				found = append(found, optOut{field, key, &value})
			}
		}
	}
	return found
}

// keysOut are the constants that can be keys, and keys that begin with those that end in a slash. The downscaler's own are what is guarded.
func keysOut(texts []string) []string {
	var keys []string
	for _, text := range texts {
		if strings.HasSuffix(text, "/") {
			text += "opt-out"
		}
		if len(validation.IsQualifiedName(text)) == 0 && !strings.HasPrefix(text, downscaler.Prefix) && !slices.Contains(keys, text) {
			keys = append(keys, text)
		}
	}
	return keys
}

// namesOf are names that are equal to a constant, begin or end with it, hold it, or match it.
func namesOf(texts []string) []string {
	var names []string
	for _, text := range texts {
		made := []string{text, text + "x", "x" + text, "x" + text + "x"}
		if parsed, err := syntax.Parse(text, syntax.Perl); err == nil {
			made = append(made, spell(parsed)...)
		}
		for _, name := range made {
			if len(validation.IsDNS1123Subdomain(name)) == 0 && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}
