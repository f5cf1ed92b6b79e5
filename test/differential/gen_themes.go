package differential

// theme is what a group of policies is about. Most are mixtures; some need their policies to fit together.
type theme struct {
	name     string
	weight   int
	policies func(*generator)
	// written says that every request is one that policies on CREATE and UPDATE match.
	written bool
	// about says which kinds the group may be about, requests how its requests are made; both may be nil.
	about    func(subject) bool
	requests func(*generator) Request
}

var themes = []theme{
	{name: "validating", weight: 4, policies: (*generator).validatingOnly},
	{name: "mutating", weight: 2, policies: (*generator).mutatingOnly},
	{name: "both", weight: 2, policies: (*generator).both},
	{name: "several denials", weight: 1, policies: (*generator).severalDenials},
	{name: "JSON patches", written: true, weight: 8, policies: (*generator).patched},
	{name: "spoiled objects", written: true, weight: 2, policies: (*generator).spoiled},
	{name: "ApplyConfigurations", written: true, weight: 4, policies: (*generator).configured},
	{name: "ApplyConfigurations of custom resources", written: true, weight: 1, policies: (*generator).configured, about: subject.isRollout},
	{name: "the same key", written: true, weight: 2, policies: (*generator).sameKey},
	{name: "reinvocation", written: true, weight: 1, policies: (*generator).reinvokedAlone},
	{name: "no reinvocation", written: true, weight: 1, policies: (*generator).notReinvoked},
	{name: "reinvocation by another policy", written: true, weight: 1, policies: (*generator).reinvokedByAnother},
	{name: "cost limit", written: true, weight: 1, policies: (*generator).overLimit},
	{name: "cost budget", written: true, weight: 1, policies: (*generator).overBudget},
	{name: "parameters", weight: 3, policies: (*generator).parametrized},
	{name: "parameters in the cluster's scope", written: true, weight: 4, policies: (*generator).parametrized, about: subject.isPlan},
	{name: "scopes", weight: 1, policies: (*generator).scoped},
	{name: "messages", written: true, weight: 1, policies: (*generator).spoken},
	{name: "CEL libraries", written: true, weight: 3, policies: (*generator).evaluated},
	{name: "audit annotations", written: true, weight: 2, policies: (*generator).noted},
	{name: "subresources", weight: 1, policies: (*generator).onSubresource, about: subject.hasScale, requests: (*generator).subresourceRequest},
	{name: "subresources of Namespaces", weight: 2, policies: (*generator).onSubresource, about: subject.isNamespace, requests: (*generator).subresourceRequest},
	{name: "status of custom resources", weight: 1, policies: (*generator).onSubresource, about: subject.isCustomWithStatus, requests: (*generator).subresourceRequest},
	{name: "ApplyConfiguration on a Scale", weight: 2, policies: (*generator).onScale, about: subject.hasScale, requests: (*generator).scaleRequest},
	{name: "versions of autoscalers", weight: 1, policies: (*generator).converted, about: subject.isAutoscaler},
	{name: "versions", weight: 3, policies: (*generator).converted, about: subject.isConvertible},
}

// themeOf returns the theme of a group, and how many groups before it have the same. Of as many groups as the weights add
// up to, each theme has its weight.
func themeOf(seed, index uint64) (theme, uint64) {
	var cycle []int // each theme as often as its weight says
	for i, t := range themes {
		for range t.weight {
			cycle = append(cycle, i)
		}
	}
	n := uint64(len(cycle))
	order := shuffled(seed, len(cycle), "theme", index/n)
	chosen := cycle[order[index%n]]
	visit := index / n * uint64(themes[chosen].weight)
	for _, at := range order[:index%n] {
		if cycle[at] == chosen {
			visit++
		}
	}
	return themes[chosen], visit
}
