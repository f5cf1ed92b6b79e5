package cli

import (
	"io"
	"slices"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/report"
)

// remarks go to standard error beside a report.
type remarks struct {
	flags  *outputFlags
	stderr io.Writer
	table  bool // the report on standard output says in words what is missing
}

// remarksBeside are the remarks beside a report's outputs.
func remarksBeside[R any](outputs report.Outputs[R], flags *outputFlags, stderr io.Writer) remarks {
	isTable := func(output report.Output[R]) bool {
		return output.File == "" && (output.Format == "table" || output.Format == "wide")
	}
	return remarks{flags: flags, stderr: stderr, table: slices.ContainsFunc(outputs, isTable)}
}

func (r remarks) say(format string, args ...any) { r.flags.remark(r.stderr, format, args...) }

// incomplete tells that something was not looked at where the report on standard output is for machines, and the
// way on where it is the policies that could not be read.
func (r remarks) incomplete(gaps []inventory.Gap, unread []inventory.Gap) {
	if len(gaps) > 0 && !r.table {
		more := ""
		if len(gaps) > 1 {
			more = "; the report lists the others"
		}
		r.say("incomplete: %s: %s%s", gaps[0].What, gaps[0].Why, more)
	}
	if len(unread) > 0 {
		r.say("hint: what the admission policies are is not known in full. Give them with --policies FILE --only-proposed, or use --from with a snapshot of someone who may read them")
	}
}
