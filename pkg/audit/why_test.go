package audit

import (
	"testing"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

func TestWhy(t *testing.T) {
	open := Guard{allowed, allowed, allowed, allowed}
	full := Guard{blocked, blocked, blocked, blocked}
	carried := []Annotation{{Key: "downscaler/exclude", Value: "true"}}
	status := []SubresourceGuard{{Name: "status", Add: blocked, Edit: allowed, Remove: allowed}}
	for name, test := range map[string]struct {
		object Object
		want   string
	}{
		"an addition":            {Object{Guard: open}, "--set downscaler/exclude=true"},
		"of another key":         {Object{Guard: open, Annotations: carried}, "--set downscaler/compliance-probe=true"},
		"an edit":                {Object{Guard: Guard{blocked, blocked, allowed, blocked}, Annotations: carried}, "--set downscaler/exclude=false"},
		"a removal":              {Object{Guard: Guard{blocked, blocked, blocked, ProtectionWarned}, Annotations: carried}, "--remove downscaler/exclude"},
		"a creation":             {Object{Guard: Guard{ProtectionUnknown, blocked, blocked, blocked}}, "--operation create --set downscaler/exclude=true"},
		"a removal of nothing":   {Object{Guard: Guard{blocked, blocked, blocked, allowed}}, ""},
		"by a subresource":       {Object{Guard: full, Annotations: carried, Subresources: status}, "--subresource status --set downscaler/exclude=false"},
		"by one without a key":   {Object{Guard: full, Subresources: status}, ""},
		"nothing is let through": {Object{Guard: full, Annotations: carried}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			test.object.Object, test.object.Resource = simulate.ObjectRef{Kind: "Deployment", Namespace: "team-a", Name: "web"}, "deployments.apps"
			report := &Report{Requester: OrdinaryUser(), StateFlags: []string{"--from", "my files"}}
			want := ""
			if test.want != "" {
				want = "kubectl downscaler-compliance simulate as-user nobody@ordinary.invalid deployments.apps/web -n team-a " + test.want + " --past-authorization --explain --from 'my files'"
			}
			if got := report.Why(test.object); got != want {
				t.Errorf("\ngot  %s\nwant %s", got, want)
			}
		})
	}
}

func TestWhyAsSomeoneElse(t *testing.T) {
	robot := request.ServiceAccount("ci", "robot", []string{"builders"}, "7", map[string][]string{"b": {"2"}, "a": {"1", "x y"}})
	report := &Report{Requester: robot}
	got := report.Why(Object{Object: simulate.ObjectRef{Name: "team-a"}, Resource: "namespaces", Guard: Guard{Add: allowed}})
	want := "kubectl downscaler-compliance simulate as-user system:serviceaccount:ci:robot --user-group builders --user-uid 7" +
		" --user-extra a=1 --user-extra 'a=x y' --user-extra b=2 namespaces/team-a --set downscaler/exclude=true --past-authorization --explain"
	if got != want {
		t.Errorf("\ngot  %s\nwant %s", got, want)
	}
}
