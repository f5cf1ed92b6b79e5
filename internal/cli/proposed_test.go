package cli

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

func policies(labels map[string]string) *inventory.Policies {
	p := &inventory.Policies{}
	for name, from := range labels {
		meta := metav1.ObjectMeta{Name: name, Labels: map[string]string{"from": from}}
		p.Validating = append(p.Validating, &admissionregistrationv1.ValidatingAdmissionPolicy{ObjectMeta: meta})
		p.MutatingBindings = append(p.MutatingBindings, &admissionregistrationv1.MutatingAdmissionPolicyBinding{ObjectMeta: meta})
	}
	return p
}

func TestMergePolicies(t *testing.T) {
	live := policies(map[string]string{"a": "live", "b": "live"})
	live.Unread = []inventory.Gap{{What: "x", Why: "y"}}
	proposed := policies(map[string]string{"b": "files", "c": "files"})

	merged := mergePolicies(live, proposed, false)
	want := []string{"a live", "b files", "c files"}
	if diff := cmp.Diff(want, namesOf(merged.Validating)); diff != "" {
		t.Error("policies:", diff)
	}
	if diff := cmp.Diff(want, namesOf(merged.MutatingBindings)); diff != "" {
		t.Error("bindings:", diff)
	}
	if len(merged.Unread) != 1 {
		t.Error("what could not be read is forgotten")
	}

	alone := mergePolicies(live, proposed, true)
	if diff := cmp.Diff([]string{"b files", "c files"}, namesOf(alone.Validating)); diff != "" {
		t.Error("only the proposed ones:", diff)
	}
	if len(alone.Unread) != 0 {
		t.Error("what is left out need not be read:", alone.Unread)
	}
	if len(live.Validating) != 2 || len(proposed.Validating) != 2 {
		t.Error("the originals are changed")
	}
}

func namesOf[T metav1.Object](objects []T) []string {
	var names []string
	for _, object := range objects {
		names = append(names, object.GetName()+" "+object.GetLabels()["from"])
	}
	return names
}
