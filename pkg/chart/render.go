package chart

import (
	"fmt"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// TooManyConditionsError says that the plain policies have more matchConditions than an API server takes.
type TooManyConditionsError struct{ Conditions int }

func (e *TooManyConditionsError) Error() string {
	return fmt.Sprintf("the values make %d matchConditions, one for each pattern and two for the downscaler, and the API server takes %d in a policy; put several names into one pattern, or take the hardened form, which has one condition for all of them",
		e.Conditions, maxConditions)
}

// Render returns the policies of a release as manifests for an API server of a version, plain or hardened. The error is a *TooManyConditionsError or
// a *LimitError, or says that the version doesn't have such policies.
func (v *Values) Render(r Release, server string, hardened bool) ([]byte, error) {
	manifests, err := v.manifests(r, hardened)
	if err != nil {
		return nil, err
	}
	versions := map[string]string{}
	for i, m := range manifests {
		kind := m.Object.GetObjectKind().GroupVersionKind().Kind
		version, err := inventory.PolicyVersion(kind, server)
		if err != nil {
			return nil, err
		}
		versions[kind] = admissionregistrationv1.GroupName + "/" + version
		large, err := checkSize(m.Object)
		if err != nil {
			return nil, err
		}
		if large {
			manifests[i].About += " It is too large for kubectl apply to keep a copy in an annotation: apply it with --server-side."
		}
	}
	return write(manifests, versions)
}

// manifests are those of a form, within the limits of expressions and costs.
func (v *Values) manifests(r Release, hardened bool) ([]Manifest, error) {
	if err := v.checkPatterns(); err != nil {
		return nil, err
	}
	if hardened {
		if err := v.checkHardened(); err != nil {
			return nil, err
		}
		return v.Hardened(r), nil
	}
	manifests := v.plainManifests(r)
	if n := len(v.parties(r)); n > maxConditions && len(manifests) > 0 {
		return nil, &TooManyConditionsError{Conditions: n}
	}
	return manifests, nil
}

// plainManifests are the plain policies without the API server's defaults.
func (v *Values) plainManifests(r Release) []Manifest {
	policies := v.plain(r)
	var all []Manifest
	for i, p := range policies.Mutating {
		p.TypeMeta = typeMeta("MutatingAdmissionPolicy")
		b := policies.MutatingBindings[i]
		b.TypeMeta = typeMeta("MutatingAdmissionPolicyBinding")
		all = append(all, Manifest{Object: p, About: plainAbout[p.Name]}, Manifest{Object: b})
	}
	for i, p := range policies.Validating {
		p.TypeMeta = typeMeta("ValidatingAdmissionPolicy")
		b := policies.ValidatingBindings[i]
		b.TypeMeta = typeMeta("ValidatingAdmissionPolicyBinding")
		all = append(all, Manifest{Object: p, About: plainAbout[p.Name]}, Manifest{Object: b})
	}
	return all
}

var plainAbout = map[string]string{
	preventAdditions: "Takes annotations out that someone adds who is not authorised, and puts back what such a one edits.",
	preventRemovals:  "Puts annotations back that someone removes who is not authorised.",
	blockAdditions:   "Refuses requests by which someone adds or edits annotations who is not authorised.",
	blockRemovals:    "Refuses requests by which someone removes annotations who is not authorised.",
}

func typeMeta(kind string) metav1.TypeMeta {
	return metav1.TypeMeta{APIVersion: admissionregistrationv1.SchemeGroupVersion.String(), Kind: kind}
}
