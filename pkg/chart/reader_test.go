package chart

import (
	"slices"
	"testing"
)

// Values are YAML as Helm reads it: with merges, anchors, and booleans in every spelling of YAML 1.1.
func TestReadAsHelmDoes(t *testing.T) {
	v := readTest(t, `
base: &base
  fullnameOverride: sleeper
  includedResources: [cronjobs]
  serviceAccount: &account {create: false}
<<: *base
includedResources: [deployments, jobs]
serviceAccount:
  <<: [*account, {name: other}]
scope: &scope {enabled: no, preventRemoval: true}
annotationsCompliance:
  onNamespace: {<<: *scope, enabled: yes}
  onWorkloads: *scope
  mutateUnauthorizedAnnotationsAddition: off
  authorizedUsersRegex: [no, "no", user1]
`)
	release := Release{Name: "r", Namespace: "ns"}
	if got, want := v.Accounts(release), []string{"system:serviceaccount:ns:other"}; !slices.Equal(got, want) {
		t.Errorf("accounts %v, want %v", got, want)
	}
	if got := v.fullname(release); got != "sleeper" {
		t.Errorf("it is called %s", got)
	}
	if want := []string{"deployments", "jobs"}; !slices.Equal(v.IncludedResources, want) {
		t.Errorf("scaled are %v, want %v", v.IncludedResources, want)
	}
	c := v.Compliance
	if c.OnNamespace != (Scope{true, true}) || c.OnWorkloads != (Scope{false, true}) || c.Mutate {
		t.Errorf("%+v", c)
	}
	var users []string
	for _, p := range c.Users {
		users = append(users, p.Regex)
	}
	if want := []string{"false", "no", "user1"}; !slices.Equal(users, want) {
		t.Errorf("users %q, want %q", users, want)
	}
}
