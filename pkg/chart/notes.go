package chart

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"k8s.io/apiserver/pkg/authentication/user"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/downscaler"
)

// Notes say what looks like a mistake in the values and is none that the chart makes: a sentence each.
func (v *Values) Notes() []string {
	var notes []string
	if c := v.Compliance; !c.OnWorkloads.Enabled && !c.OnNamespace.Enabled {
		notes = append(notes, "the values enable no scope, so that they stand for no policy; set onWorkloads.enabled or onNamespace.enabled of "+sectionKey)
	}
	if v.Alone {
		notes = append(notes, "the file is the section alone, which does not say what the downscaler scales; the workloads guarded are deployments, the chart's default")
	}
	for _, p := range v.Compliance.Users {
		if p.lets("nobody@ordinary.invalid") {
			notes = append(notes, p.Field+": the pattern "+p.Written+" lets every user pass, so that nobody is kept from anything")
		}
	}
	for _, p := range v.Compliance.Groups {
		if p.lets(user.AllAuthenticated) {
			notes = append(notes, p.Field+": the pattern "+p.Written+" matches the group system:authenticated, which everybody is in, so that nobody is kept from anything")
		}
	}
	for _, id := range v.IncludedResources {
		if !isScaled(id) {
			notes = append(notes, fmt.Sprintf("includedResources: the downscaler scales nothing called %q, and the chart passes over it", id))
		}
	}
	return notes
}

// lets says whether a name passes by the pattern, in the hardened guard too.
func (p Pattern) lets(name string) bool {
	matches, err := regexp.MatchString(p.Whole, name)
	return err == nil && matches && !p.Lost
}

func isScaled(id string) bool {
	return slices.ContainsFunc(downscaler.Kinds(), func(kind downscaler.Kind) bool { return kind.ID == id })
}

// Narrowed are the patterns of which the hardened guard lets fewer names through than the chart's: each matches some name that only contains
// what it says.
func (v *Values) Narrowed() []Pattern {
	return slices.DeleteFunc(v.patterns(), func(p Pattern) bool { return p.Lost || hasBothEnds(p.Regex) })
}

// hasBothEnds goes by what stands at a pattern's ends. One of several alternatives may still be open there.
func hasBothEnds(regex string) bool {
	return strings.HasPrefix(regex, "^") && strings.HasSuffix(regex, "$") && !strings.HasSuffix(regex, `\$`) && !strings.Contains(regex, "|")
}

// Accounts are the user names of the service accounts that the chart makes for the downscaler, and that its guard lets pass.
func (v *Values) Accounts(r Release) []string {
	accounts := []string{v.downscaler(r)}
	if v.WebhookEnabled {
		accounts = append(accounts, v.webhook(r))
	}
	return accounts
}
