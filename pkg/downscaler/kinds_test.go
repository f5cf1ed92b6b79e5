package downscaler

import (
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

func TestKinds(t *testing.T) {
	want := map[string]string{
		"deployments":              "apps/v1, Kind=Deployment",
		"statefulsets":             "apps/v1, Kind=StatefulSet",
		"daemonsets":               "apps/v1, Kind=DaemonSet",
		"cronjobs":                 "batch/v1, Kind=CronJob",
		"jobs":                     "batch/v1, Kind=Job",
		"horizontalpodautoscalers": "autoscaling/v2, Kind=HorizontalPodAutoscaler",
		"poddisruptionbudgets":     "policy/v1, Kind=PodDisruptionBudget",
		"services":                 "/v1, Kind=Service",
		"awselbservices":           "/v1, Kind=Service",
		"awsnlbservices":           "/v1, Kind=Service",
		"ingresses":                "networking.k8s.io/v1, Kind=Ingress",
		"gateways":                 "gateway.networking.k8s.io/v1, Kind=Gateway",
		"scaledobjects":            "keda.sh/v1alpha1, Kind=ScaledObject",
		"rollouts":                 "argoproj.io/v1alpha1, Kind=Rollout",
		"stacks":                   "zalando.org/v1, Kind=Stack",
		"prometheuses":             "monitoring.coreos.com/v1, Kind=Prometheus",
		"autoscalingrunnersets":    "actions.github.com/v1alpha1, Kind=AutoscalingRunnerSet",
		"postgresqls":              "acid.zalan.do/v1, Kind=postgresql",
		"kafkaconnects":            "kafka.strimzi.io/v1, Kind=KafkaConnect",
		"kafkamirrormaker2s":       "kafka.strimzi.io/v1, Kind=KafkaMirrorMaker2",
		"kafkabridges":             "kafka.strimzi.io/v1, Kind=KafkaBridge",
	}
	for _, k := range Kinds() {
		if got := k.GroupVersionKind().String(); got != want[k.ID] {
			t.Errorf("%s is %s, want %s", k.ID, got, want[k.ID])
		}
		delete(want, k.ID)
		resource := k.ID
		if k.Kind == "Service" {
			resource = "services"
		}
		if k.Resource.Resource != resource || !k.Namespaced || k.Default != (k.ID == "deployments") || k.Means == "" {
			t.Errorf("%+v", k)
		}
	}
	for id := range want {
		t.Errorf("%s is missing", id)
	}
	Kinds()[0].ID = "changed"
	if Kinds()[0].ID != "deployments" {
		t.Error("a caller changed the table")
	}
}

func TestKindByID(t *testing.T) {
	for given, want := range map[string]string{
		"deployments": "Deployment", "Deployments": "Deployment", "awsnlbservices": "Service",
		"deployment": "", "": "", "namespaces": "",
	} {
		if k, ok := KindByID(given); k.Kind != want || ok != (want != "") {
			t.Errorf("KindByID(%q) = %q, %t", given, k.Kind, ok)
		}
	}
}

func TestKindByIDTrims(t *testing.T) {
	if k, ok := KindByID(" jobs\t"); !ok || k.Kind != "Job" {
		t.Error("the spaces around an item count")
	}
}

func TestKindFor(t *testing.T) {
	for given, want := range map[schema.GroupKind]string{
		{Group: "apps", Kind: "Deployment"}:                   "deployments",
		{Kind: "Service"}:                                     "services",
		{Group: "gateway.networking.k8s.io", Kind: "Gateway"}: "gateways",
		{Group: "networking.istio.io", Kind: "Gateway"}:       "",
		{Group: "serving.knative.dev", Kind: "Service"}:       "",
		Namespace.GroupKind():                                 "",
		{}:                                                    "",
	} {
		if k, ok := KindFor(given); k.ID != want || ok != (want != "") {
			t.Errorf("KindFor(%v) = %q, %t", given, k.ID, ok)
		}
	}
	if Namespaces.GroupVersion() != Namespace.GroupVersion() || Namespaces.Resource != "namespaces" {
		t.Error("the namespace's resource and kind differ")
	}
}
