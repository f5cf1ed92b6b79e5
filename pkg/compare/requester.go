package compare

import (
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apiserver/pkg/authentication/serviceaccount"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/audit"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/authorization"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
)

// Requester is one in whose name requests are tried: somebody by name, or a group by one of its members.
type Requester struct {
	authorization.Subject
	Username string   `json:"username"`
	Groups   []string `json:"groups"`

	// Objects is how many of the objects the requester may write in some way; all of them where that is not known. Loses and Gains are how many
	// requests pass today and not tomorrow, and the other way round.
	Objects int `json:"objects"`
	Loses   int `json:"loses"`
	Gains   int `json:"gains"`
	// Nobody says that it is the ordinary user, whom nobody is: taken as authorized, and not counted among those who lose something.
	Nobody bool `json:"nobody,omitempty"`

	request request.Requester
}

// Named is a requester as a user names one.
func Named(r request.Requester) Requester {
	subject := authorization.Subject{Kind: rbacv1.UserKind, Name: r.Username}
	if namespace, name, err := serviceaccount.SplitUsername(r.Username); err == nil {
		subject = authorization.Subject{Kind: rbacv1.ServiceAccountKind, Namespace: namespace, Name: name}
	}
	return requesterOf(subject, r)
}

// Ordinary is the ordinary user of audits. Nobody is that user, so that what RBAC would say is not asked.
func Ordinary() Requester {
	r := Named(audit.OrdinaryUser())
	r.Nobody = true
	return r
}

// Representing is a requester that stands for the subject of a binding.
func Representing(subject authorization.Subject) Requester {
	return requesterOf(subject, subject.Requester())
}

func requesterOf(subject authorization.Subject, r request.Requester) Requester {
	return Requester{Subject: subject, Username: r.Username, Groups: r.Groups, request: r}
}
