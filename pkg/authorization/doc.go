// Package authorization says whether the API server would authorize a request, before any admission: by asking the API server
// (SubjectAccessReview), or by the roles and bindings of an inventory as its RBAC authorizer does.
//
// What a request is asked for is that of k8s.io/apiserver v0.37 pkg/endpoints/{filters,handlers}, the decision
// that of k8s.io/kubernetes v1.37 plugin/pkg/auth/authorizer/rbac. A test in test/controlplane compares the two
// over generated roles, and one here compares both, and the words of a denial, with a running API server.
package authorization
