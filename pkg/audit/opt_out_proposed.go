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

// manyProposed is how many opt-outs by one field are tried at most.
const manyProposed = 100

// fewProposed is how many are tried of each further kind of object.
const fewProposed = 20

// plainUser is a requester whose name can also be the value of a label and the name of an object. It is one that nobody has, as the ordinary user's is.
const plainUser = "nobody.ordinary.invalid"

// proposed are the opt-outs of an object by a field that a policy's expressions read: each label and annotation whose key stands in them, taken out or with
// each value that can be made of the constants, names made of these, and other fields with such values. There are none where no value can be made.
func proposed(f policy.Field, reads policy.Reads, object inventory.Object) []optOut {
	var found []optOut
	switch of, rest := f.Of+"."+firstTwo(f.Path), f.Path; {
	case of == "object.metadata.labels":
		found = proposedIn("labels", keyOf(rest), reads, object.Meta().GetLabels())
	case of == "object.metadata.annotations":
		found = proposedIn("annotations", keyOf(rest), reads, object.Meta().GetAnnotations())
	case of == "object.metadata.name", of == "request.name":
		found = renamed(reads)
	case of == "request.options.fieldManager":
		found = managers(reads)
	case f.Of == "object":
		found = proposedElsewhere(f.Path, reads, object)
	}
	return found[:min(len(found), manyProposed)]
}

// firstTwo are the first names of a path.
func firstTwo(path string) string {
	parts := strings.SplitN(path, ".", 3)
	return strings.Join(parts[:min(len(parts), 2)], ".")
}

// keyOf is what stands behind the first two names of a path: a key, which may have dots in it.
func keyOf(path string) string {
	parts := strings.SplitN(path, ".", 3)
	if len(parts) < 3 || parts[2] == "*" {
		return ""
	}
	return parts[2]
}

func proposedIn(field, read string, reads policy.Reads, has map[string]string) []optOut {
	keys := keysOut(reads.Texts)
	if read != "" {
		keys = keysOut([]string{read})
	}
	var found []optOut
	for _, key := range keys {
		if _, there := has[key]; there {
			found = append(found, optOut{field: field, key: key})
		}
		if reads.Requester {
			own := plainUser
			found = append(found, optOut{field: field, key: key, value: &own, who: plainUser})
		}
		for _, value := range append([]string{"true", "false"}, wordsOf(reads.Texts)...) {
			if value != key && value != has[key] && (field != "labels" || len(validation.IsValidLabelValue(value)) == 0) {
				found = append(found, optOut{field: field, key: key, value: &value})
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

// renamed are the object under other names.
func renamed(reads policy.Reads) []optOut {
	var found []optOut
	if reads.Requester {
		own := plainUser
		found = append(found, optOut{field: "name", value: &own, who: plainUser})
	}
	for _, name := range namesOf(reads.Texts) {
		found = append(found, optOut{field: "name", value: &name})
	}
	return found
}

// namesOf are names of objects that are equal to a constant, begin or end with it, hold it, or match it.
func namesOf(texts []string) []string {
	return slices.DeleteFunc(wordsOf(texts), func(name string) bool { return len(validation.IsDNS1123Subdomain(name)) > 0 })
}

// managers are field managers, which may be any text of some length.
func managers(reads policy.Reads) []optOut {
	var found []optOut
	for _, name := range wordsOf(reads.Texts) {
		if name != "" && len(name) <= 128 {
			found = append(found, optOut{field: fieldManager, value: &name})
		}
	}
	return found
}

// wordsOf are texts that are equal to a constant, begin or end with it, hold it, or match it: those that are closest to the constants come first.
func wordsOf(texts []string) []string {
	words := slices.Clone(texts)
	var further []string
	for _, text := range texts {
		around := []string{text}
		if parsed, err := syntax.Parse(text, syntax.Perl); err == nil {
			around = append(around, spell(parsed)...)
		}
		for _, word := range around {
			further = append(further, word, word+"x", "x"+word, "x"+word+"x")
		}
	}
	for _, word := range further {
		if !slices.Contains(words, word) {
			words = append(words, word)
		}
	}
	return words
}
