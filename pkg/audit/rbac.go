package audit

import (
	"context"
	"errors"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apiserver/pkg/authentication/serviceaccount"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/authorization"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

const whoGetsRound = "who can act as somebody whom the guard lets through, and who may change the guard"

// rbac returns the roles and bindings; nil where they aren't known, which the report then says.
func (v *view) rbac(ctx context.Context) (*authorization.RBAC, error) {
	rbac, err := v.simulator.Authorizer().RBAC(ctx)
	switch {
	case err == nil:
		for _, gap := range rbac.Dangling() {
			v.gathered.assumptions[gap] = true
		}
		return rbac, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, authorization.ErrNoRBAC):
		v.gathered.assumptions[inventory.Gap{What: whoGetsRound, Why: "the files hold no roles and no bindings, so that RBAC was not asked"}] = true
	default:
		v.gathered.incomplete[inventory.Gap{What: whoGetsRound, Why: err.Error()}] = true
	}
	return nil, nil
}

// Writers are the subjects that roles and bindings let write an object, through a subresource or with "" itself: each once, with the grant
// that names it. Service accounts that exist and have the right as members of a group are among them, each by its own name.
func Writers(rbac *authorization.RBAC, accounts []authorization.Subject, object inventory.Object, subresource string) []authorization.Grant {
	var writers []authorization.Grant
	seen := map[authorization.Subject]bool{}
	for _, way := range Writings(object, subresource) {
		for _, grant := range rbac.Grants(way) {
			if !seen[grant.Subject] {
				seen[grant.Subject] = true
				writers = append(writers, grant)
			}
			if !HasAccounts(grant.Subject) {
				continue
			}
			for _, account := range accounts {
				if !seen[account] && grant.To(account.Requester().User()) {
					seen[account] = true
					grant.Subject = account
					writers = append(writers, grant)
				}
			}
		}
	}
	return writers
}

// Writings are the requests that would write an object; the right to make one of them is enough.
func Writings(object inventory.Object, subresource string) []authorizer.AttributesRecord {
	ways := []authorizer.AttributesRecord{Writing(object, "update", subresource)}
	if subresource != "finalize" { // which is served for PUT alone
		ways = append(ways, Writing(object, "patch", subresource))
	}
	return ways
}

// HasAccounts says whether service accounts are members of a group, whatever else they are.
func HasAccounts(s authorization.Subject) bool {
	if s.Kind != rbacv1.GroupKind {
		return false
	}
	return strings.HasPrefix(s.Name, serviceaccount.AllServiceAccountsGroup) || s.Name == user.AllAuthenticated
}

// Accounts are the service accounts of an inventory. An error that Gap knows leaves the others.
func Accounts(ctx context.Context, inv inventory.Inventory) ([]authorization.Subject, error) {
	kind, served := inv.Kinds().ForResource(corev1.SchemeGroupVersion.WithResource("serviceaccounts"))
	if !served {
		return nil, nil
	}
	var accounts []authorization.Subject
	for object, err := range inv.Objects(ctx, inventory.Query{Kinds: []inventory.Kind{kind}}) {
		if err != nil {
			return accounts, err
		}
		accounts = append(accounts, authorization.Subject{Kind: rbacv1.ServiceAccountKind, Namespace: object.Meta().GetNamespace(), Name: object.Meta().GetName()})
	}
	return accounts, ctx.Err()
}

// accounts are those of the inventory, read once. What can't be read is left open.
func (v *view) accounts(ctx context.Context) ([]authorization.Subject, error) {
	if v.serviceAccounts != nil {
		return *v.serviceAccounts, nil
	}
	accounts, err := Accounts(ctx, v.inventory)
	if gap, known := Gap(err); err != nil && known {
		v.gathered.incomplete[gap] = true
		err = nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading service accounts: %w", err)
	}
	v.serviceAccounts = &accounts
	return accounts, nil
}
