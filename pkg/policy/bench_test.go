package policy

import (
	"fmt"
	"testing"
)

// BenchmarkCompileErrors compiles one policy after another, as an audit does; most define no variables.
func BenchmarkCompileErrors(b *testing.B) {
	for _, variables := range []int{0, 1} {
		b.Run(fmt.Sprintf("%d variables", variables), func(b *testing.B) {
			policy := checked("object.metadata.name != 'a'")
			policy.Spec.Validations[0].MessageExpression = ""
			policy.Spec.Variables = policy.Spec.Variables[:variables]
			for b.Loop() {
				if errs, err := CompileErrors(policy, New, "v1.37.0"); err != nil || len(errs) > 0 {
					b.Fatal(errs, err)
				}
			}
		})
	}
}
