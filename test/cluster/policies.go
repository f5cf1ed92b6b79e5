package cluster

import (
	"context"
	"errors"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/rand"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// markerManifests are policies that act on nothing but the ConfigMap NAME: one adds data to it, the other
// warns of data in it. So a warning proves that both act, whatever other policies do to the same request.
// The bindings stand first because they are deleted first.
const markerManifests = `
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata: {name: NAME}
spec: {policyName: NAME}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: NAME}
spec: {policyName: NAME, validationActions: [Warn]}
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: NAME}
spec:
  reinvocationPolicy: Never
  matchConstraints:
    resourceRules:
    - {apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps], resourceNames: [NAME]}
  mutations:
  - patchType: ApplyConfiguration
    applyConfiguration: {expression: 'Object{data: {"marked": "true"}}'}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: NAME}
spec:
  matchConstraints:
    resourceRules:
    - {apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps], resourceNames: [NAME]}
  validations:
  - {expression: "!has(object.data)", message: NAME}
`

// WaitForPolicies returns once the API server acts on every policy and binding created, changed or
// deleted before the call, which takes up to two seconds. It makes policies of its own and waits until
// they act on a dry run: the API server learns of policies in the order of their changes, so it knows the
// earlier ones by then. Its own ones act on a name that nothing else has, and are deleted in the end.
//
// A mutating policy with an ApplyConfiguration on a custom resource needs the resource's schema too, which
// the API server looks for every five seconds: wait for that with Eventually and a request of the test's own.
func (c *Cluster) WaitForPolicies(ctx context.Context) (err error) {
	name := "marker-" + rand.String(8)
	manifests := []byte(strings.ReplaceAll(markerManifests, "NAME", name))

	defer func() {
		err = errors.Join(err, c.Delete(context.WithoutCancel(ctx), manifests))
	}()
	if err := c.Apply(ctx, manifests); err != nil {
		return err
	}

	warnings := &Warnings{}
	config := rest.CopyConfig(c.Admin.Config)
	config.WarningHandler = warnings
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}

	return Eventually(ctx, func(ctx context.Context) error {
		warnings.Texts = nil
		_, err := client.CoreV1().ConfigMaps(metav1.NamespaceDefault).Create(ctx,
			&corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}},
			metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}},
		)
		// Tests' own policies may well deny the request. The warning comes all the same.
		if !slices.ContainsFunc(warnings.Texts, func(text string) bool { return strings.HasSuffix(text, name) }) {
			return errors.Join(errors.New("the policies made to wait for don't act yet"), err)
		}
		return nil
	})
}
