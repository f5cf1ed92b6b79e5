package inventory

import (
	"context"
	"slices"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

var policyResources = []string{
	"validatingadmissionpolicies", "validatingadmissionpolicybindings",
	"mutatingadmissionpolicies", "mutatingadmissionpolicybindings",
	"validatingwebhookconfigurations", "mutatingwebhookconfigurations",
}

// policyVersions are the versions of the admission API, the best first.
var policyVersions = []string{"v1", "v1beta1", "v1alpha1"}

// bestVersion finds a policy kind in the best version that the server serves.
func (l *live) bestVersion(resource string) (Kind, bool) {
	for _, version := range policyVersions {
		gv := schema.GroupVersion{Group: admissionregistrationv1.GroupName, Version: version}
		if kind, served := l.kinds.ForResource(gv.WithResource(resource)); served {
			return kind, true
		}
	}
	return Kind{}, false
}

// loadPolicies lists one policy kind. Its only error is the context's.
func (l *live) loadPolicies(ctx context.Context, kind Kind) error {
	objects, err := l.collect(ctx, kind)
	if err != nil {
		return l.gap(ctx, kind, err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, object := range objects {
		data, err := utiljson.Marshal(object)
		if err != nil {
			return err
		}
		policy, err := decodeAdmission(data, kind.Kind)
		if err != nil {
			return err
		}
		l.policies.add(policy)
	}
	return nil
}

func sortGaps(gaps []Gap) { slices.SortFunc(gaps, Gap.Compare) }
