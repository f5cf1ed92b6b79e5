package findings

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"strings"
	"testing"

	authenticationv1 "k8s.io/api/authentication/v1"
	certificatesv1 "k8s.io/api/certificates/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// mayEverywhere gives mallory a role in the whole cluster.
func mayEverywhere(rules string) string {
	return `
{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: way-NS}, rules: [` + rules + `]}
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRoleBinding, metadata: {name: way-NS}, roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: way-NS},
 subjects: [{kind: User, apiGroup: rbac.authorization.k8s.io, name: mallory}]}
`
}

// everywhere is path with a right in the whole cluster.
func everywhere(s situation, rules string) situation {
	s.open, s.closed = mayEverywhere(rules), someoneElse(mayEverywhere(rules))
	return s
}

// in is path with another world and another subject.
func in(world, subject string, s situation) situation {
	s.world, s.subject = world, subject
	return s
}

// ownDeployments is the right to write Deployments.
const ownDeployments = `
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: {name: deploy, namespace: NS}, rules: [{apiGroups: [apps], resources: [deployments], verbs: [get, patch]}]}
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, metadata: {name: deploy, namespace: NS}, roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: deploy}, subjects: [SUBJECT]}
`

var (
	// exemptGroup lets through a group to which nobody has bound a role; mallory may write, and is stopped.
	exemptGroup = guard{exempt: "'platform-NS' in request.userInfo.groups"}.String() +
		strings.ReplaceAll(ownDeployments, "SUBJECT", "{kind: User, apiGroup: rbac.authorization.k8s.io, name: mallory}")
	exemptAccounts = guard{exempt: "'system:serviceaccounts:NS' in request.userInfo.groups"}.String() +
		strings.ReplaceAll(ownDeployments, "SUBJECT", `{kind: Group, apiGroup: rbac.authorization.k8s.io, name: "system:serviceaccounts:NS"}`)
	runningDeployer = exemptDeployer + `
---
{apiVersion: v1, kind: Pod, metadata: {name: runner, namespace: NS}, spec: {serviceAccountName: deployer, containers: [{name: main, image: kubectl}]}}
`
)

var furtherPathSituations = []situation{
	everywhere(in(exemptGroup, "Group platform-NS", path("with-ones-own-name", "Adding an annotation as oneself and with an authorised group, which has no rights, by impersonating both", "", asOneself)),
		`{apiGroups: [""], resources: [groups, users], resourceNames: [platform-NS, mallory], verbs: [impersonate]}`),
	path("template", "Giving an authorised account to the pods of a Deployment that is there", `{apiGroups: [apps], resources: [deployments], verbs: [patch]}`, byTemplate),
	in(runningDeployer, "ServiceAccount NS deployer",
		path("exec", "Running a command in a pod that runs as an authorised account", `{apiGroups: [""], resources: [pods/exec], verbs: [create]}`, byExec)),
	in(exemptAccounts, "Group system:serviceaccounts:NS",
		path("account", "Adding an annotation as a new account of a namespace whose accounts are authorised", `{apiGroups: [""], resources: [serviceaccounts, serviceaccounts/token], verbs: [create]}`, byAccount)),
	everywhere(path("certificate", "Approving a client certificate in an authorised account's name for oneself", "", byCertificate),
		`{apiGroups: [certificates.k8s.io], resources: [certificatesigningrequests, certificatesigningrequests/approval], verbs: [create, update]}, `+
			`{apiGroups: [certificates.k8s.io], resources: [signers], resourceNames: [kubernetes.io/kube-apiserver-client], verbs: [approve]}`),
}

func asOneself(ctx context.Context, _ *testing.T, p place, config *rest.Config) error {
	config = rest.CopyConfig(config)
	config.Impersonate = rest.ImpersonationConfig{UserName: "mallory", Groups: []string{"platform-" + p.namespace}}
	return annotate(ctx, config, p.namespace)
}

func byTemplate(ctx context.Context, _ *testing.T, p place, config *rest.Config) error {
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	_, err = client.AppsV1().Deployments(p.namespace).Patch(ctx, "web", types.MergePatchType,
		[]byte(`{"spec":{"template":{"spec":{"serviceAccountName":"deployer"}}}}`), metav1.PatchOptions{DryRun: []string{metav1.DryRunAll}})
	return err
}

// byExec gets as far as to a pod that no machine runs here.
func byExec(ctx context.Context, _ *testing.T, p place, config *rest.Config) error {
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	err = client.CoreV1().RESTClient().Post().Namespace(p.namespace).Resource("pods").Name("runner").SubResource("exec").
		Param("command", "true").Param("container", "main").Param("stdout", "true").Do(ctx).Error()
	if apierrors.IsBadRequest(err) && strings.Contains(err.Error(), "host") {
		return nil
	}
	return err
}

func byAccount(ctx context.Context, t *testing.T, p place, config *rest.Config) error {
	t.Helper()
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	created, err := client.CoreV1().ServiceAccounts(p.namespace).Create(ctx, &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{GenerateName: "mine-"}}, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	request, err := client.CoreV1().ServiceAccounts(p.namespace).CreateToken(ctx, created.Name, &authenticationv1.TokenRequest{}, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	config = rest.AnonymousClientConfig(config)
	config.BearerToken = request.Status.Token
	return annotate(ctx, config, p.namespace)
}

// byCertificate requests and approves one; nothing here signs it.
func byCertificate(ctx context.Context, t *testing.T, p place, config *rest.Config) error {
	t.Helper()
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	subject := pkix.Name{CommonName: "system:serviceaccount:" + p.namespace + ":deployer"}
	der, err := x509.CreateCertificateRequest(rand.Reader, &x509.CertificateRequest{Subject: subject}, key)
	if err != nil {
		return err
	}
	request, err := client.CertificatesV1().CertificateSigningRequests().Create(ctx, &certificatesv1.CertificateSigningRequest{
		ObjectMeta: metav1.ObjectMeta{GenerateName: "mallory-"},
		Spec: certificatesv1.CertificateSigningRequestSpec{
			Request:    pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE REQUEST", Bytes: der}),
			SignerName: certificatesv1.KubeAPIServerClientSignerName, Usages: []certificatesv1.KeyUsage{certificatesv1.UsageClientAuth},
		},
	}, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	admin, err := kubernetes.NewForConfig(p.server.Admin.Config)
	if err != nil {
		return err
	}
	t.Cleanup(func() {
		if err := admin.CertificatesV1().CertificateSigningRequests().Delete(context.WithoutCancel(ctx), request.Name, metav1.DeleteOptions{}); err != nil {
			t.Error(err)
		}
	})
	request.Status.Conditions = []certificatesv1.CertificateSigningRequestCondition{{Type: certificatesv1.CertificateApproved, Status: corev1.ConditionTrue, Reason: "Approved"}}
	_, err = client.CertificatesV1().CertificateSigningRequests().UpdateApproval(ctx, request.Name, request, metav1.UpdateOptions{})
	return err
}

// becoming is the situation of mallory, who may become an administrator.
func becoming(variant, leak, subject, rules string, way func(context.Context, place, *rest.Config) error, shown proof) situation {
	return situation{
		rule: "policy-editable", variant: variant, leak: leak, mend: "no such right", world: guard{}.String(), subject: subject,
		open: mayEverywhere(rules), closed: someoneElse(mayEverywhere(rules)), proof: shown,
		leaks: func(t *testing.T, p place) bool {
			t.Helper()
			return passed(t, way(t.Context(), p, p.user(t, "mallory").Config))
		},
	}
}

var becomingSituations = []situation{
	becoming("masters", "Changing the binding as a member of `system:masters`, by impersonation", "Group system:masters",
		`{apiGroups: [""], resources: [groups, users], resourceNames: ["system:masters", zed], verbs: [impersonate]}`,
		func(ctx context.Context, _ place, config *rest.Config) error {
			config = rest.CopyConfig(config)
			config.Impersonate = rest.ImpersonationConfig{UserName: "zed", Groups: []string{"system:masters"}}
			client, err := kubernetes.NewForConfig(config)
			if err != nil {
				return err
			}
			_, err = client.AdmissionregistrationV1().ValidatingAdmissionPolicyBindings().Patch(ctx, "guard", types.MergePatchType,
				[]byte(`{"spec":{"validationActions":["Audit"]}}`), metav1.PatchOptions{DryRun: []string{metav1.DryRunAll}})
			return err
		}, passes),
	becoming("bind", "Giving oneself the role `cluster-admin`, with the right to bind it", "User mallory",
		`{apiGroups: [rbac.authorization.k8s.io], resources: [clusterroles, clusterrolebindings], verbs: [bind, create]}`,
		func(ctx context.Context, _ place, config *rest.Config) error {
			client, err := kubernetes.NewForConfig(config)
			if err != nil {
				return err
			}
			_, err = client.RbacV1().ClusterRoleBindings().Create(ctx, &rbacv1.ClusterRoleBinding{
				ObjectMeta: metav1.ObjectMeta{GenerateName: "mine-"}, RoleRef: rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: "cluster-admin"},
				Subjects: []rbacv1.Subject{{Kind: rbacv1.UserKind, APIGroup: rbacv1.GroupName, Name: "mallory"}},
			}, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
			return err
		}, prints("downscaler-compliance audit", "user mallory (bind ")),
	becoming("escalate", "Writing every right into one's own role, with the right to escalate it", "User mallory",
		`{apiGroups: [rbac.authorization.k8s.io], resources: [clusterroles], resourceNames: [way-NS], verbs: [escalate, patch]}`,
		func(ctx context.Context, p place, config *rest.Config) error {
			client, err := kubernetes.NewForConfig(config)
			if err != nil {
				return err
			}
			_, err = client.RbacV1().ClusterRoles().Patch(ctx, "way-"+p.namespace, types.MergePatchType,
				[]byte(`{"rules":[{"apiGroups":["*"],"resources":["*"],"verbs":["*"]}]}`), metav1.PatchOptions{DryRun: []string{metav1.DryRunAll}})
			return err
		}, prints("downscaler-compliance audit", "user mallory (escalate ")),
}
