package simulate

import (
	"strings"
	"testing"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
)

// elsewhere does not match what is simulated.
var elsewhere = strings.Replace(blocking, "resources: [deployments]", "resources: [statefulsets]", 1)

// BenchmarkRun measures one request through each kind of guard, and past one that skips.
func BenchmarkRun(b *testing.B) {
	cases := []struct {
		name, policies, user string
		change               request.Change
		options              Options
	}{
		{"denied", blocking, "dev", set("false"), Options{}},
		{"admitted", blocking, "dev", set("true"), Options{}},
		{"skipped", blocking, "admin", set("false"), Options{}},
		{"mutated", stripping, "dev", set("false"), Options{}},
		{"unmatched", elsewhere, "dev", set("false"), Options{}},
		{"unmatched and explained", elsewhere, "dev", set("false"), Options{Explain: true}},
	}
	for _, c := range cases {
		b.Run(c.name, func(b *testing.B) {
			inv := files(b, objects, c.policies)
			s := simulator(b, inv)
			r := annotate(b, inv, c.user, "web", c.change, request.Options{})
			b.ReportAllocs()
			for b.Loop() {
				s.Run(b.Context(), r, c.options)
			}
		})
	}
}

// BenchmarkNew measures what is done once: compiling a validating and a mutating policy.
func BenchmarkNew(b *testing.B) {
	inv := files(b, objects, blocking, stripping)
	b.ReportAllocs()
	for b.Loop() {
		simulator(b, inv)
	}
}
