package policy

import "strings"

// ExhaustsBudget says whether the message of an expression that failed is about what it costs, and not about what it says
// (k8s.io/apiserver/pkg/admission/plugin/cel, activation.go; github.com/google/cel-go/interpreter, runtimecost.go).
func ExhaustsBudget(message string) bool {
	return strings.Contains(message, "cost budget") || strings.Contains(message, "cost limit exceeded")
}
