package inventory

import (
	"cmp"
	"errors"
	"regexp"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Right is a right to read objects, as RBAC grants it.
type Right struct {
	Verb      string // list or get
	Resource  schema.GroupResource
	Namespace string // empty: in every namespace, or of a kind without one
}

// ForbiddenError says in a few words that whoever reads the cluster lacks a right. What the right is for, the
// report says beside it.
type ForbiddenError struct {
	Right Right
	Err   error // the API server's
}

// Error leaves out what the API server says every time.
func (e *ForbiddenError) Error() string {
	text := "no right to get it"
	if e.Right.Verb == "list" {
		text = "no right to list them"
		if e.Right.Namespace != "" {
			text += " in namespace " + e.Right.Namespace
		}
	}
	if more := beyondForbidden(e.Err.Error()); more != "" {
		text += ": " + more
	}
	return text
}

// Unwrap returns the API server's error.
func (e *ForbiddenError) Unwrap() error { return e.Err }

// plainForbidden is what an API server says where nobody gave the right
// (k8s.io/apiserver pkg/endpoints/handlers/responsewriters, forbiddenMessage).
var plainForbidden = regexp.MustCompile(
	`is forbidden: User .* cannot \S+ resource "[^"]*" in API group "[^"]*" (at the cluster scope|in the namespace "[^"]*")`)

// beyondForbidden is what a refusal says beyond the usual: an authorizer's reason, or all of it if it is another's.
func beyondForbidden(message string) string {
	usual := plainForbidden.FindStringIndex(message)
	if usual == nil {
		return message
	}
	return strings.TrimPrefix(message[usual[1]:], ": ")
}

// forbidden turns the API server's refusal to be read into a *ForbiddenError, and notes the right that is missing.
// Any other error is handed back.
func (l *live) forbidden(err error, right Right) error {
	if !apierrors.IsForbidden(err) || errors.As(err, new(*ForbiddenError)) {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if !slices.Contains(l.missing, right) {
		l.missing = append(l.missing, right)
	}
	return &ForbiddenError{Right: right, Err: err}
}

// MissingRights are the rights that whoever reads a live inventory has been found to lack, by group, resource and
// verb. An inventory from files has none.
func MissingRights(inventory Inventory) []Right {
	l, isLive := inventory.(*live)
	if !isLive {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	rights := slices.Clone(l.missing)
	slices.SortFunc(rights, func(a, b Right) int {
		return cmp.Or(
			cmp.Compare(a.Resource.Group, b.Resource.Group), cmp.Compare(a.Resource.Resource, b.Resource.Resource),
			cmp.Compare(a.Verb, b.Verb), cmp.Compare(a.Namespace, b.Namespace),
		)
	})
	return rights
}
