package chart

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/version"
)

// Mistake is something in the values that the chart makes something else of than was meant.
type Mistake struct {
	// ID is the finding's, such as "values-actions-list".
	ID string
	// Field is the values' own, and Line where it stands; 0 where it is absent.
	Field string
	Line  int
	// Written is the pattern that it is about, as the values have it; empty where it is about none.
	Written string
	// Message says what happens, Remedy what to do.
	Message, Remedy string
	// Mended says that the policies of Plain are those that were meant; else they are those that the chart deploys.
	Mended bool
}

const patternQuoting = "values-pattern-quoting"

// InPatterns says whether it is about who is authorised, and not about what the chart makes of the rest.
func (m Mistake) InPatterns() bool { return m.ID == patternQuoting }

// maxConditions is how many matchConditions an API server takes in one policy.
const maxConditions = 64

// Mistakes returns what is wrong with the values, for an API server of a version. Values that enable nothing stand for no policy, and have no mistakes.
func (v *Values) Mistakes(r Release, server string) []Mistake {
	c := v.Compliance
	all := scopeMistakes(c)
	if !c.OnWorkloads.Enabled && !c.OnNamespace.Enabled {
		return all
	}
	all = append(all, v.actionsMistakes()...)
	all = append(all, v.patternMistakes()...)
	if c.Mutate && len(c.ServiceAccounts) > 0 {
		all = append(all, Mistake{
			ID: "values-service-accounts-with-mutation", Mended: true, Field: sectionKey + ".authorizedNamespacesToServiceAccountsRegex", Line: c.ServiceAccounts[0].Line,
			Message: "The chart fails to render as soon as service accounts are authorised and mutateUnauthorizedAnnotationsAddition is true, so that nothing is deployed.",
			Remedy:  "Name the accounts in authorizedUsersRegex, as system:serviceaccount:NAMESPACE:NAME, or let the guard validate.",
		})
	}
	if n := len(v.parties(r)); n > maxConditions {
		all = append(all, Mistake{
			ID: "values-too-many-patterns", Mended: true, Field: sectionKey, Line: 0,
			Message: fmt.Sprintf("%d patterns and the downscaler's own two accounts make %d matchConditions, and the API server takes %d: it refuses the policies.", n-2, n, maxConditions),
			Remedy:  "Put several names into one pattern, such as ^(?:a|b|c)$, or authorise a group.",
		})
	}
	return append(all, v.versionMistakes(server)...)
}

func scopeMistakes(c Compliance) []Mistake {
	var all []Mistake
	for _, s := range []struct {
		name         string
		scope, other Scope
	}{{"onWorkloads", c.OnWorkloads, c.OnNamespace}, {"onNamespace", c.OnNamespace, c.OnWorkloads}} {
		field := sectionKey + "." + s.name + ".preventRemoval"
		switch {
		case !s.scope.PreventRemoval:
		case !s.scope.Enabled && s.other.Enabled:
			all = append(all, Mistake{
				ID: "values-removal-without-enabled", Field: field,
				Message: fmt.Sprintf("preventRemoval is set and %s.enabled is not: the chart makes no rule for the scope, and nobody is kept from removing annotations there.", s.name),
				Remedy:  fmt.Sprintf("Set %s.enabled, too.", s.name),
			})
		case !s.scope.Enabled:
			all = append(all, Mistake{
				ID: "values-removal-without-enabled", Field: field,
				Message: "preventRemoval is set and no scope is enabled: the chart makes a policy without rules, which the API server refuses, and a binding without a policy.",
				Remedy:  fmt.Sprintf("Set %s.enabled, too.", s.name),
			})
		case s.other.Enabled && !s.other.PreventRemoval:
			all = append(all, Mistake{
				ID: "values-removal-scopes-coupled", Field: field,
				Message: "Removals are prevented in every scope that is enabled, not in this one alone: the chart has one policy for both.",
				Remedy:  "Set preventRemoval in both scopes, so that the values say what holds.",
			})
		}
	}
	return all
}

func (v *Values) actionsMistakes() []Mistake {
	c := v.Compliance
	actions := c.ValidationActions
	validates := !c.Mutate || c.OnWorkloads.PreventRemoval || c.OnNamespace.PreventRemoval
	if !actions.Joined || !validates {
		return nil
	}
	return []Mistake{{
		ID: "values-actions-list", Mended: true, Field: sectionKey + ".validationActions", Line: actions.Line,
		Message: fmt.Sprintf("The chart writes several actions as one, [%s], which the API server refuses: the policies would be without a binding.", strings.Join(actions.Names, " ")),
		Remedy:  "Give one action: Deny.",
	}}
}

func (v *Values) patternMistakes() []Mistake {
	var all []Mistake
	for _, p := range v.patterns() {
		if p.Broken == "" {
			continue
		}
		consequence, remedy := "The API server refuses the policy, so that nothing is guarded.", `Write a backslash twice, and no quotes: '^ops\\.adm$'.`
		if p.Lost {
			consequence, remedy = "The API server refuses the policy, so that nothing is guarded; here the pattern is left out, since nobody can be meant by it.", "Write a regular expression: a name itself, or .*admin for every name that ends in admin."
		}
		if p.Escapes {
			consequence = "Whoever writes the pattern writes the condition: it may let everyone through."
		}
		all = append(all, Mistake{
			ID: patternQuoting, Mended: !p.Escapes, Field: p.Field, Line: p.Line, Written: p.Written,
			Message: fmt.Sprintf("The pattern %s does not reach the policy as it is written: %s. %s", p.Written, p.Broken, consequence),
			Remedy:  remedy,
		})
	}
	return all
}

// The versions of Kubernetes below which the chart does not render: for mutating policies, whether or not it makes any.
var oldestRendered = version.MajorMinor(1, 34)

func (v *Values) versionMistakes(server string) []Mistake {
	at, err := version.ParseGeneric(server)
	switch {
	case err != nil:
		return nil
	case at.AtLeast(oldestRendered) && v.Compliance.Mutate:
		return []Mistake{{
			ID: "policy-api-not-served", Mended: true, Field: sectionKey + ".mutateUnauthorizedAnnotationsAddition",
			Message: fmt.Sprintf("The chart writes its mutating policies as v1beta1, which an API server of %s serves only where --runtime-config switches it on: elsewhere they are not deployed.", server),
			Remedy:  "Apply what `policies render --values` prints for the version, or switch admissionregistration.k8s.io/v1beta1 on.",
		}}
	case at.AtLeast(oldestRendered):
		return nil
	}
	return []Mistake{{
		ID: "values-kubernetes-version", Mended: true, Field: sectionKey,
		Message: fmt.Sprintf("The chart refuses to render for Kubernetes %s, as it does for every version before v%s, even where it would make validating policies alone.", server, oldestRendered),
		Remedy:  "Upgrade the cluster, or apply what `policies render --values` prints for it.",
	}}
}
