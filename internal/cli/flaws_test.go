package cli

import (
	"testing"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// TestNotStored: of a server that is newer than those known nobody can say what it would not store.
func TestNotStored(t *testing.T) {
	proposed := &inventory.Policies{Validating: []*admissionregistrationv1.ValidatingAdmissionPolicy{{
		ObjectMeta: metav1.ObjectMeta{Name: "p"},
		Spec: admissionregistrationv1.ValidatingAdmissionPolicySpec{
			Validations: []admissionregistrationv1.Validation{{Expression: "[1].shuffle() == []"}},
		},
	}}}
	for server, want := range map[string]int{"v1.37.1": 1, "v1.30.0": 1, "v1.99.0": 0} {
		if got, err := notStored(proposed, server); len(got) != want || err != nil {
			t.Error(server, got, err)
		}
	}
}
