package chart

import (
	"slices"
	"strings"
	"testing"
)

func readTest(t *testing.T, text string) *Values {
	t.Helper()
	v, err := ReadValues("values.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestNotes(t *testing.T) {
	for text, want := range map[string][]string{
		`annotationsCompliance: {onWorkloads: {enabled: true}, authorizedUsersRegex: [".*", "a.*", ""]}`:                 {".* lets every user pass"},
		`annotationsCompliance: {onWorkloads: {enabled: true}, authorizedGroupsRegex: ["system:authenticated", "devs"]}`: {"system:authenticated, which"},
		"onWorkloads: {enabled: true}":                          {"the section alone"},
		"annotationsCompliance: {onWorkloads: {enabled: true}}": nil,
		"annotationsCompliance: {}":                             {"the values enable no scope"},
		"{includedResources: [deployments, deploymnets], annotationsCompliance: {onWorkloads: {enabled: true}}}":            {`scales nothing called "deploymnets"`},
		"{includedResources: [awselbservices, kafkabridges], annotationsCompliance: {onNamespace: {enabled: true}}}":        nil,
		"{includedResources: [nothing], annotationsCompliance: {onNamespace: {enabled: true, preventRemoval: true}}}":       {`"nothing"`},
		"annotationsCompliance: {onWorkloads: {preventRemoval: true}, onNamespace: {enabled: false, preventRemoval: true}}": {"the values enable no scope"},
	} {
		got := readTest(t, text).Notes()
		if len(got) != len(want) {
			t.Errorf("%s: %q", text, got)
			continue
		}
		for i := range want {
			if !strings.Contains(got[i], want[i]) {
				t.Errorf("%s: got %q, want %q", text, got[i], want[i])
			}
		}
	}
}

func TestNarrowed(t *testing.T) {
	v := readTest(t, `
annotationsCompliance:
  authorizedUsersRegex: ["user1", "^user2", "user3$", "^user4$", '^us\\$', "^a|b$", "*bad"]
  authorizedNamespacesToServiceAccountsRegex: {ci: [deployer]}
  onWorkloads: {enabled: true}
`)
	var got []string
	for _, p := range v.Narrowed() {
		got = append(got, p.Written)
	}
	want := []string{"^system:serviceaccount:ci:deployer", "user1", "^user2", "user3$", `^us\\$`, "^a|b$"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
