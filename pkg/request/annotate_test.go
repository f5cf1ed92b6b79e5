package request

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

var setExclude = Change{Set: map[string]string{"downscaler/exclude": "true"}}

func stored(t *testing.T, value runtime.Object, defaulted bool) inventory.Object {
	t.Helper()
	kind, found := testKinds().ForKind(value.GetObjectKind().GroupVersionKind())
	if !found {
		t.Fatalf("no kind for %T", value)
	}
	return inventory.Object{Kind: kind, Value: value, Defaulted: defaulted}
}

func liveMeta(name string) metav1.ObjectMeta {
	return metav1.ObjectMeta{
		Name: name, Namespace: "team-a", UID: "u", ResourceVersion: "7", Generation: 3, CreationTimestamp: metav1.Unix(1, 0),
		ManagedFields: []metav1.ManagedFieldsEntry{{Manager: "m"}}, OwnerReferences: []metav1.OwnerReference{{Name: "owner"}},
	}
}

func TestAnnotateAsCreate(t *testing.T) {
	job := &batchv1.Job{
		TypeMeta: metav1.TypeMeta{APIVersion: "batch/v1", Kind: "Job"}, ObjectMeta: liveMeta("j"),
		Spec: batchv1.JobSpec{
			Selector: &metav1.LabelSelector{MatchLabels: map[string]string{batchv1.ControllerUidLabel: "u"}},
			Template: corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"mine": "1", "job-name": "j", batchv1.ControllerUidLabel: "u"}}},
		},
		Status: batchv1.JobStatus{Active: 1},
	}
	r, err := Annotate(Requester{}, stored(t, job, true), setExclude, Options{Operation: admission.Create})
	if err != nil {
		t.Fatal(err)
	}
	want := &batchv1.Job{
		TypeMeta: job.TypeMeta,
		ObjectMeta: metav1.ObjectMeta{
			Name: "j", Namespace: "team-a", OwnerReferences: []metav1.OwnerReference{{Name: "owner"}},
			Annotations: map[string]string{"downscaler/exclude": "true"}, Labels: map[string]string{"mine": "1"},
		},
		Spec: batchv1.JobSpec{Template: corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"mine": "1"}}}},
	}
	if diff := cmp.Diff(want, r.Proposed); diff != "" {
		t.Errorf("proposed (-want +got):\n%s", diff)
	}
	if r.Verb != "create" || r.Operation != admission.Create || r.Before != nil {
		t.Errorf("got %s %s, before %v", r.Verb, r.Operation, r.Before)
	}
	if diff := cmp.Diff(createOptions("kubectl-create"), r.Options); diff != "" {
		t.Error(diff)
	}
}

func TestAnnotateRefusesCombinations(t *testing.T) {
	deployment := &appsv1.Deployment{TypeMeta: metav1.TypeMeta{APIVersion: "apps/v1", Kind: "Deployment"}, ObjectMeta: liveMeta("web")}
	configMap := &corev1.ConfigMap{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"}, ObjectMeta: liveMeta("c")}
	service := &corev1.Service{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Service"}, ObjectMeta: liveMeta("s")}
	tests := []struct {
		name    string
		object  runtime.Object
		options Options
		want    string
	}{
		{"unknown subresource", deployment, Options{Subresource: "nope"}, `deployments.apps has no subresource "nope"; it has: scale, status`},
		{"none at all", configMap, Options{Subresource: "status"}, `configmaps has no subresource "status"; it has: none`},
		{"create a status", deployment, Options{Subresource: "status", Operation: admission.Create}, "can only be updated"},
		{"not simulated", service, Options{Subresource: "proxy"}, "services/proxy is not simulated"},
		{"delete with a change", deployment, Options{Operation: admission.Delete}, "a deletion changes no annotations"},
		{"unknown operation", deployment, Options{Operation: "PATCH"}, "--operation patch: there is no such operation"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := Annotate(Requester{}, stored(t, test.object, true), setExclude, test.options)
			checkUsage(t, err, test.want)
		})
	}
}

func TestAnnotateAManifest(t *testing.T) {
	set := &appsv1.DaemonSet{
		TypeMeta: metav1.TypeMeta{APIVersion: "apps/v1", Kind: "DaemonSet"}, ObjectMeta: metav1.ObjectMeta{Name: "d", Namespace: "team-a"},
	}
	object := stored(t, set, false)
	object.Redacted = []string{"spec.template.spec.containers[0].env[0].value"}
	r, err := Annotate(Requester{}, object, setExclude, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !r.Undefaulted || !r.UndefaultedBefore || !r.UndefaultedProposed {
		t.Error("a manifest is not defaulted")
	}
	for _, path := range []string{"metadata.uid", "metadata.resourceVersion", "metadata.creationTimestamp", "metadata.generation", "metadata.managedFields", object.Redacted[0]} {
		if !slices.Contains(r.UnknownBefore, path) || !slices.Contains(r.UnknownProposed, path) {
			t.Errorf("%s is not known; got %v and %v", path, r.UnknownBefore, r.UnknownProposed)
		}
	}
	prepared, err := Prepare(r, r.Proposed)
	if err != nil {
		t.Fatal(err)
	}
	if status := Validate(r, prepared.Object); status != nil {
		t.Errorf("a manifest without resourceVersion is valid; got %s", status.Message)
	}
	if set.Annotations != nil {
		t.Error("the inventory's object changed")
	}
}

func TestPrepareOfAKindNotInTheTable(t *testing.T) {
	configMap := &corev1.ConfigMap{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"}, ObjectMeta: liveMeta("c")}
	r, err := Annotate(Requester{}, stored(t, configMap, true), setExclude, Options{})
	if err != nil {
		t.Fatal(err)
	}
	prepared, err := Prepare(r, r.Proposed)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(prepared.Unknown, "spec") {
		t.Errorf("what its strategy does is not known; got %v", prepared.Unknown)
	}
}

func TestStrategyOfCustomResources(t *testing.T) {
	kind := inventory.Kind{Kind: schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Thing"}}
	if s, known := strategyOf(kind); !known || s.status {
		t.Errorf("without /status the status is like any field; got %+v, %v", s, known)
	}
}
