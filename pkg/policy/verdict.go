package policy

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// Verdict is what one phase of policies makes of a request.
type Verdict struct {
	Steps []Step
	// Statuses are the answers that the API server may give if the request is denied, and any one of which it
	// gives; the first is that of the first denying policy by name. None: the policies let the request pass.
	Statuses []metav1.Status
	// Warnings are the texts of the Warning headers.
	Warnings []string
	// AuditAnnotations are what the policies add to the audit event.
	AuditAnnotations map[string]string
	// Uncertain says that something not known may reverse the verdict.
	Uncertain bool
	// NotKnown lists what a step would have needed to know.
	NotKnown []inventory.Gap
	// Disorder says that the order of mutating policies decides, which nobody knows; nil where it does not.
	Disorder *Disorder
	// Assumed lists what the answers of the policies' authorizer rest on, see Assuming.
	Assumed []inventory.Gap
	// DryRunAsked names the policies that look at whether the request is a dry run.
	DryRunAsked []string
}

// decided is a step with what the verdict needs to know of it.
type decided struct {
	Step
	// denies says that it makes the API server refuse the request.
	denies bool
	// mayDeny says of a step that was not simulated that it could.
	mayDeny bool
	// notKnown lists what it would have needed to know.
	notKnown []string
	// invocation is the evaluation behind it; nil where it did not come to one.
	invocation *invocation
}

// evaluated says whether some expression of the policy ran.
func (d decided) evaluated() bool { return d.invocation != nil }

func (v *Verdict) add(d decided) {
	v.Steps = append(v.Steps, d.Step)
	for _, what := range d.notKnown {
		v.NotKnown = append(v.NotKnown, inventory.Gap{What: d.Kind + " " + d.Policy, Why: what})
	}
	v.Uncertain = v.Uncertain || d.mayDeny
}

// acted says whether some policy changed the object or failed. Where none did, each of them saw the object as it came, and
// their order does not matter.
func (v *Verdict) acted() bool {
	return slices.ContainsFunc(v.Steps, func(s Step) bool {
		return s.Decision == Mutated || s.Decision == Error || s.Decision == ErrorIgnored
	})
}
