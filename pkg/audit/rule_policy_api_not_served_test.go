package audit

import (
	"context"
	"strings"
	"testing"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

func written(g any, version string) string {
	text := ""
	switch g := g.(type) {
	case []guard:
		for _, one := range g {
			text += one.String()
		}
	case guard:
		text = g.String()
	}
	return strings.ReplaceAll(text, "admissionregistration.k8s.io/v1\n", "admissionregistration.k8s.io/"+version+"\n")
}

// auditFor audits manifests for a version of Kubernetes.
func auditFor(t *testing.T, server string, manifests ...string) Report {
	t.Helper()
	source := inventory.FileSource{Path: "test", Reader: strings.NewReader(strings.Join(manifests, "\n---\n"))}
	inv, err := inventory.FromFilesFor(context.Background(), server, source)
	if err != nil {
		t.Fatal(err)
	}
	report, err := Run(t.Context(), simulatorOf(t, inv), Options{})
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func TestPolicyAPINotServed(t *testing.T) {
	mutating := guard{name: "m", mutating: true, resources: everyResource}
	validating := guard{name: "v", resources: everyResource}
	bindingOnly := strings.Replace(written(validating, "v1"), "admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicyBinding", "admissionregistration.k8s.io/v1beta1\nkind: ValidatingAdmissionPolicyBinding", 1)
	for name, test := range map[string]struct {
		server, policies, subject string
		message, remedy           string
	}{
		"mutating, beta":         {"v1.37.1", written(mutating, "v1beta1"), "m", "v1beta1, which Kubernetes v1.37.1 does not serve by default: it has to be switched on", "admissionregistration.k8s.io/v1;"},
		"its binding, too":       {"v1.36.0", written(mutating, "v1beta1"), "m", "The same goes for MutatingAdmissionPolicyBinding m-binding", "admissionregistration.k8s.io/v1;"},
		"mutating, alpha":        {"v1.37.1", written(mutating, "v1alpha1"), "m", "v1alpha1", "admissionregistration.k8s.io/v1;"},
		"there is no v1 yet":     {"v1.34.2", written(mutating, "v1beta1"), "m", "has to be switched on", "--runtime-config=admissionregistration.k8s.io/v1beta1=true"},
		"validating, beta":       {"v1.31.0", written(validating, "v1beta1"), "v", "has to be switched on", "admissionregistration.k8s.io/v1;"},
		"validating, removed":    {"v1.37.1", written(validating, "v1beta1"), "v", "it was removed in v1.34", "admissionregistration.k8s.io/v1;"},
		"only the binding is so": {"v1.37.1", bindingOnly, "v-binding", "it was removed in v1.34", "admissionregistration.k8s.io/v1;"},
	} {
		t.Run(name, func(t *testing.T) {
			f := one(t, auditFor(t, test.server, test.policies, teamA, deployment("team-a", "web", "")), "policy-api-not-served")
			if f.Subject.Name != test.subject || f.Subject.Field != "apiVersion" || f.Severity != High ||
				!strings.Contains(f.Message, test.message) || !strings.Contains(f.Remedy, test.remedy) {
				t.Errorf("%+v", f)
			}
		})
	}
}

func TestPolicyAPINotServedSilent(t *testing.T) {
	unrelated := written(guard{name: "m", mutating: true, resources: everyResource, condition: "object.metadata.name == 'x'"}, "v1beta1")
	unrelated = strings.ReplaceAll(unrelated, "downscaler/", "example.com/")
	for name, test := range map[string]struct{ server, policies string }{
		"mutating":           {"v1.37.1", written(chartLike(true), "v1")},
		"validating":         {"v1.30.0", written(chartLike(false), "v1")},
		"another tool's":     {"v1.37.1", unrelated},
		"hardened":           {"v1.37.1", hardened(t)},
		"nothing is written": {"v1.37.1", ""},
	} {
		t.Run(name, func(t *testing.T) {
			silent(t, auditFor(t, test.server, test.policies, teamA, deployment("team-a", "web", "")), "policy-api-not-served")
		})
	}
}
