package guard

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// TestGuardOutlastsTheBudget: a tenant who fills an object with annotations exhausts the cost budget of the plain guard's matchConditions, and
// gets past it. The hardened one refuses or undoes the same.
func TestGuardOutlastsTheBudget(t *testing.T) {
	mutating := "\n  mutateUnauthorizedAnnotationsAddition: true\n"
	guards := []rendered{
		render(t, "budget-10000-removal", valuesOf(t, "patterns-30.yaml"), false),
		render(t, "budget-15000-addition", valuesOf(t, "patterns-60.yaml"), false),
		render(t, "budget-15000-validating", valuesOf(t, "patterns-63.yaml"), true),
		render(t, "budget-15000-mutating", strings.Replace(valuesOf(t, "patterns-63.yaml"), "\n  authorizedUsersRegex", mutating+"  authorizedUsersRegex", 1), true),
	}
	forced := force(t, crowded, guards...)
	dev, add, remove := user("dev"), set("downscaler/downtime", "never"), remove("downscaler/exclude")
	both := request.Change{Set: add.Set, Remove: remove.Remove}
	for _, test := range []struct {
		guard  string
		change request.Change
		want   simulate.Outcome
	}{
		{"budget-10000-removal", remove, simulate.Allowed},
		{"budget-15000-addition", add, simulate.Allowed},
		{"budget-15000-validating", both, simulate.Blocked},
		{"budget-15000-mutating", both, simulate.Altered},
		{"budget-15000-validating", set("example.com/owner", "b"), simulate.Allowed},
		{"budget-15000-mutating", set("example.com/owner", "b"), simulate.Allowed},
	} {
		t.Run(fmt.Sprintf("%s %+v", test.guard, test.change), func(t *testing.T) {
			t.Parallel() // they take seconds each
			f := forced[test.guard]
			question := f.annotating(t, dev, f.get(t, "apps", "deployments", "annotated"), test.change, request.Options{})
			f.ask(t, []posed{{test.guard, dev, question, []simulate.Outcome{test.want}}})
		})
	}
}

func valuesOf(t *testing.T, file string) string {
	t.Helper()
	values, err := os.ReadFile(valuesFolder + file)
	if err != nil {
		t.Fatal(err)
	}
	return string(values)
}

// crowded are annotatedObjects with as many further annotations as the namespace's name says.
func crowded(namespace string) string {
	var number int
	if _, err := fmt.Sscanf(namespace, "guard-budget-%d", &number); err != nil {
		panic(err)
	}
	var junk strings.Builder
	for i := range number {
		fmt.Fprintf(&junk, ", j%05d: ''", i)
	}
	namespaces, deployment, _ := strings.Cut(annotatedObjects(namespace), "---\n")
	return namespaces + "---\n" + strings.Replace(deployment, "example.com/owner: a", "example.com/owner: a"+junk.String(), 1)
}
