package simulate

import (
	"testing"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
)

// BenchmarkRun measures one request through each kind of guard, and past one that skips.
func BenchmarkRun(b *testing.B) {
	cases := []struct {
		name, policies, user string
		change               request.Change
	}{
		{"denied", blocking, "dev", set("false")},
		{"admitted", blocking, "dev", set("true")},
		{"skipped", blocking, "admin", set("false")},
		{"mutated", stripping, "dev", set("false")},
	}
	for _, c := range cases {
		b.Run(c.name, func(b *testing.B) {
			inv := files(b, objects, c.policies)
			s := simulator(b, inv)
			r := annotate(b, inv, c.user, "web", c.change, request.Options{})
			b.ReportAllocs()
			for b.Loop() {
				s.Run(b.Context(), r, Options{})
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
