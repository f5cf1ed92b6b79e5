package authorization

import "k8s.io/apimachinery/pkg/util/version"

// ImpersonatesConstrained says whether a server of this version has the constrained forms of impersonation unless it is told otherwise
// (k8s.io/apiserver pkg/features, ConstrainedImpersonation). Of a version that can't be read, it is taken to have them.
func ImpersonatesConstrained(server string) bool {
	v, err := version.ParseGeneric(server)
	return err != nil || v.AtLeast(version.MajorMinor(1, 36))
}
