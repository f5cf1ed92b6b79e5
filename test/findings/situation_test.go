package findings

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/audit"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/verify"
)

// situation is what one finding is about. Every NS in its texts is its own namespace, which holds the Deployment web.
type situation struct {
	rule string
	// variant tells situations of one rule apart.
	variant string
	// leak is the request that shows on the API server that the leak is real, and mend what stops it: for the table of situations.
	leak, mend string

	// world are objects that are there before and after it is mended, beside the namespace, its Deployment and the rights of tenant, who may write
	// everything and whom no policy should let through.
	world string
	// settled says that what is applied carries annotations, so that first the policies of another situation must have ceased to act.
	settled bool
	// open makes the situation, closed mends it: each is applied before the questions are asked, and deleted again.
	open, closed string
	// proposed says what open and closed are, where the audit is told of them by a flag and kubectl deploys them, of which the API server may refuse some.
	proposed proposed
	// mendedFirst has the closed side go before the open one.
	mendedFirst bool
	// prepare makes what is no object of the API server's, and says what it is called in open and closed.
	prepare func(t *testing.T, p place) *strings.Replacer
	// ask are the arguments of verify for the request that shows the leak, made as tenant unless they name somebody: it passes unaltered where the
	// situation is open, and is blocked or altered where it is closed. In place of it, leaks says whether the leak is there.
	ask   []string
	leaks func(t *testing.T, p place) bool

	// subject is part of the finding's subject, as subjectOf writes it.
	subject string
	// says is part of the finding's message.
	says string
	// proof is what the finding's evidence shows; passes where it is not given.
	proof proof
}

const basics = `
apiVersion: v1
kind: Namespace
metadata: {name: NS}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: NS}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: main, image: web}]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: tenant}
rules: [{apiGroups: ["*"], resources: ["*"], verbs: ["*"]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: tenant}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: tenant}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: tenant}]
`

// name is that of its test.
func (s situation) name() string {
	if s.variant == "" {
		return s.rule
	}
	return s.rule + "/" + s.variant
}

// try makes the situation and mends it.
func (s situation) try(t *testing.T) {
	t.Helper()
	server := servers.take(t)
	p := place{server: server, built: servers.plugin(t, server), namespace: strings.ReplaceAll(s.name(), "/", "-")}
	if s.settled {
		p.wait(t)
	}
	p.begins(t)
	p.has(t, s.world)
	if s.prepare != nil {
		called := s.prepare(t, p)
		s.open, s.closed = called.Replace(p.in(s.open)), called.Replace(p.in(s.closed))
	}
	sides := []bool{true, false}
	if s.mendedFirst {
		slices.Reverse(sides)
	}
	for _, p.open = range sides {
		name := map[bool]string{true: "open", false: "closed"}[p.open]
		t.Run(name, func(t *testing.T) { s.trySide(t, p) })
	}
}

func (s situation) trySide(t *testing.T, p place) {
	t.Helper()
	content := s.closed
	if p.open {
		content = s.open
	}
	var flags []string
	switch {
	case s.prepare != nil:
		p.holds(t, content)
	case s.proposed == applied:
		p.has(t, content)
	default:
		flags = s.proposed.deploy(t, p, content)
	}
	p.wait(t)
	if leaks := s.isThere(t, p); leaks != p.open {
		t.Errorf("the leak is there: %v", leaks)
	}
	s.checkFinding(t, p, flags)
}

// isThere puts the request to the API server, by dry run.
func (s situation) isThere(t *testing.T, p place) bool {
	t.Helper()
	if s.leaks != nil {
		return s.leaks(t, p)
	}
	return p.outcome(t, s.ask...) == simulate.Allowed
}

// outcome is what the API server makes of a request, as verify asks it. The simulation has to agree.
func (p place) outcome(t *testing.T, ask ...string) simulate.Outcome {
	t.Helper()
	args := []string{"verify", "-o", "json"}
	if !strings.HasPrefix(ask[0], "as-") {
		args = append(args, "as-user", "tenant")
	}
	for _, arg := range ask {
		args = append(args, p.in(arg))
	}
	out := p.plugin(t, args...)
	var report verify.Report
	if err := json.Unmarshal([]byte(out.Stdout), &report); err != nil {
		t.Fatalf("exit %d: %v\n%s", out.Code, err, out.Stderr)
	}
	if report.Summary.Requests != 1 || report.Summary.Agrees != 1 {
		t.Fatalf("simulation and API server: %+v, incomplete %v", report.Summary, report.Incomplete)
	}
	return report.Results[0].Server.Outcome
}

// checkFinding audits: a finding is there exactly where it should be, and its evidence shows it again. The rule is applied alone, for speed; test/e2e
// audits by all of them.
func (s situation) checkFinding(t *testing.T, p place, flags []string) {
	t.Helper()
	out := p.plugin(t, append([]string{"audit", "-A", "-o", "json", "--rule", s.rule}, flags...)...)
	found := s.foundIn(t, p, out)
	if got := len(found) > 0; got != p.open {
		t.Errorf("found: %v; exit %d: %s%s", got, out.Code, out.Stdout, out.Stderr)
	}
	for _, f := range found {
		if !strings.Contains(f.Message, p.in(s.says)) {
			t.Errorf("the message lacks %q: %s", p.in(s.says), f.Message)
		}
		s.checkEvidence(t, p, f)
	}
}

// foundIn are the findings of an audit that are about the situation.
func (s situation) foundIn(t *testing.T, p place, out output) []audit.Finding {
	t.Helper()
	var report audit.Report
	if err := json.Unmarshal([]byte(out.Stdout), &report); err != nil {
		t.Fatalf("exit %d: %v\n%s", out.Code, err, out.Stderr)
	}
	return slices.DeleteFunc(report.Findings, func(f audit.Finding) bool {
		return f.ID != s.rule || !strings.Contains(subjectOf(f), p.in(s.subject))
	})
}

// subjectOf writes a subject in one line: ValidatingAdmissionPolicy block spec.matchConditions[0].
func subjectOf(f audit.Finding) string {
	return strings.Join(strings.Fields(strings.Join([]string{f.Subject.Kind, f.Subject.Namespace, f.Subject.Name, f.Subject.Field}, " ")), " ")
}
