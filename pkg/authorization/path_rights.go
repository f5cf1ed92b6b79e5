package authorization

import (
	"maps"
	"slices"

	rbacv1 "k8s.io/api/rbac/v1"
)

// PathRights is the kind of a path on which somebody gives themselves every right in the cluster.
const PathRights PathKind = "Rights"

// clusterAdmin is the role of every right, and of the binding by which system:masters have it.
const clusterAdmin = "cluster-admin"

// RightsForAll are the ways to give oneself every right: who may bind cluster-admin may write a binding to it, and who may escalate a role that
// is theirs by a ClusterRoleBinding may write everything into it (k8s.io/kubernetes pkg/registry/rbac/escalation_check.go). To is nobody else:
// From itself.
func (r *RBAC) RightsForAll() []Path {
	paths := r.along(bindingAdmin)
	for _, path := range r.escalating() {
		if !slices.ContainsFunc(paths, func(p Path) bool { return p.From == path.From }) {
			paths = append(paths, path)
		}
	}
	for i := range paths {
		paths[i].To = paths[i].From
	}
	return paths
}

var bindingAdmin = way{PathRights, [][]asking{
	{inRBAC("bind", "clusterroles", clusterAdmin)},
	{inRBAC("create", "clusterrolebindings", ""), inRBAC("patch", "clusterrolebindings", clusterAdmin), inRBAC("update", "clusterrolebindings", clusterAdmin)},
}}

func inRBAC(verb, resource, name string) asking {
	return everywhere(verb, rbacv1.GroupName, resource, name)
}

// escalating looks at each ClusterRole that a ClusterRoleBinding gives somebody who may write it and escalate it.
func (r *RBAC) escalating() []Path {
	if len(r.grantsOf(some(inRBAC("escalate", "clusterroles", "")))) == 0 {
		return nil
	}
	bound := map[string][]binding{}
	for _, b := range r.clusterBindings {
		bound[b.role.Name] = append(bound[b.role.Name], b)
	}
	var paths []Path
	for _, role := range slices.Sorted(maps.Keys(bound)) {
		own := way{PathRights, [][]asking{
			{inRBAC("escalate", "clusterroles", role)}, {inRBAC("patch", "clusterroles", role), inRBAC("update", "clusterroles", role)},
		}}
		for _, path := range r.along(own) {
			u := path.From.Requester().User()
			if slices.ContainsFunc(bound[role], func(b binding) bool { _, is := b.subject(u); return is }) {
				paths = append(paths, path)
			}
		}
	}
	return paths
}
