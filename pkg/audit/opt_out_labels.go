package audit

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// labelsOut are labels by each of which a selector would no longer select what has these. A namespace's name is among its labels, and
// can't be changed.
func labelsOut(selector *metav1.LabelSelector, has map[string]string) []optOut {
	s, err := metav1.LabelSelectorAsSelector(selector)
	if err != nil || !s.Matches(labels.Set(has)) {
		return nil
	}
	var found []optOut
	requirements, _ := s.Requirements()
	for _, r := range requirements {
		if r.Key() == corev1.LabelMetadataName {
			continue
		}
		for _, value := range valuesOut(r) {
			o := optOut{field: "labels", key: r.Key(), value: value}
			if !s.Matches(labels.Set(o.changed(has))) {
				found = append(found, o)
			}
		}
	}
	return found
}

// valuesOut are values that may not meet a requirement; nil: no label.
func valuesOut(r labels.Requirement) []*string {
	var values []*string
	for _, value := range append([]string{"off", "none"}, slices.Sorted(slices.Values(r.Values().UnsortedList()))...) {
		values = append(values, &value)
	}
	return append(values, nil)
}
