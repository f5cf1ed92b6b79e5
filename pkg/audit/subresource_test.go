package audit

import (
	"reflect"
	"testing"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
)

func TestSubresources(t *testing.T) {
	listed := over("apps/deployments", "apps/deployments/status")
	for name, test := range map[string]struct {
		manifests []any
		object    string
		want      []SubresourceGuard
	}{
		"blocking":        {[]any{chartLike(false)}, "Deployment", []SubresourceGuard{{"status", allowed, allowed, allowed}}},
		"mutating":        {[]any{chartLike(true)}, "Deployment", []SubresourceGuard{{"status", allowed, allowed, allowed}}},
		"listed":          {[]any{listed}, "Deployment", []SubresourceGuard{{"status", blocked, blocked, blocked}}},
		"additions only":  {[]any{listed[0], chartLike(false)[1]}, "Deployment", []SubresourceGuard{{"status", blocked, blocked, allowed}}},
		"a namespace":     {[]any{chartLike(false)}, "Namespace", []SubresourceGuard{{"status", allowed, allowed, allowed}, {"finalize", allowed, allowed, allowed}}},
		"custom resource": {[]any{chartLike(false)}, "ScaledObject", []SubresourceGuard{{"status", ProtectionStripped, ProtectionReverted, ProtectionRestored}}},
	} {
		t.Run(name, func(t *testing.T) {
			report := auditOf(t, append(test.manifests, teamA, deployment("team-a", "web", ""), scaledObject)...)
			for _, o := range report.Objects {
				if o.Object.Kind == test.object && !reflect.DeepEqual(o.Subresources, test.want) {
					t.Errorf("got %v, want %v", o.Subresources, test.want)
				}
			}
		})
	}
}

func TestBypasses(t *testing.T) {
	status := []SubresourceGuard{{"status", allowed, ProtectionWarned, ProtectionUnknown}, {"finalize", blocked, blocked, blocked}}
	for name, test := range map[string]struct {
		guard Guard
		want  []Bypass
	}{
		"guarded":   {Guard{blocked, blocked, blocked, blocked}, []Bypass{{"status", []Column{ColumnAdd, ColumnEdit}}}},
		"partly":    {Guard{blocked, allowed, ProtectionReverted, blocked}, []Bypass{{"status", []Column{ColumnEdit}}}},
		"unguarded": {Guard{allowed, allowed, allowed, allowed}, nil},
	} {
		if got := (Object{Guard: test.guard, Subresources: status}).Bypasses(); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: got %v, want %v", name, got, test.want)
		}
	}
}

// The guard's levels are those of the object itself; how many of the full ones are bypassed is beside them.
func TestBypassedAreCounted(t *testing.T) {
	report := auditOf(t, over("apps/deployments", "apps/deployments/status", "batch/cronjobs"), teamA, deployment("team-a", "web", ""), nightly)
	if s := report.Summary; s.Guarded.Full != 2 || s.Guarded.None != 1 || s.Bypassed != 1 {
		t.Errorf("%+v", s)
	}
}

// The subresources are tried as the one whom the audit is about.
func TestSubresourcesAsSomeoneElse(t *testing.T) {
	exempt := guard{name: "g", resources: []string{"apps/deployments", "apps/deployments/status"}, exempt: "^ops$"}
	report := auditWith(t, Options{Requester: request.NewRequester("ops", nil, "", nil)}, exempt, teamA, deployment("team-a", "web", ""))
	if got := web(t, report); got.Subresources[0].Add != allowed || got.Bypasses() != nil {
		t.Errorf("%+v", got)
	}
}

func TestScope(t *testing.T) {
	selector := labels.SelectorFromSet(labels.Set{"app": "x"})
	report := auditWith(t, Options{Query: inventory.Query{Namespace: "team-a", Selector: selector}}, teamA, deployment("team-a", "web", ""))
	if report.Scope != (Scope{Namespace: "team-a", Selector: "app=x"}) {
		t.Errorf("%+v", report.Scope)
	}
	if report := auditOf(t, teamA); report.Scope != (Scope{}) {
		t.Errorf("%+v", report.Scope)
	}
}

// What is not known of a subresource is no way around the guard.
func TestUnknownSubresource(t *testing.T) {
	selecting := guard{name: "g", resources: []string{"apps/deployments/status"}, selector: "matchLabels: {team: b}"}
	report := auditOf(t, over("apps/deployments"), selecting, deployment("team-a", "web", "")) // the namespace was not read
	object := web(t, report)
	if object.Guard.Add != blocked || object.Subresources[0].Add != unknown || object.Bypasses() != nil {
		t.Errorf("%+v", object)
	}
}
