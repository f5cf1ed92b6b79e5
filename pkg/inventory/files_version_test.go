package inventory

import (
	"errors"
	"strings"
	"testing"
)

func TestParseVersion(t *testing.T) {
	for text, want := range map[string]string{
		"1.34": "v1.34", "v1.34.2": "v1.34.2", "v1.33.4-gke.10": "v1.33.4-gke.10", "1.37.99": "v1.37.99",
		"": "no version", "latest": "no version", "1": "no version", "1.38": "newest Kubernetes that this program knows is v1.37", "2.0": "newest",
	} {
		got, err := ParseVersion(text)
		if err != nil {
			got = err.Error()
		}
		if err == nil && got != want || !strings.Contains(got, want) {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestServedByTheVersionAskedFor(t *testing.T) {
	const mutating = "apiVersion: admissionregistration.k8s.io/%s\nkind: MutatingAdmissionPolicyBinding\nmetadata: {name: b}\nspec: {policyName: p}\n"
	for name, test := range map[string]struct{ server, version, want string }{
		"not asked for":      {"", "v1", ""},
		"since that version": {"v1.36", "v1", ""},
		"one too early":      {"v1.35.4", "v1", "p.yaml, document 1, line 1: Kubernetes v1.35.4 does not serve admissionregistration.k8s.io/v1 MutatingAdmissionPolicyBinding, which came with v1.36"},
		"as beta":            {"v1.35.4", "v1beta1", ""},
		"beta too early":     {"v1.33", "v1beta1", "which came with v1.34"},
		"unreadable version": {"main", "v1", ""},
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.ReplaceAll(mutating, "%s", test.version)
			inventory, err := FromFilesFor(t.Context(), test.server, FileSource{Path: "p.yaml", Reader: strings.NewReader(text)})
			switch input := (*InputError)(nil); {
			case test.want == "" && err != nil:
				t.Error(err)
			case test.want == "" && test.server != "" && inventory.Server().Version != test.server:
				t.Errorf("the version is %s", inventory.Server().Version)
			case test.want != "" && (!errors.As(err, &input) || !strings.Contains(err.Error(), test.want)):
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}
