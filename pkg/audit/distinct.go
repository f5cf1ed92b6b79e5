package audit

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/authorization"
)

// distinct is the Distinct of a finding that several things make, in this order; nothing in one of them can be taken for the next.
func distinct(parts ...string) string {
	text, err := json.Marshal(parts)
	if err != nil {
		panic(err) // strings can always be encoded
	}
	return string(text)
}

// distinctSet is the same where neither their order nor how often they are there makes a difference.
func distinctSet(parts []string) string {
	parts = slices.Clone(parts)
	slices.Sort(parts)
	return distinct(slices.Compact(parts)...)
}

// contentOf is what stands in some fields of a policy or a binding, such as spec.validations[0].expression. It tells a finding about an
// expression from that about another one, wherever in their list they stand and whatever they are called.
func contentOf(object metav1.Object, fields ...string) string {
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(object)
	if err != nil {
		return distinctSet(fields)
	}
	var parts []string
	for _, field := range fields {
		parts = append(parts, fmt.Sprint(at(content, field)))
	}
	return distinctSet(parts)
}

var listItem = regexp.MustCompile(`^(.*)\[(\d+)\]$`)

// at is what stands in a field; a field that is not there is told apart by its name.
func at(content any, field string) any {
	for name := range strings.SplitSeq(field, ".") {
		place := -1
		if item := listItem.FindStringSubmatch(name); item != nil {
			name = item[1]
			place, _ = strconv.Atoi(item[2]) // digits, by the expression; -1 is in no list
		}
		object, is := content.(map[string]any)
		if !is {
			return field
		}
		content = object[name]
		if place < 0 {
			continue
		}
		list, is := content.([]any)
		if !is || place >= len(list) {
			return field
		}
		content = list[place]
	}
	return content
}

// named are subjects of RBAC for Distinct.
func named(subjects []authorization.Subject) []string {
	var names []string
	for _, s := range subjects {
		names = append(names, distinct(s.Kind, s.Namespace, s.Name))
	}
	return names
}

// setApart numbers the findings that nothing tells apart, such as those about one pattern that stands in a policy twice, so that no two have
// one fingerprint. Which of them has which number is all the same.
func setApart(findings []Finding) {
	met := map[string]int{}
	for i, f := range findings {
		mark := f.Fingerprint()
		if met[mark]++; met[mark] > 1 {
			findings[i].Distinct = distinct(f.Distinct, strconv.Itoa(met[mark]))
		}
	}
}
