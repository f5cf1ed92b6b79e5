package cli

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
)

// parse runs a command line up to the point where the command would begin its work.
func parse(t *testing.T, cmd *cobra.Command, args ...string) error {
	t.Helper()
	cmd.SetArgs(args)
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	return cmd.ExecuteContext(t.Context())
}

func TestSimulateOptions(t *testing.T) {
	var got *simulateOptions
	run := func(_ context.Context, o *simulateOptions) error { got = o; return nil }
	streams := genericiooptions.NewTestIOStreamsDiscard()
	err := parse(t, newSimulateAsUserCommand(streams, run), "dev", "deploy/web", "-n", "team-a", "--user-group", "ops",
		"--user-extra", "a=b=c", "--set", "exclude=true", "--remove", "example.com/x", "--operation", "update",
		"--subresource", "status", "--field-manager", "me", "--explain", "--from", "x.yaml", "-o", "json=-")
	if err != nil {
		t.Fatal(err)
	}
	requester := request.NewRequester("dev", []string{"ops"}, "", map[string][]string{"a": {"b=c"}})
	if diff := cmp.Diff(requester, got.requester); diff != "" {
		t.Error(diff)
	}
	change := request.Change{Set: map[string]string{"downscaler/exclude": "true"}, Remove: []string{"example.com/x"}}
	if diff := cmp.Diff(change, got.change.change); diff != "" {
		t.Error(diff)
	}
	options := request.Options{Operation: admission.Update, Subresource: "status", FieldManager: "me"}
	if diff := cmp.Diff(options, got.change.options()); diff != "" {
		t.Error(diff)
	}
	if got.state.scope.namespace != "team-a" || !got.explain || got.outputs[0].Format != "json" {
		t.Errorf("%+v", got)
	}
}

func TestSimulateRequesters(t *testing.T) {
	var got *simulateOptions
	run := func(_ context.Context, o *simulateOptions) error { got = o; return nil }
	streams := genericiooptions.NewTestIOStreamsDiscard()
	rest := []string{"deploy/web", "--set", "exclude=true", "--from", "x.yaml"}

	if err := parse(t, newSimulateAsServiceAccountCommand(streams, run), append([]string{"team-a:ci"}, rest...)...); err != nil {
		t.Fatal(err)
	}
	if want := request.ServiceAccount("team-a", "ci", nil, "", nil); !cmp.Equal(want, got.requester) {
		t.Error(got.requester)
	}
	for _, bad := range []string{"", ":", "ci", "team-a:", ":ci", "team-a:ci:x", "Team A:ci"} {
		err := parse(t, newSimulateAsServiceAccountCommand(streams, run), append([]string{bad}, rest...)...)
		if !isUsage(err) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestAuditOptions(t *testing.T) {
	var got *auditOptions
	run := func(_ context.Context, o *auditOptions) error { got = o; return nil }
	cmd := newAuditCommand(genericiooptions.NewTestIOStreamsDiscard(), run)
	err := parse(t, cmd, "--from", "a.yaml", "--from", "b.yaml", "--policies", "p.yaml", "--only-proposed", "-l", "app=web", "--fail-on", "low")
	if err != nil {
		t.Fatal(err)
	}
	evidence := []string{"--from", "a.yaml", "--from", "b.yaml", "--policies", "p.yaml", "--only-proposed"}
	if diff := cmp.Diff(evidence, got.evidence); diff != "" {
		t.Error(diff)
	}
	if len(got.requesters) != 0 || got.selection.selector.String() != "app=web" || got.state.scope.namespace != "" {
		t.Errorf("%+v", got)
	}
}

// Credentials have no place in a report.
func TestEvidenceHasNoCredentials(t *testing.T) {
	var got *auditOptions
	run := func(_ context.Context, o *auditOptions) error { got = o; return nil }
	t.Setenv("KUBECONFIG", "none")
	cmd := newAuditCommand(genericiooptions.NewTestIOStreamsDiscard(), run)
	if err := parse(t, cmd, "--token", "secret", "--server", "https://localhost:1"); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"--server", "https://localhost:1"}, got.evidence); diff != "" {
		t.Error(diff)
	}
}
