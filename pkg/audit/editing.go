package audit

import (
	"slices"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/authorization"
)

// Editing is a right to write something that the guard consists of.
type Editing struct {
	Grant authorization.Grant
	What  string // such as "patch validatingadmissionpolicies/guard"

	asked authorizer.AttributesRecord
}

// editingsOf are the rights to write parts of the guard, administrators' included.
func editingsOf(rbac *authorization.RBAC, parts []part) []Editing {
	var editings []Editing
	for i, p := range parts {
		for _, verb := range p.verbs() {
			asked := p.asked(verb)
			for _, grant := range rbac.Grants(asked) {
				editings = append(editings, Editing{Grant: grant, What: verb + " " + partNames(parts[i : i+1])[0], asked: asked})
			}
		}
	}
	return editings
}

// EditingPath is a path to somebody who may write the guard.
type EditingPath struct {
	authorization.Path
	What string // such as "patch validatingadmissionpolicies/guard"
	// Administrator says that whoever takes the path may write everything else as well.
	Administrator bool
}

// masters may do everything, whatever roles and bindings say.
var masters = authorization.Subject{Kind: rbacv1.GroupKind, Name: user.SystemPrivilegedGroup}

// EditingPaths are the paths to those who may write the guard, of others who may not themselves; of whoever can be one of the masters, only that one.
// PathsTo finds those to one of them, for some requests
// that they would make. Accounts are the service accounts that exist.
func EditingPaths(rbac *authorization.RBAC, editings []Editing, accounts []authorization.Subject, pathsTo func(authorization.Subject, ...authorizer.AttributesRecord) ([]authorization.Path, error)) ([]EditingPath, error) {
	administrators := rbac.Administrators()
	own := func(who authorization.Subject) bool {
		u := who.Requester().User()
		return administrators.Include(who) || slices.ContainsFunc(editings, func(e Editing) bool { return e.Grant.To(u) })
	}
	what := map[authorization.Subject]string{masters: "do everything"}
	targets, asked := []authorization.Subject{masters}, []authorizer.AttributesRecord{}
	seen := map[string]bool{}
	for _, e := range editings {
		if !seen[e.What] {
			seen[e.What] = true
			asked = append(asked, e.asked)
		}
		if what[e.Grant.Subject] == "" {
			what[e.Grant.Subject] = e.What
			targets = append(targets, e.Grant.Subject)
		}
	}
	slices.SortFunc(targets[1:], authorization.Subject.Compare)
	var found []EditingPath
	all := map[authorization.Subject]bool{}
	for _, to := range targets {
		paths, err := pathsTo(to, asked...)
		if err != nil {
			return nil, err
		}
		for _, path := range paths {
			if !own(path.From) && !all[path.From] && leads(path, accounts) {
				found = append(found, EditingPath{path, what[to], administrators.MayAll(to)})
			}
		}
		if to == masters {
			for _, path := range found {
				all[path.From] = true
			}
		}
	}
	for _, path := range rbac.RightsForAll() {
		if !own(path.From) {
			found = append(found, EditingPath{path, what[masters], true})
		}
	}
	return found, nil
}

// leads says whether a path leads somewhere: the API server's default bindings name service accounts of controllers, which not every cluster has. A
// name alone can be impersonated; a token or a pod takes the account.
func leads(path authorization.Path, accounts []authorization.Subject) bool {
	byName := path.Kind == authorization.PathImpersonation || path.Kind == authorization.PathCertificate
	return byName || path.To.Namespace != metav1.NamespaceSystem || slices.Contains(accounts, path.To)
}
