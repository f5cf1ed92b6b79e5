// Package exitcode names the codes that the plugin exits with. They are part of its public interface.
package exitcode

// Code is what a run says to the shell.
type Code int

// The codes.
const (
	// OK: everything asked was looked at, and there is nothing to complain about.
	OK Code = 0
	// Found: everything asked was looked at, and something would be blocked or altered, or was found.
	Found Code = 1
	// Failed: wrong usage or input, or something asked for could not be looked at.
	Failed Code = 2
	// Interrupted: the run was ended from outside; there is no report.
	Interrupted Code = 130
)
