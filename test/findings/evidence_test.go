package findings

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/audit"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/test/plugin"
)

type output = plugin.Output

// proof is what a finding's evidence shows when it is run as it stands.
type proof struct {
	// command is kubectl's, and format the flag that makes its answer what shows looks at.
	command, format string
	// shows returns an error where the answer does not show what was found.
	shows func(t *testing.T, s situation, p place, f audit.Finding, out output) error
}

var (
	// passes: the change is made again, and nothing stops it.
	passes = simulated(simulate.Allowed, 0)
	// takenBack: the change is made again, and what is stored is something else.
	takenBack = simulated(simulate.Altered, 1)
	// undecided: the change is made again, and the simulation can't say what is stored.
	undecided = simulated(simulate.Unknown, 2)
	// refusedAgain: the change is made again, and is refused.
	refusedAgain = simulated(simulate.Blocked, 1)
)

// simulated: each request of a simulation comes to an outcome.
func simulated(want simulate.Outcome, code int) proof {
	return proof{"downscaler-compliance simulate", "-o json", func(_ *testing.T, _ situation, _ place, _ audit.Finding, out output) error {
		var report simulate.Report
		if err := json.Unmarshal([]byte(out.Stdout), &report); err != nil {
			return err
		}
		for _, result := range report.Results {
			if result.Outcome != want {
				return fmt.Errorf("the request comes to %s", result.Outcome)
			}
		}
		if len(report.Results) == 0 || out.Code != code {
			return fmt.Errorf("exit %d, %d requests", out.Code, len(report.Results))
		}
		return nil
	}}
}

// foundAgain: the command is an audit, which finds the same once more. Why it can't be a simulation is said where it is used.
func foundAgain(_ string) proof {
	return proof{"downscaler-compliance audit", "-o json", func(t *testing.T, s situation, p place, f audit.Finding, out output) error {
		t.Helper()
		for _, again := range s.foundIn(t, p, out) {
			if again.Subject == f.Subject {
				return nil
			}
		}
		return fmt.Errorf("it is not found again, exit %d", out.Code)
	}}
}

// prints: another command prints some text.
func prints(command, text string) proof {
	return proof{command, "", func(_ *testing.T, _ situation, p place, _ audit.Finding, out output) error {
		if out.Code == 2 || !strings.Contains(out.Stdout, p.in(text)) {
			return fmt.Errorf("exit %d, and %q is not printed", out.Code, p.in(text))
		}
		return nil
	}}
}

// checkEvidence runs the evidence in a shell.
func (s situation) checkEvidence(t *testing.T, p place, f audit.Finding) {
	t.Helper()
	proof := s.proof
	if proof.shows == nil {
		proof = passes
	}
	if !strings.Contains(f.Evidence, "kubectl "+proof.command+" ") {
		t.Errorf("the evidence is no command %s: %s", proof.command, f.Evidence)
		return
	}
	line := f.Evidence
	if proof.format != "" {
		line = strings.Replace(line, " -o wide", "", 1) + " " + proof.format
	}
	out, err := p.built.Shell(t.Context(), p.server.Admin.Kubeconfig, line)
	if err != nil {
		t.Fatal(err)
	}
	if err := proof.shows(t, s, p, f, out); err != nil {
		t.Errorf("%s: %v\n%s%s", line, err, out.Stdout, out.Stderr)
	}
}
