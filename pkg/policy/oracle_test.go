package policy

import (
	"context"
	"errors"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/api/meta/testrestmapper"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/warning"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	dynamicfake "k8s.io/client-go/dynamic/fake"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/openapi"
	"k8s.io/client-go/openapi/openapitest"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// nobody is an authorizer that allows nothing.
type nobody struct{}

func (nobody) Authorize(context.Context, authorizer.Attributes) (authorizer.Decision, string, error) {
	return authorizer.DecisionNoOpinion, "", nil
}

// answer is what a request comes to, as both sides tell it.
type answer struct {
	Message     string
	Reason      metav1.StatusReason
	Code        int32
	Annotations map[string]string
	Warnings    []string
	Audit       map[string]string
}

// oracle is the pair of the API server's own admission plugins, whole, over a fake clientset.
type oracle struct {
	validating *validating.Plugin
	mutating   *mutating.Plugin
}

func newOracle(t *testing.T, c *cluster, policies *inventory.Policies) oracle {
	t.Helper()
	var objects []runtime.Object
	for _, n := range c.namespaces {
		objects = append(objects, n)
	}
	for _, p := range c.params { // which a real client decodes without their kind
		p = p.DeepCopyObject()
		p.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{})
		objects = append(objects, p)
	}
	for _, p := range policies.Validating {
		objects = append(objects, p)
	}
	for _, b := range policies.ValidatingBindings {
		objects = append(objects, b)
	}
	for _, p := range policies.Mutating {
		objects = append(objects, p)
	}
	for _, b := range policies.MutatingBindings {
		objects = append(objects, b)
	}
	client := fake.NewClientset(objects...)
	factory := informers.NewSharedInformerFactory(client, 0)
	v, err := validating.NewPlugin(nil)
	if err != nil {
		t.Fatal(err)
	}
	m, err := mutating.NewPlugin(nil)
	if err != nil {
		t.Fatal(err)
	}
	m.SetEnabled(true)
	stop := make(chan struct{})
	t.Cleanup(func() { close(stop) })
	for _, p := range []wholePlugin{v, m} {
		p.SetExternalKubeClientSet(clientWithSchemas{client})
		p.SetExternalKubeInformerFactory(factory)
		p.SetRESTMapper(testrestmapper.TestOnlyStaticRESTMapper(scheme.Scheme))
		p.SetDynamicClient(dynamicfake.NewSimpleDynamicClient(scheme.Scheme))
		p.SetDrainedNotification(stop)
		p.SetUnconditionalAuthorizer(nobody{})
		if err := p.ValidateInitialization(); err != nil {
			t.Fatal(err)
		}
	}
	factory.Start(stop)
	factory.WaitForCacheSync(stop)
	return oracle{v, m}
}

// wholePlugin is what both plugins want to be given before they run.
type wholePlugin interface {
	SetExternalKubeClientSet(kubernetes.Interface)
	SetExternalKubeInformerFactory(informers.SharedInformerFactory)
	SetRESTMapper(meta.RESTMapper)
	SetDynamicClient(dynamic.Interface)
	SetDrainedNotification(<-chan struct{})
	SetUnconditionalAuthorizer(authorizer.UnconditionalAuthorizer)
	ValidateInitialization() error
}

// clientWithSchemas is a fake client whose discovery has the schemas of the built-in kinds.
type clientWithSchemas struct{ *fake.Clientset }

func (c clientWithSchemas) Discovery() discovery.DiscoveryInterfaces {
	return schemas{c.Clientset.Discovery()}
}

type schemas struct{ discovery.DiscoveryInterfaces }

func (schemas) OpenAPIV3() openapi.Client { return openapitest.NewEmbeddedFileClient() }

// decide sends a request through both plugins as the API server's admission chain does.
func (o oracle) decide(t *testing.T, r Request, c *cluster) answer {
	t.Helper()
	if r.Object != nil {
		r.Object = r.Object.DeepCopyObject()
	}
	attributes := r.attributes()
	set := &Set{state: c}
	interfaces := set.objectInterfaces(deployment(), set.newConvertor(t.Context()))
	var warnings warningList
	ctx := warning.WithWarningRecorder(t.Context(), &warnings)
	err := o.admit(ctx, attributes, interfaces)
	if err == nil {
		err = o.validating.Validate(ctx, attributes, interfaces)
	}
	a := answer{Warnings: warnings, Audit: attributes.auditAnnotations, Annotations: Annotations(attributes.GetObject())}
	a.fail(err)
	return a
}

func (o oracle) admit(ctx context.Context, attributes *attributes, interfaces admission.ObjectInterfaces) error {
	if !o.mutating.Handles(attributes.GetOperation()) {
		return nil
	}
	if err := o.mutating.Admit(ctx, attributes, interfaces); err != nil {
		return err
	}
	if !attributes.GetReinvocationContext().ShouldReinvoke() {
		return nil
	}
	attributes.GetReinvocationContext().SetIsReinvoke()
	return o.mutating.Admit(ctx, attributes, interfaces)
}

func (a *answer) fail(err error) {
	var status apierrors.APIStatus
	if errors.As(err, &status) {
		s := status.Status()
		a.Message, a.Reason, a.Code = s.Message, s.Reason, s.Code
	}
}

// ours sends the same request through a Set.
func ours(t *testing.T, set *Set, r Request) (answer, []Step) {
	t.Helper()
	object, mutated := set.Mutate(t.Context(), r)
	a := answer{Audit: mutated.AuditAnnotations, Annotations: Annotations(object)}
	steps := mutated.Steps
	statuses := mutated.Statuses
	if len(statuses) == 0 {
		r.Object = object
		verdict := set.Validate(t.Context(), r)
		a.Warnings = verdict.Warnings
		maps.Copy(a.Audit, verdict.AuditAnnotations)
		steps = append(steps, verdict.Steps...)
		statuses = verdict.Statuses
	}
	if len(statuses) > 0 {
		a.Message, a.Reason, a.Code = statuses[0].Message, statuses[0].Reason, statuses[0].Code
	}
	return a, steps
}

// compare fails the test where the two sides differ.
func compare(t *testing.T, want, got answer) {
	t.Helper()
	slices.Sort(want.Warnings)
	slices.Sort(got.Warnings)
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("the plugins (-) and the set (+) differ:\n%s", diff)
	}
}
