package downscaler

import (
	"errors"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// The values of every shape, and which of them each kind takes for downscale-replicas and
// original-replicas.
func TestReplicasByKind(t *testing.T) {
	values := []string{
		"0", "1", "+5", "007", "-0", "-1", "-2", "2147483648", "50%", "+50%", "0%", "101%", "-1%", "%", "5.5%",
		"true", "FALSE", "ClusterIP", "LoadBalancer", "nginx", "nginx-internal", "", " 1", "1.0", "Größe", "\xff",
	}
	shapes := []struct {
		name  string
		taken []string
	}{
		{"any", []string{
			"0", "1", "+5", "007", "-0", "-1", "50%", "+50%", "0%", "true", "FALSE", "ClusterIP", "LoadBalancer", "nginx", "", "Größe",
		}},
		{"count", []string{"0", "1", "+5", "007", "-0"}},
		{"count or -1", []string{"0", "1", "+5", "007", "-0", "-1"}},
		{"count from 1", []string{"1", "+5", "007"}},
		{"count or percentage", []string{"0", "1", "+5", "007", "-0", "50%", "+50%", "0%"}},
		{"number or percentage", []string{"0", "1", "+5", "007", "-0", "-1", "50%", "+50%", "0%"}},
		{"boolean", []string{"true", "FALSE"}},
		{"service type", []string{"ClusterIP", "LoadBalancer"}},
		{"everything", values},
	}
	taken := map[string]map[string]bool{}
	for _, s := range shapes {
		taken[s.name] = map[string]bool{}
		for _, v := range s.taken {
			taken[s.name][v] = true
		}
	}
	kind := func(id string) schema.GroupKind {
		k, _ := KindByID(id)
		return k.GroupVersionKind().GroupKind()
	}
	for _, row := range []struct {
		kind               schema.GroupKind
		downscale, restore string
	}{
		{kind("deployments"), "count", "count"},
		{kind("statefulsets"), "count", "count"},
		{kind("rollouts"), "count or -1", "count or -1"},
		{kind("scaledobjects"), "count or -1", "count or -1"},
		{kind("kafkabridges"), "count or -1", "count or -1"},
		{kind("horizontalpodautoscalers"), "count from 1", "count from 1"},
		{kind("poddisruptionbudgets"), "count or percentage", "count or percentage"},
		{kind("cronjobs"), "any", "boolean"},
		{kind("jobs"), "any", "boolean"},
		{kind("daemonsets"), "any", "any"},
		{kind("services"), "any", "service type"},
		{kind("ingresses"), "any", "any"},
		{kind("gateways"), "any", "any"},
		{schema.GroupKind{Group: "apps", Kind: "ReplicaSet"}, "number or percentage", "any"},
		{schema.GroupKind{}, "number or percentage", "any"},
		{Namespace.GroupKind(), "number or percentage", "everything"},
	} {
		for _, v := range values {
			if err := Check(DownscaleReplicas, v, row.kind); (err == nil) != taken[row.downscale][v] {
				t.Errorf("downscale-replicas %q on %v: %v", v, row.kind, err)
			}
			if err := Check(OriginalReplicas, v, row.kind); (err == nil) != taken[row.restore][v] {
				t.Errorf("original-replicas %q on %v: %v", v, row.kind, err)
			}
		}
	}
}

func TestReplicasNearest(t *testing.T) {
	for given, want := range map[string]string{
		" 1": "1", `"1"`: "1", "50 %": "50%", "1.0": "1", "-2": "", "a-b": "", "2147483648": "",
	} {
		var nearest string
		if p, ok := errors.AsType[*Problem](Check(DownscaleReplicas, given, schema.GroupKind{})); ok {
			nearest = p.Nearest
		}
		if nearest != want {
			t.Errorf("%q: %q, want %q", given, nearest, want)
		}
	}
}
