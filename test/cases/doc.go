// Package cases tries what Kubernetes' documentation says of admission policies, case by case: each is a file in testdata,
// and every request in it is put to the plugin's library, once with the API server's state and once with the file alone,
// and to an API server. All of them have to give the answer that the file expects, and the same one.
//
// The sources are https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/,
// https://kubernetes.io/docs/reference/access-authn-authz/mutating-admission-policy/, KEP-3488 and KEP-3962. The
// statements, policies and objects are our own. Where a page shows a Pod, a case has another kind: Pods can't be created
// without what a whole cluster adds to them.
//
// One API server tries all cases at once. So each case has a namespace that is named like its file, in which its objects
// are unless they say otherwise, and each of its bindings is narrowed to namespaces of the case. That does not keep it from
// cluster-scoped objects other than Namespaces: a policy on those has to name them.
package cases
