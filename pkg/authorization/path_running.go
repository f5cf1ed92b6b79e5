package authorization

import "slices"

// Workload is what is there already in a namespace: a pod, or something that makes pods.
type Workload struct {
	Group, Resource, Name string
	// Account is the name of the service account that its pods run as.
	Account string
}

// changeable are the kinds of makers whose template may be changed: a pod and a Job keep theirs.
var changeable = []string{"deployments", "statefulsets", "daemonsets", "replicasets", "cronjobs", "replicationcontrollers", "rollouts"}

// Makers are the resources whose objects are pods or make them, with their groups.
func Makers() []Workload {
	var all []Workload
	for _, m := range makers {
		all = append(all, Workload{Group: m.group, Resource: m.resource})
	}
	return all
}

// PathsThrough are the ways to act as a service account through what is there in its namespace: to change a workload's template, so that its
// pods run as the account, or to run a command in a pod that runs as it. There is no path of those who may create pods there: see Paths.
func (r *RBAC) PathsThrough(to Subject, there []Workload) []Path {
	var paths []Path
	creators := r.through(to, []way{{PathPod, [][]asking{creatingPods(to.Namespace)}}})
	for _, path := range r.through(to, []way{changingTemplate(to, there), entering(to, there)}) {
		if !slices.ContainsFunc(creators, func(p Path) bool { return p.From == path.From }) {
			paths = append(paths, path)
		}
	}
	return paths
}

func changingTemplate(to Subject, there []Workload) way {
	var takes []asking
	for _, m := range makers {
		var names []string
		for _, w := range there {
			if w.Group == m.group && w.Resource == m.resource && slices.Contains(changeable, w.Resource) {
				names = append(names, w.Name)
			}
		}
		for _, verb := range []string{"patch", "update"} {
			if len(names) > 0 {
				takes = append(takes, oneOf(inNamespace(to.Namespace, verb, m.group, m.resource, ""), names))
			}
		}
	}
	return way{PathTemplate, [][]asking{takes}}
}

// enterings are the rights by which one gets into a pod: to create its subresource exec or attach, which since 1.35 holds for websockets, too,
// for which get was enough before; or to put a container into it.
var enterings = []struct{ verb, subresource string }{
	{"create", "exec"}, {"create", "attach"}, {"patch", "ephemeralcontainers"}, {"update", "ephemeralcontainers"},
}

func entering(to Subject, there []Workload) way {
	var pods []string
	runs := false
	for _, w := range there {
		if w.Account != to.Name {
			continue
		}
		runs = true
		if w.Group == "" && w.Resource == "pods" {
			pods = append(pods, w.Name)
		}
	}
	var takes []asking
	for _, e := range enterings {
		a := inNamespace(to.Namespace, e.verb, "", "pods/"+e.subresource, "")
		switch {
		case len(pods) > 0:
			takes = append(takes, oneOf(a, pods))
		case runs: // the names of its pods are not known: only a right that names none holds for them
			takes = append(takes, a)
		}
	}
	return way{PathExec, [][]asking{takes}}
}

func oneOf(a asking, names []string) asking {
	a.names = names
	return a
}

// MayPassThrough says whether PathsThrough may find a path, whatever is there: it saves reading that.
func (r *RBAC) MayPassThrough(to Subject, administrators Administrators) bool {
	creators := r.through(to, []way{{PathPod, [][]asking{creatingPods(to.Namespace)}}})
	var asked []asking
	for _, m := range makers {
		if slices.Contains(changeable, m.resource) {
			asked = append(asked, inNamespace(to.Namespace, "patch", m.group, m.resource, ""), inNamespace(to.Namespace, "update", m.group, m.resource, ""))
		}
	}
	for _, e := range enterings {
		asked = append(asked, inNamespace(to.Namespace, e.verb, "", "pods/"+e.subresource, ""))
	}
	for _, a := range asked {
		for _, grant := range append(r.grantsOfSome(r.clusterBindings, a.AttributesRecord), r.grantsOfSome(r.bindings[to.Namespace], a.AttributesRecord)...) {
			if grant.Subject != to && !administrators.Include(grant.Subject) && !slices.ContainsFunc(creators, func(p Path) bool { return p.From == grant.Subject }) {
				return true
			}
		}
	}
	return false
}
