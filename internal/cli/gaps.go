package cli

import (
	"errors"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// unreadError is an object that was asked for and could not be looked at.
type unreadError struct {
	what string
	err  error
}

func (e *unreadError) Error() string { return e.what + ": " + e.err.Error() }
func (e *unreadError) Unwrap() error { return e.err }

// gapOf is an error as reports list it under "incomplete".
func gapOf(err error) inventory.Gap {
	var list *inventory.ListError
	var unread *unreadError
	switch {
	case errors.As(err, &list):
		return inventory.Gap{What: list.Kind.Resource.GroupResource().String(), Why: list.Err.Error()}
	case errors.As(err, &unread):
		return inventory.Gap{What: unread.what, Why: unread.err.Error()}
	}
	return inventory.Gap{What: "an object", Why: err.Error()}
}
