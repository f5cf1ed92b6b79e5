package authorization

import (
	"encoding/json"
	"flag"
	"os"
	"testing"

	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

var kubernetesAnswers = flag.String("kubernetes-answers", "", "compare with the answers in this file, which the test in test/controlplane writes")

// kubernetesWorld is what test/controlplane draws, with Kubernetes' answers.
type kubernetesWorld struct {
	inventory.RBAC
	Aggregate bool
	Questions []struct {
		User     string
		Groups   []string
		Verb     string
		Resource bool

		Group, Name, Namespace, Kind, Subresource, Path string

		Decision, Reason, Err string
	}
}

// TestLikeKubernetes compares decisions and reasons with those of Kubernetes' own authorizer. To run it:
//
//	cd test/controlplane && go test -count=1 -v .
func TestLikeKubernetes(t *testing.T) {
	if *kubernetesAnswers == "" {
		t.Skip("run by the test in test/controlplane")
	}
	text, err := os.ReadFile(*kubernetesAnswers)
	if err != nil {
		t.Fatal(err)
	}
	var worlds []kubernetesWorld
	if err := json.Unmarshal(text, &worlds); err != nil {
		t.Fatal(err)
	}
	compared := 0
	for i := range worlds {
		worlds[i].compare(t, i)
		compared += len(worlds[i].Questions)
	}
	t.Logf("%d answers compared", compared)
	if compared == 0 {
		t.Error("there is nothing to compare with")
	}
}

func (w *kubernetesWorld) compare(t *testing.T, number int) {
	t.Helper()
	objects := &w.RBAC
	if w.Aggregate {
		objects = objects.Aggregate()
	}
	rbac := NewRBAC(objects)
	for _, q := range w.Questions {
		decision, reason, err := rbac.Authorize(t.Context(), authorizer.AttributesRecord{
			User: &user.DefaultInfo{Name: q.User, Groups: q.Groups}, Verb: q.Verb, ResourceRequest: q.Resource, Path: q.Path,
			APIGroup: q.Group, Resource: q.Kind, Subresource: q.Subresource, Namespace: q.Namespace, Name: q.Name,
		})
		if decision.String() != q.Decision || reason != q.Reason || (err == nil) != (q.Err == "") {
			t.Errorf("world %d, %+v: the plugin says %s %q %v", number, q, decision, reason, err)
		}
	}
}
