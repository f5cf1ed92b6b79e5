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

// path is the situation of mallory, whom the guard stops, and who may act as the account that it lets through.
func path(variant, leak, rules string, way func(context.Context, *testing.T, place, *rest.Config) error) situation {
	return situation{
		rule: "privileged-path", variant: variant, leak: leak, mend: "no such right", world: exemptDeployer, subject: "ServiceAccount NS deployer",
		open: mayIn(rules), closed: someoneElse(mayIn(rules)), proof: prints("downscaler-compliance who-can", "mallory"),
		leaks: func(t *testing.T, p place) bool {
			t.Helper()
			mallory := p.user(t, "mallory")
			if passed(t, annotate(t.Context(), mallory.Config, p.namespace)) {
				t.Error("mallory gets through herself")
			}
			return passed(t, way(t.Context(), t, p, mallory.Config))
		},
	}
}

var pathSituations = []situation{
	path("impersonate", "Adding an annotation by impersonating an authorised account",
		`{apiGroups: [""], resources: [serviceaccounts], resourceNames: [deployer], verbs: [impersonate]}`, impersonating),
	firstMended(path("constrained-impersonation", "Adding an annotation by impersonating an authorised account, with the constrained verbs",
		`{apiGroups: [authentication.k8s.io], resources: [serviceaccounts], resourceNames: [deployer], verbs: ["impersonate:serviceaccount"]}, `+
			`{apiGroups: [apps], resources: [deployments], verbs: ["impersonate-on:serviceaccount:patch"]}`, constrainedly)),
	path("token", "Adding an annotation with a token that was made for an authorised account",
		`{apiGroups: [""], resources: [serviceaccounts/token], verbs: [create]}`, byToken),
	path("pod", "Creating a pod that runs as an authorised account",
		`{apiGroups: [""], resources: [pods], verbs: [create]}`, byPod),
}

// firstMended: the API server remembers for ten seconds whom it has let impersonate.
func firstMended(s situation) situation {
	s.mendedFirst = true
	return s
}

// passed says whether a request was stored; that authorization or a policy refuses it is the other answer.
func passed(t *testing.T, err error) bool {
	t.Helper()
	if err != nil && !apierrors.IsForbidden(err) && !apierrors.IsInvalid(err) {
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

func impersonating(ctx context.Context, _ *testing.T, p place, config *rest.Config) error {
	config = rest.CopyConfig(config)
	config.Impersonate.UserName = "system:serviceaccount:" + p.namespace + ":deployer"
	return annotate(ctx, config, p.namespace)
}

// constrainedly impersonates once the API server has noticed what mallory may do.
func constrainedly(ctx context.Context, t *testing.T, p place, config *rest.Config) (err error) {
	t.Helper()
	client, clientErr := kubernetes.NewForConfig(p.server.Admin.Config)
	if clientErr != nil {
		return clientErr
	}
	review := &authorizationv1.SubjectAccessReview{Spec: authorizationv1.SubjectAccessReviewSpec{
		User: "mallory", ResourceAttributes: &authorizationv1.ResourceAttributes{
			Group: authenticationv1.GroupName, Resource: "serviceaccounts", Verb: "impersonate:serviceaccount", Namespace: p.namespace, Name: "deployer",
		},
	}}
	waited := cluster.Eventually(ctx, func(ctx context.Context) error {
		answer, reviewErr := client.AuthorizationV1().SubjectAccessReviews().Create(ctx, review, metav1.CreateOptions{})
		if reviewErr != nil {
			return reviewErr
		}
		if err = impersonating(ctx, t, p, config); (err == nil) != answer.Status.Allowed {
			return fmt.Errorf("mallory may impersonate: %v; and impersonates: %v", answer.Status.Allowed, err == nil)
		}
		return nil
	})
	if waited != nil {
		return waited
	}
	return err
}

func byToken(ctx context.Context, _ *testing.T, p place, config *rest.Config) error {
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	request, err := client.CoreV1().ServiceAccounts(p.namespace).CreateToken(ctx, "deployer", &authenticationv1.TokenRequest{}, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	config = rest.AnonymousClientConfig(config)
	config.BearerToken = request.Status.Token
	return annotate(ctx, config, p.namespace)
}

// byPod creates a pod that would run as the account: nothing runs it here.
func byPod(ctx context.Context, _ *testing.T, p place, config *rest.Config) error {
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: "as-deployer"},
		Spec:       corev1.PodSpec{ServiceAccountName: "deployer", Containers: []corev1.Container{{Name: "main", Image: "kubectl"}}},
	}
	_, err = client.CoreV1().Pods(p.namespace).Create(ctx, pod, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
	return err
}

const editor = `
{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: editor}, rules: [{apiGroups: [admissionregistration.k8s.io], resources: [validatingadmissionpolicybindings], verbs: [patch]}]}
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRoleBinding, metadata: {name: editor}, roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: editor},
 subjects: [{kind: User, apiGroup: rbac.authorization.k8s.io, name: mallory}]}
`

// Each test server forgets ConfigMaps once nothing that is bound names them, so that the guard by a parameter is the same on both sides.
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

const configMapEditor = `{apiGroups: [""], resources: [configmaps], resourceNames: [exempt], verbs: [patch]}`

var editableSituations = []situation{
	{
		rule: "policy-editable", variant: "binding", world: guard{}.String(), subject: "ClusterRoleBinding editor", open: editor, closed: someoneElse(editor),
		leak: "Changing the binding's `validationActions` to `Audit`, by someone who is no administrator", mend: "no such right",
		leaks: func(t *testing.T, p place) bool {
			t.Helper()
			client, err := kubernetes.NewForConfig(p.user(t, "mallory").Config)
			if err != nil {
				t.Fatal(err)
			}
			_, err = client.AdmissionregistrationV1().ValidatingAdmissionPolicyBindings().Patch(t.Context(), "guard", types.MergePatchType,
				[]byte(`{"spec":{"validationActions":["Audit"]}}`), metav1.PatchOptions{DryRun: []string{metav1.DryRunAll}})
			return passed(t, err)
		},
	},
	{
		rule: "policy-editable", variant: "parameter", world: exempting, subject: "ValidatingAdmissionPolicyBinding guard spec.paramRef",
		open: mayIn(configMapEditor), closed: someoneElse(mayIn(configMapEditor)),
		leak: "Writing oneself into the ConfigMap by which the guard decides", mend: "no such right",
		leaks: func(t *testing.T, p place) bool {
			t.Helper()
			client, err := kubernetes.NewForConfig(p.user(t, "mallory").Config)
			if err != nil {
				t.Fatal(err)
			}
			_, err = client.CoreV1().ConfigMaps(p.namespace).Patch(t.Context(), "exempt", types.MergePatchType,
				[]byte(`{"data":{"users":"user1,mallory"}}`), metav1.PatchOptions{DryRun: []string{metav1.DryRunAll}})
			return passed(t, err)
		},
	},
}
