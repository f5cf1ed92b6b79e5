package differential

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"strings"
)

// generator makes one group. Everything it chooses follows from the seed and the group's index.
type generator struct {
	*rand.Rand
	seed  uint64
	theme theme
	// visit counts the groups of the theme before this one, turns what was picked evenly in this one.
	visit uint64
	turns map[string]uint64
	group Group
	// subjects are the kinds that this group is about.
	subjects []subject
	// generates says that some of the group's objects get generated names. Nobody can know what expressions make of these.
	generates bool
	// pool is what expressions compare with.
	pool
}

// Generate returns the group with an index among those of a seed.
func Generate(seed uint64, index int) Group {
	theme, visit := themeOf(seed, uint64(index))
	g := &generator{
		Rand: rand.New(rand.NewPCG(seed, uint64(index))), seed: seed, theme: theme, visit: visit, turns: map[string]uint64{}, pool: samples,
	}
	g.group.About = fmt.Sprintf("seed %d, group %d: %s", seed, index, theme.name)
	g.generates = g.chance(2)
	g.namespaces()
	g.chooseSubjects(theme.about)
	g.storeObjects()
	g.storeParams()
	theme.policies(g)
	requests := theme.requests
	if requests == nil {
		requests = (*generator).request
	}
	for range 7 {
		g.group.Requests = append(g.group.Requests, requests(g))
	}
	return g.group
}

func (g *generator) add(policies []Object) { g.group.Policies = append(g.group.Policies, policies...) }

// chance is true once in n times on average.
func (g *generator) chance(n int) bool { return g.IntN(n) == 0 }

// pick1 picks one of several things.
func pick1[T any](g *generator, from []T) T { return from[g.IntN(len(from))] }

// evenly picks one of several things so that as many groups of a theme as there are things begin with each of them once, in
// an order that follows from the seed. Within a group the turn goes round. What is picked is told apart by a name.
func evenly[T any](g *generator, name string, from []T) T {
	order := shuffled(g.seed, len(from), g.theme.name, name, g.visit/uint64(len(from)))
	turn := g.turns[name]
	g.turns[name]++
	return from[order[(g.visit+turn)%uint64(len(from))]]
}

// shuffled returns the numbers below n in an order that follows from a seed and what it is for.
func shuffled(seed uint64, n int, what ...any) []int {
	hash := fnv.New64a()
	fmt.Fprint(hash, what...)
	return rand.New(rand.NewPCG(seed, hash.Sum64())).Perm(n)
}

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
