package authorization

import (
	"os"
	"testing"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/test/cluster"
)

// rights bind users in every way, to roles that are there, gone, aggregated or limited to names.
const rights = `
{apiVersion: v1, kind: Namespace, metadata: {name: a}}
---
{apiVersion: v1, kind: Namespace, metadata: {name: b}}
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: {name: patcher, namespace: a}, rules: [{apiGroups: [apps], resources: [deployments], verbs: [patch, update]}]}
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: {name: named, namespace: a}, rules: [{apiGroups: [apps, ""], resources: ["deployments/status", namespaces, "namespaces/finalize"], resourceNames: [web, a], verbs: ["*"]}]}
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: scaler}, rules: [{apiGroups: ["*"], resources: ["*/scale", namespaces], verbs: ["*"]}]}
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: asker}, rules: [{apiGroups: [authorization.k8s.io], resources: [subjectaccessreviews], verbs: [create]}]}
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: lister}, rules: [{apiGroups: [rbac.authorization.k8s.io], resources: ["*"], verbs: [list]}]}
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, metadata: {name: p, namespace: a}, roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: patcher}, subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: patcher}, {kind: ServiceAccount, name: bot, namespace: b}]}
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, metadata: {name: named, namespace: a}, roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: named}, subjects: [{apiGroup: rbac.authorization.k8s.io, kind: Group, name: "<named>"}]}
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, metadata: {name: gone, namespace: a}, roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: gone}, subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: <gone>}]}
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, metadata: {name: editor, namespace: a}, roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: edit}, subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: editor}]}
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRoleBinding, metadata: {name: s}, roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: scaler}, subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: scaler}]}
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRoleBinding, metadata: {name: asker}, roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: asker}, subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: asker}]}
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRoleBinding, metadata: {name: lister}, roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: lister}, subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: lister}]}
---
{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: a}, spec: {selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: c, image: i}]}}}}
`

// requesters are who asks, with the groups they are given.
var requesters = map[string][]string{
	"patcher": nil, "system:serviceaccount:b:bot": nil, "dev": {"<named>"}, "<gone>": nil, "editor": nil, "scaler": nil,
	"nobody": nil, "root": {"system:masters"}, "system:anonymous": nil,
}

// TestLikeServer compares Check, by every source there is, with what a running API server answers to the same requests.
func TestLikeServer(t *testing.T) {
	if os.Getenv("KUBEBUILDER_ASSETS") == "" {
		t.Skip("KUBEBUILDER_ASSETS does not name a folder with kube-apiserver and etcd")
	}
	server, err := cluster.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Stop(); err != nil {
			t.Error(err)
		}
	})
	if err := server.Apply(t.Context(), []byte(rights)); err != nil {
		t.Fatal(err)
	}
	sources := sourcesOf(t, server)
	denied := 0
	for name, groups := range requesters {
		requester := request.NewRequester(name, groups, "", nil)
		for _, r := range requestsOf(t, sources["admin"].inventory, requester) {
			answer := send(t, server.Admin.Config, r)
			if answer != nil {
				denied++
			}
			for source, z := range sources {
				compare(t, source, z, r, answer)
			}
		}
	}
	t.Logf("%d requests refused", denied)
	if denied < 20 {
		t.Error("only so few were refused:", denied)
	}
	unknowing(t, server)
}

// sourcesOf are authorizers that ask in different ways: by reviews as two users, by listing, and by a snapshot.
func sourcesOf(t *testing.T, server *cluster.Cluster) map[string]*Authorizer {
	t.Helper()
	sources := map[string]*Authorizer{}
	inv, err := inventory.Live(t.Context(), server.Admin.Config, inventory.LiveOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"asker", "lister"} {
		sources[name] = as(t, server, inv, name)
	}
	if sources["admin"], err = New(inv, Options{Config: server.Admin.Config}); err != nil {
		t.Fatal(err)
	}
	if sources["snapshot"], err = New(snapshotOf(t, inv), Options{}); err != nil {
		t.Fatal(err)
	}
	return sources
}
