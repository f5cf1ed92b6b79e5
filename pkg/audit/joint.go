package audit

import (
	"slices"
	"sync"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apiserver/pkg/authentication/serviceaccount"
	"k8s.io/apiserver/pkg/authorization/authorizer"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/authorization"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
)

// Joint knows who can be two at once by impersonation: somebody whose name a policy asks for, and somebody who has the right to write. A group that
// is exempt and has no rights is of use to nobody alone. It is safe for concurrent use.
type Joint struct {
	rbac           *authorization.RBAC
	administrators authorization.Administrators
	exempt         []authorization.Subject // none where nobody impersonates groups

	mu    sync.Mutex
	paths map[[2]authorization.Subject][]authorization.Path
}

// NewJoint reads whom the policies' expressions name, and whom roles name as those that may be impersonated.
func NewJoint(policies *inventory.Policies, rbac *authorization.RBAC) *Joint {
	j := &Joint{rbac: rbac, administrators: rbac.Administrators(), paths: map[[2]authorization.Subject][]authorization.Path{}}
	if !rbac.ImpersonatesGroups(j.administrators) {
		return j
	}
	j.exempt = rbac.Impersonated()
	for _, p := range policiesIn(policies) {
		for _, party := range partiesOf(p) {
			for _, test := range party.Tests {
				if !test.Negated && test.Match != policy.MatchPresent {
					j.exempt = append(j.exempt, subjectsOf(test)...)
				}
			}
		}
	}
	slices.SortFunc(j.exempt, authorization.Subject.Compare)
	j.exempt = slices.Compact(j.exempt)
	return j
}

// subjectsOf are those that a comparison names, or examples of them.
func subjectsOf(t policy.Test) []authorization.Subject {
	var subjects []authorization.Subject
	for _, name := range spellings(t) {
		s := authorization.Subject{Kind: rbacv1.UserKind, Name: name}
		if t.Kind == policy.PartyGroup {
			s.Kind = rbacv1.GroupKind
		} else if namespace, account, err := serviceaccount.SplitUsername(name); err == nil {
			s = authorization.Subject{Kind: rbacv1.ServiceAccountKind, Namespace: namespace, Name: account}
		}
		if name != "" {
			subjects = append(subjects, s)
		}
	}
	return subjects
}

// JointPath is a path to two subjects at once. Whether the policies let them through has to be tried.
type JointPath struct {
	authorization.Path
	// Requester is who somebody is on that path.
	Requester request.Requester
}

// Paths are those of all who don't get through themselves, with each of the writers who doesn't either: for each of those who have one and each name
// that a policy may ask for, the best ones first, on which they keep their own name. Made are the requests that follow.
func (j *Joint) Paths(writers []authorization.Subject, passes func(authorization.Subject) bool, made ...authorizer.AttributesRecord) []JointPath {
	var paths []JointPath
	for _, to := range j.exempt {
		if passes(to) || j.administrators.Include(to) {
			continue
		}
		for _, with := range writers {
			if passes(with) || j.administrators.Include(with) {
				continue
			}
			for _, path := range j.of(to, with, made) {
				if !j.administrators.Include(path.From) && !passes(path.From) {
					paths = append(paths, JointPath{path, authorization.JointRequester(to, with)})
				}
			}
		}
	}
	slices.SortStableFunc(paths, func(a, b JointPath) int {
		switch own, other := a.From == *a.With, b.From == *b.With; {
		case own == other:
			return 0
		case own:
			return -1
		}
		return 1
	})
	return paths
}

// of are the paths to two. Those of the classic form are looked for once.
func (j *Joint) of(to, with authorization.Subject, made []authorizer.AttributesRecord) []authorization.Path {
	j.mu.Lock()
	defer j.mu.Unlock()
	both := [2]authorization.Subject{to, with}
	paths, found := j.paths[both]
	if !found {
		paths = j.rbac.JointPaths(to, with)
		j.paths[both] = paths
	}
	if len(made) == 0 {
		return paths
	}
	return authorization.JoinPaths(paths, j.rbac.JointPaths(to, with, made...))
}
