package report

import (
	"bytes"
	"fmt"
	"reflect"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/audit"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// nilLists finds the lists and maps that JSON would show as null, in everything a report has.
func nilLists(v reflect.Value, path string) []string {
	var found []string
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			return nilLists(v.Elem(), path)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if field := v.Type().Field(i); field.IsExported() {
				found = append(found, nilLists(v.Field(i), path+"."+field.Name)...)
			}
		}
	case reflect.Slice, reflect.Map:
		if v.IsNil() {
			return []string{path}
		}
		if v.Kind() == reflect.Map {
			for _, key := range v.MapKeys() {
				found = append(found, nilLists(v.MapIndex(key), fmt.Sprintf("%s[%v]", path, key))...)
			}
			return found
		}
		for i := range v.Len() {
			found = append(found, nilLists(v.Index(i), fmt.Sprintf("%s[%d]", path, i))...)
		}
	}
	return found
}

func TestNormalizeLeavesNoNullList(t *testing.T) {
	simulation := &simulate.Report{Results: []simulate.Result{{
		Status: &metav1.Status{}, Annotations: []simulate.Annotation{{}}, Steps: []policy.Step{{}}, PossibleStatuses: []metav1.Status{{}},
	}}}
	simulation.Requester.Extra = map[string][]string{"scopes": nil}
	audited := &audit.Report{Objects: []audit.Object{{Annotations: []audit.Annotation{{}}}, {}}, Findings: []audit.Finding{{}}}
	for _, report := range []any{&simulate.Report{}, simulation, &audit.Report{}, audited} {
		Normalize(report)
		if found := nilLists(reflect.ValueOf(report), fmt.Sprintf("%T", report)); len(found) > 0 {
			t.Errorf("null in JSON: %v", found)
		}
	}
}

// An annotation's nil value stands for absent and stays null.
func TestNormalizeKeepsAbsentValues(t *testing.T) {
	report := simulationOf(blocked(deployment("team-a", "web")))
	data := printed(t, Simulation, "json", report, Options{})
	if !bytes.Contains(data, []byte(`"before": null`)) {
		t.Errorf("the absent value is not null:\n%s", data)
	}
}
