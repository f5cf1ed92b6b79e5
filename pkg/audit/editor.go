package audit

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"k8s.io/apiserver/pkg/authorization/authorizer"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/authorization"
)

// editor is a binding of RBAC that lets somebody write parts of the guard.
type editor struct {
	grant    authorization.Grant // to the first of the subjects
	subjects []authorization.Subject
	parts    []part
	verbs    []string
}

// editingVerbs are those that RBAC knows of writing; each of them alone is enough to change the guard or to take it away. Create is none of
// them: what is there can't be created again, and a further policy, binding or parameter takes nothing away, because all have to let a request
// through.
var editingVerbs = []string{"patch", "update", "delete", "deletecollection"}

// editorsOf finds the bindings by which others than administrators may write some of the parts.
func editorsOf(rbac *authorization.RBAC, administrators authorization.Administrators, parts []part) []*editor {
	var editors []*editor
	for _, p := range parts {
		for _, verb := range p.verbs() {
			for _, grant := range rbac.Grants(p.asked(verb)) {
				if administrators.Include(grant.Subject) {
					continue
				}
				at := slices.IndexFunc(editors, func(e *editor) bool { return e.grant.Role() == grant.Role() })
				if at < 0 {
					at = len(editors)
					editors = append(editors, &editor{grant: grant})
				}
				editors[at].add(grant.Subject, p, verb)
			}
		}
	}
	slices.SortFunc(editors, func(a, b *editor) int { return cmp.Compare(a.grant.Role(), b.grant.Role()) })
	return editors
}

// verbs are those by which a part can be written: one that is not there yet can only be created.
func (p part) verbs() []string {
	if p.missing {
		return []string{"create"}
	}
	return editingVerbs
}

func (e *editor) add(subject authorization.Subject, p part, verb string) {
	if !slices.Contains(e.subjects, subject) {
		e.subjects = append(e.subjects, subject)
	}
	if !slices.Contains(e.parts, p) {
		e.parts = append(e.parts, p)
	}
	if !slices.Contains(e.verbs, verb) {
		e.verbs = append(e.verbs, verb)
	}
}

func (e *editor) finding(ctx context.Context, v *view) Finding {
	return Finding{
		Subject: e.binding(), Distinct: distinctSet(named(e.subjects)),
		Message: fmt.Sprintf("Inferred from RBAC: %s may %s %s, by %s. Whoever may do that can switch the guard off.",
			e.who(), enumerate(e.verbs), enumerate(partNames(e.parts)), e.grant.Role()),
		Evidence: e.evidence(ctx, v),
		Remedy: fmt.Sprintf("Take %s on %s out of that role, or the subjects out of the binding; leave them to the cluster's administrators.",
			enumerate(e.verbs), enumerate(resourcesOf(e.parts))),
	}
}

// binding is the RBAC object that the finding is about.
func (e *editor) binding() Subject {
	namespace, name := e.grant.Binding()
	if namespace == "" {
		return Subject{Kind: "ClusterRoleBinding", Name: name}
	}
	return Subject{Kind: "RoleBinding", Namespace: namespace, Name: name}
}

func (e *editor) who() string {
	var names []string
	for _, s := range e.subjects {
		names = append(names, nameOf(s))
	}
	return enumerate(names)
}

// evidence is a request that writes the first part in the name of the first subject, for which RBAC is asked. Where no such request stands for
// the right, or where the part is only proposed, so that nobody can write it yet, it is the audit by this rule alone.
func (e *editor) evidence(ctx context.Context, v *view) string {
	p := e.parts[0]
	args := slices.Concat([]string{"simulate"}, asRequester(e.subjects[0].Requester()), []string{p.resource.String() + "/" + p.name})
	if p.namespace != "" {
		args = append(args, "-n", p.namespace)
	}
	switch {
	case !v.stored(ctx, p):
		args = []string{"audit", "-A", "--rule", policyEditableID}
	case slices.Contains(e.verbs, "patch"):
		args = append(args, "--set", UnusedKey+"=true")
	case slices.Contains(e.verbs, "delete"):
		args = append(args, "--operation", "delete")
	default:
		args = []string{"audit", "-A", "--rule", policyEditableID}
	}
	return commandLine(args, v.flags)
}

// stored says whether a part is there to be written.
func (v *view) stored(ctx context.Context, p part) bool {
	for _, kind := range v.inventory.Kinds().All() {
		if kind.Resource.GroupResource() == p.resource && p.name != "" {
			_, err := v.inventory.Get(ctx, kind, p.namespace, p.name)
			return err == nil
		}
	}
	return false
}

func (p part) asked(verb string) authorizer.AttributesRecord {
	asked := authorizer.AttributesRecord{
		ResourceRequest: true, Verb: verb, APIGroup: p.resource.Group, APIVersion: "v1", Resource: p.resource.Resource, Namespace: p.namespace, Name: p.name,
	}
	if verb == "create" || verb == "deletecollection" {
		asked.Name = ""
	}
	return asked
}
