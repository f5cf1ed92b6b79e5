package differential

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// generator makes one group. Everything it chooses follows from the seed and the group's index.
type generator struct {
	*rand.Rand
	group Group
	// subjects are the kinds that this group is about.
	subjects []subject
	// pool is what expressions compare with.
	pool
}

// Generate returns the group with an index among those of a seed.
func Generate(seed uint64, index int) Group {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, uint64(index))), pool: samples}
	g.group.About = fmt.Sprintf("seed %d, group %d", seed, index)
	g.namespaces()
	g.chooseSubjects()
	g.storeObjects()
	g.storeParams()
	theme := pick1(g, themes)
	theme.policies(g)
	for range 7 {
		g.group.Requests = append(g.group.Requests, g.request())
	}
	return g.group
}

// theme is what a group of policies is about. Most are mixtures; some need their policies to fit together.
type theme struct {
	weight   int
	policies func(*generator)
}

var themes = weighted([]theme{
	{6, (*generator).validatingOnly},
	{4, (*generator).mutatingOnly},
	{5, (*generator).both},
	{2, (*generator).severalDenials},
	{2, (*generator).sameKey},
	{2, (*generator).reinvoked},
	{1, (*generator).expensive},
})

// weighted repeats each theme as often as its weight says.
func weighted(themes []theme) []theme {
	var repeated []theme
	for _, t := range themes {
		for range t.weight {
			repeated = append(repeated, t)
		}
	}
	return repeated
}

func (g *generator) validatingOnly() {
	for i := range 1 + g.IntN(2) {
		g.add(g.validating(fmt.Sprintf("v%d", i)))
	}
}

func (g *generator) mutatingOnly() { g.add(g.mutating("m0")) }

func (g *generator) both() {
	g.add(g.mutating("m0"))
	g.add(g.validating("v0"))
}

// severalDenials has policies that all deny most requests, with one of whose messages the API server answers.
func (g *generator) severalDenials() {
	for i := range 2 + g.IntN(2) {
		g.add(g.validating(fmt.Sprintf("v%d", i)))
	}
	g.add(g.validating("v9"))
}

func (g *generator) add(policies []Object) { g.group.Policies = append(g.group.Policies, policies...) }

// chance is true once in n times on average.
func (g *generator) chance(n int) bool { return g.IntN(n) == 0 }

// pick1 picks one of several things.
func pick1[T any](g *generator, from []T) T { return from[g.IntN(len(from))] }

// some picks some of several things, at least one, in their order.
func some[T any](g *generator, from []T) []T {
	var picked []T
	for len(picked) == 0 {
		for _, one := range from {
			if g.chance(2) {
				picked = append(picked, one)
			}
		}
	}
	return picked
}

func list[T any](from []T) List {
	all := List{}
	for _, one := range from {
		all = append(all, one)
	}
	return all
}

// quote writes a string as CEL does.
func quote(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`, "\n", `\n`).Replace(s) + "'"
}

// mark is what a feature leaves in the API server's answer when it acted: Coverage looks for it there.
func mark(feature string) string { return "{" + feature + "}" }

func marks(features []string) string {
	var text strings.Builder
	for _, feature := range features {
		text.WriteString(mark(feature))
	}
	return text.String()
}
