package audit

import (
	"fmt"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/authorization"
)

// pathWords say of each kind of path what somebody can do by it, and what closes it.
var pathWords = map[authorization.PathKind]struct{ can, remedy string }{
	authorization.PathImpersonation: {
		"impersonate %s",
		"Take the right to impersonate %s out of these roles, or let it name others only (resourceNames).",
	},
	authorization.PathToken: {
		"make a token of %s",
		"Take create on serviceaccounts/token out of these roles where they hold for %s, or let it name other accounts only (resourceNames).",
	},
	authorization.PathPod: {
		"create pods that run as %s",
		"Keep %s in a namespace where nobody else may create pods or workloads, or bind these roles in other namespaces only.",
	},
	authorization.PathTemplate: {
		"change a workload so that its pods run as %s",
		"Keep %s in a namespace where nobody else may change workloads, or bind these roles in other namespaces only.",
	},
	authorization.PathExec: {
		"run commands in a pod that runs as %s",
		"Keep %s in a namespace where nobody else may enter pods, or bind these roles in other namespaces only.",
	},
	authorization.PathAccount: {
		"create a further account of %s, and use it",
		"Let the guard name single service accounts and not %s, or take create on serviceaccounts out of these roles in that namespace.",
	},
	authorization.PathCertificate: {
		"approve a client certificate in the name of %s",
		"Take approve on the signer kubernetes.io/kube-apiserver-client out of these roles: it makes anybody of anyone, %s included.",
	},
}

// words are those of the group's kind. Together with somebody else is impersonation only.
func (g *pathGroup) words() struct{ can, remedy string } {
	words := pathWords[g.kind]
	if g.paths[0].With != nil {
		words.can += " together with somebody who may write"
	}
	return words
}

// nameOf names a subject in a sentence.
func nameOf(s authorization.Subject) string {
	if s.Kind == rbacv1.UserKind {
		return "user " + s.Name
	}
	return s.String()
}

// sources name who has the paths, each with the rights and the bindings that give them.
func (g *pathGroup) sources() string {
	var list []string
	for _, path := range g.paths {
		var rights []string
		for _, right := range path.Rights {
			rights = append(rights, fmt.Sprintf("%s, by %s", right.What, right.By))
		}
		list = append(list, fmt.Sprintf("%s (%s)", nameOf(path.From), strings.Join(rights, "; ")))
	}
	return enumerate(list)
}

// whoCanCommand asks who can make an example's change, by which paths.
func (v *view) whoCanCommand(e example) string {
	asked := map[Column]string{ColumnAdd: "set", ColumnEdit: "edit", ColumnRemove: "remove"}[e.Column]
	args := []string{"who-can", asked, e.Key, typeOf(e.kind) + "/" + e.object.Name}
	if e.object.Namespace != "" {
		args = append(args, "-n", e.object.Namespace)
	}
	return commandLine(append(args, "-o", "wide"), v.flags)
}
