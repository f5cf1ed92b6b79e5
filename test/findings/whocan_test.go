package findings

import (
	"context"
	"fmt"
	"strings"
	"testing"

	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/test/cluster"
)

// exemptDeployer is a guard that lets one service account through, and the right of that account to do what the guard is about.
var exemptDeployer = guard{exempt: "request.userInfo.username == 'system:serviceaccount:NS:deployer'"}.String() + `
---
{apiVersion: v1, kind: ServiceAccount, metadata: {name: deployer, namespace: NS}}
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: {name: deploy, namespace: NS}, rules: [{apiGroups: [apps], resources: [deployments], verbs: [get, patch]}]}
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, metadata: {name: deploy, namespace: NS}, roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: deploy},
 subjects: [{kind: ServiceAccount, name: deployer, namespace: NS}]}
`

// mayIn gives mallory a role in the namespace.
func mayIn(rules string) string {
	return `
{apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: {name: way, namespace: NS}, rules: [` + rules + `]}
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, metadata: {name: way, namespace: NS}, roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: way},
 subjects: [{kind: User, apiGroup: rbac.authorization.k8s.io, name: mallory}]}
`
}

// someoneElse may have the right where the situation is closed: mallory has none.
func someoneElse(open string) string {
	return strings.ReplaceAll(open, "name: mallory", "name: \"system:kube-controller-manager\"")
}

func TestPrivilegedPath(t *testing.T) {
	const impersonates = `{apiGroups: [""], resources: [serviceaccounts], resourceNames: [deployer], verbs: [impersonate]}`
	const constrained = `{apiGroups: [authentication.k8s.io], resources: [serviceaccounts], resourceNames: [deployer], verbs: ["impersonate:serviceaccount"]}, ` +
		`{apiGroups: [apps], resources: [deployments], verbs: ["impersonate-on:serviceaccount:patch"]}`
	for name, test := range map[string]struct {
		rules string
		way   func(context.Context, *rest.Config, string) error
	}{
		"impersonate":             {impersonates, impersonating},
		"impersonate constrained": {constrained, constrainedly},
		"token":                   {`{apiGroups: [""], resources: [serviceaccounts/token], verbs: [create]}`, byToken},
		"pod":                     {`{apiGroups: [""], resources: [pods], verbs: [create]}`, byPod},
	} {
		t.Run(name, func(t *testing.T) {
			mallory, err := server.AddUser("mallory")
			if err != nil {
				t.Fatal(err)
			}
			situation{
				rule: "privileged-path", world: exemptDeployer, subject: "ServiceAccount NS deployer",
				open: mayIn(test.rules), closed: someoneElse(mayIn(test.rules)),
				leaks: func(t *testing.T, namespace string) bool {
					t.Helper()
					if err := annotate(t.Context(), mallory.Config, namespace); !apierrors.IsForbidden(err) {
						t.Errorf("mallory herself: %v", err)
					}
					return passed(t, test.way(t.Context(), mallory.Config, namespace))
				},
			}.try(t)
		})
	}
}

// passed says whether a request was stored; that it is forbidden is the other answer.
func passed(t *testing.T, err error) bool {
	t.Helper()
	if err != nil && !apierrors.IsForbidden(err) {
		t.Fatal(err)
	}
	return err == nil
}

// annotate makes the change that the guard is about, by dry run.
func annotate(ctx context.Context, config *rest.Config, namespace string) error {
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	_, err = client.AppsV1().Deployments(namespace).Patch(ctx, "web", types.MergePatchType,
		[]byte(`{"metadata":{"annotations":{"downscaler/exclude":"true"}}}`), metav1.PatchOptions{DryRun: []string{metav1.DryRunAll}})
	return err
}

func impersonating(ctx context.Context, config *rest.Config, namespace string) error {
	config = rest.CopyConfig(config)
	config.Impersonate.UserName = "system:serviceaccount:" + namespace + ":deployer"
	return annotate(ctx, config, namespace)
}

// constrainedly impersonates once the API server has noticed what mallory may do: it remembers for a while whom it has let impersonate.
func constrainedly(ctx context.Context, config *rest.Config, namespace string) (err error) {
	client, clientErr := kubernetes.NewForConfig(server.Admin.Config)
	if clientErr != nil {
		return clientErr
	}
	review := &authorizationv1.SubjectAccessReview{Spec: authorizationv1.SubjectAccessReviewSpec{
		User: "mallory", ResourceAttributes: &authorizationv1.ResourceAttributes{
			Group: authenticationv1.GroupName, Resource: "serviceaccounts", Verb: "impersonate:serviceaccount", Namespace: namespace, Name: "deployer",
		},
	}}
	waited := cluster.Eventually(ctx, func(ctx context.Context) error {
		answer, reviewErr := client.AuthorizationV1().SubjectAccessReviews().Create(ctx, review, metav1.CreateOptions{})
		if reviewErr != nil {
			return reviewErr
		}
		if err = impersonating(ctx, config, namespace); (err == nil) != answer.Status.Allowed {
			return fmt.Errorf("mallory may impersonate: %v; and impersonates: %v", answer.Status.Allowed, err == nil)
		}
		return nil
	})
	if waited != nil {
		return waited
	}
	return err
}

func byToken(ctx context.Context, config *rest.Config, namespace string) error {
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	request, err := client.CoreV1().ServiceAccounts(namespace).CreateToken(ctx, "deployer", &authenticationv1.TokenRequest{}, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	config = rest.AnonymousClientConfig(config)
	config.BearerToken = request.Status.Token
	return annotate(ctx, config, namespace)
}

// byPod creates a pod that would run as the account: nothing runs it here.
func byPod(ctx context.Context, config *rest.Config, namespace string) error {
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: "as-deployer"},
		Spec:       corev1.PodSpec{ServiceAccountName: "deployer", Containers: []corev1.Container{{Name: "main", Image: "kubectl"}}},
	}
	_, err = client.CoreV1().Pods(namespace).Create(ctx, pod, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
	return err
}

func TestPolicyEditable(t *testing.T) {
	const editor = `
{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: editor}, rules: [{apiGroups: [admissionregistration.k8s.io], resources: [validatingadmissionpolicybindings], verbs: [patch]}]}
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRoleBinding, metadata: {name: editor}, roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: editor},
 subjects: [{kind: User, apiGroup: rbac.authorization.k8s.io, name: mallory}]}
`
	mallory, err := server.AddUser("mallory")
	if err != nil {
		t.Fatal(err)
	}
	situation{
		rule: "policy-editable", world: guard{}.String(), subject: "ClusterRoleBinding editor", open: editor, closed: someoneElse(editor),
		leaks: func(t *testing.T, _ string) bool {
			t.Helper()
			client, err := kubernetes.NewForConfig(mallory.Config)
			if err != nil {
				t.Fatal(err)
			}
			_, err = client.AdmissionregistrationV1().ValidatingAdmissionPolicyBindings().Patch(t.Context(), "guard", types.MergePatchType,
				[]byte(`{"spec":{"validationActions":["Audit"]}}`), metav1.PatchOptions{DryRun: []string{metav1.DryRunAll}})
			return passed(t, err)
		},
	}.try(t)
}

// Parameters of a guard are as good as the guard. Each test server forgets ConfigMaps once nothing that is bound names them, so that here the
// guard is the same on both sides.
func TestPolicyEditableParameters(t *testing.T) {
	const exempting = `
{apiVersion: v1, kind: ConfigMap, metadata: {name: exempt, namespace: NS}, data: {users: "user1"}}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: guard}
spec:
  failurePolicy: Fail
  paramKind: {apiVersion: v1, kind: ConfigMap}
  matchConstraints: {resourceRules: [{apiGroups: [apps], apiVersions: ["*"], operations: [CREATE, UPDATE], resources: [deployments, deployments/status]}]}
  validations: [{expression: "request.userInfo.username in params.data.users.split(',') || !has(object.metadata.annotations) || !object.metadata.annotations.exists(k, k.startsWith('downscaler/'))"}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: guard}
spec: {policyName: guard, validationActions: [Deny], paramRef: {name: exempt, namespace: NS, parameterNotFoundAction: Deny}}
`
	mallory, err := server.AddUser("mallory")
	if err != nil {
		t.Fatal(err)
	}
	open := mayIn(`{apiGroups: [""], resources: [configmaps], resourceNames: [exempt], verbs: [patch]}`)
	situation{
		rule: "policy-editable", world: exempting, subject: "ValidatingAdmissionPolicyBinding guard spec.paramRef", open: open, closed: someoneElse(open),
		leaks: func(t *testing.T, namespace string) bool {
			t.Helper()
			client, err := kubernetes.NewForConfig(mallory.Config)
			if err != nil {
				t.Fatal(err)
			}
			_, err = client.CoreV1().ConfigMaps(namespace).Patch(t.Context(), "exempt", types.MergePatchType,
				[]byte(fmt.Sprintf(`{"data":{"users":%q}}`, "user1,mallory")), metav1.PatchOptions{DryRun: []string{metav1.DryRunAll}})
			return passed(t, err)
		},
	}.try(t)
}
