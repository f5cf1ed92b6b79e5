package e2e

import (
	"context"
	"strings"
	"testing"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/policy"
)

// TestNewFeaturesAreNotTakenAtOnce: the API server refuses a new policy with a function that its own version brought, as the plugin says.
func TestNewFeaturesAreNotTakenAtOnce(t *testing.T) {
	client, err := kubernetes.NewForConfig(server.Admin.Config)
	if err != nil {
		t.Fatal(err)
	}
	version, err := client.Discovery().ServerVersion()
	if err != nil {
		t.Fatal(err)
	}
	for expression, refused := range map[string]bool{
		"[1].includes(1)":               true, // of Kubernetes 1.37
		"[[1], []].flatten() == [1]":    false,
		"isSemver('1.2.3')":             false,
		"object.metadata.name.nothing(": true,
	} {
		t.Run(expression, func(t *testing.T) {
			p := &admissionregistrationv1.ValidatingAdmissionPolicy{
				ObjectMeta: metav1.ObjectMeta{Name: "language"},
				Spec: admissionregistrationv1.ValidatingAdmissionPolicySpec{
					MatchConstraints: &admissionregistrationv1.MatchResources{ResourceRules: []admissionregistrationv1.NamedRuleWithOperations{{
						RuleWithOperations: admissionregistrationv1.RuleWithOperations{
							Operations: []admissionregistrationv1.OperationType{admissionregistrationv1.Create},
							Rule:       admissionregistrationv1.Rule{APIGroups: []string{"apps"}, APIVersions: []string{"v1"}, Resources: []string{"deployments"}},
						},
					}}},
					Validations: []admissionregistrationv1.Validation{{Expression: expression}},
				},
			}
			_, refusal := client.AdmissionregistrationV1().ValidatingAdmissionPolicies().Create(context.Background(), p, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
			errs, err := policy.CompileErrors(p, policy.New, version.GitVersion)
			if err != nil {
				t.Fatal(err)
			}
			if (refusal != nil) != refused || (len(errs) > 0) != refused {
				t.Fatalf("the API server: %v; here: %v", refusal, errs)
			}
			if refused && !strings.Contains(refusal.Error(), strings.TrimSpace(errs[0].Message)) {
				t.Errorf("the API server: %v; here: %v", refusal, errs)
			}
		})
	}
}
