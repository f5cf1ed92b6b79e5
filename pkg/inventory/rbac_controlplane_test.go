package inventory

import (
	"encoding/json"
	"os"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TestRecordDefaultRBAC compares rbac_default.json with what a running API server of the same version made, and writes
// it anew with
//
//	KUBEBUILDER_ASSETS=$PWD/.bin/controlplane go test ./pkg/inventory -run TestRecordDefaultRBAC -record-builtin
func TestRecordDefaultRBAC(t *testing.T) {
	inventory, err := Live(t.Context(), startControlPlane(t), LiveOptions{})
	if err != nil {
		t.Fatal(err)
	}
	rbac, err := ReadRBAC(t.Context(), inventory)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.MarshalIndent(rbac.asMade(), "", " ")
	if err != nil {
		t.Fatal(err)
	}
	text = append(text, '\n')
	if *recordBuiltin {
		if err := os.WriteFile("rbac_default.json", text, 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if inventory.Server().Version == builtin().Server.Version && string(text) != string(rbacDefaultJSON) {
		t.Error("rbac_default.json is not what this API server makes; record it anew")
	}
}

// asMade takes out what differs from server to server.
func (r *RBAC) asMade() *RBAC {
	for _, o := range r.Roles {
		o.ObjectMeta = metaAsMade(o.ObjectMeta)
	}
	for _, o := range r.ClusterRoles {
		o.ObjectMeta = metaAsMade(o.ObjectMeta)
	}
	for _, o := range r.RoleBindings {
		o.ObjectMeta = metaAsMade(o.ObjectMeta)
	}
	for _, o := range r.ClusterRoleBindings {
		o.ObjectMeta = metaAsMade(o.ObjectMeta)
	}
	return r
}

func metaAsMade(m metav1.ObjectMeta) metav1.ObjectMeta {
	return metav1.ObjectMeta{Namespace: m.Namespace, Name: m.Name, Labels: m.Labels}
}
