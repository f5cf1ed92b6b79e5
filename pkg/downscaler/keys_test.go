package downscaler

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

func TestFormOf(t *testing.T) {
	for key, want := range map[string]Form{"exclude": Timespans, ExcludeUntil: Time, "downscaler/exlude": "", "example.com/exclude": ""} {
		if got := FormOf(key); got != want {
			t.Errorf("%s: %q, want %q", key, got, want)
		}
	}
}

func TestKey(t *testing.T) {
	for given, want := range map[string]string{
		"exclude":            "downscaler/exclude",
		"downscaler/exclude": "downscaler/exclude",
		"example.com/other":  "example.com/other",
		"anything":           "downscaler/anything",
		"":                   "downscaler/",
	} {
		if got := Key(given); got != want {
			t.Errorf("Key(%q) = %q, want %q", given, got, want)
		}
	}
}

func TestKeys(t *testing.T) {
	seen := map[string]bool{}
	for _, a := range Keys() {
		if !strings.HasPrefix(a.Key, Prefix) || a.Meaning == "" || strings.Contains(a.Meaning, "\n") || seen[a.Key] {
			t.Errorf("%+v is no entry for people", a)
		}
		seen[a.Key] = true
		if !Known(a.Key) || !Known(strings.TrimPrefix(a.Key, Prefix)) {
			t.Errorf("%s is not known", a.Key)
		}
		if err := Check(a.Key, a.Form.Example(), schema.GroupKind{}); err != nil {
			t.Errorf("the example for %s: %v", a.Key, err)
		}
		if a.OnNamespace == (a.Key == OriginalReplicas) {
			t.Errorf("%s: OnNamespace is %t", a.Key, a.OnNamespace)
		}
	}
	if len(seen) != 13 {
		t.Errorf("%d keys", len(seen))
	}
	Keys()[0].Key = "changed"
	if Keys()[0].Key != Exclude {
		t.Error("a caller changed the table")
	}
	if Form("other").Example() != "" {
		t.Error("an unknown form has an example")
	}
}

func TestKnown(t *testing.T) {
	for _, key := range []string{"downscaler/", "", "downscaler/Exclude", "exclude/downscaler", "other/exclude", "downtime-replicas", "match-none"} {
		if Known(key) {
			t.Errorf("%q is known", key)
		}
	}
}

func TestNearest(t *testing.T) {
	for given, want := range map[string]string{
		"downscaler/downtime-replicas":  DownscaleReplicas,
		"downtime-replicas":             DownscaleReplicas,
		"downtime_replicas":             DownscaleReplicas,
		"downscaler/exclude":            Exclude,
		"downscaler/Exclude":            Exclude,
		"downscaler/excluded":           Exclude,
		"downscaler/upitme":             Uptime,
		"downscaler/exclude_until":      ExcludeUntil,
		"downscaler/excludeuntil":       ExcludeUntil,
		"downscaler/uptme":              Uptime,
		"downscaler/uptimes":            Uptime,
		"downscaler/down-time":          Downtime,
		"downscaler/force-up-time":      ForceUptime,
		"downscaler/downscale-periods":  DownscalePeriod,
		"downscaler/graceperiod":        GracePeriod,
		"downscaler/downscale-replica":  DownscaleReplicas,
		"downscaler/upscale-exclude":    UpscaleExcluded,
		"downscale/exclude":             Exclude,
		"downscaler/":                   "",
		"downscaler/foo":                "",
		"downscaler/time":               Uptime,
		"example.com/exclude":           "",
		"downscaler/owner":              "",
		"downscaler/\xff":               "",
		"x/" + strings.Repeat("a", 1e6): "",
	} {
		if got := Nearest(given); got != want {
			t.Errorf("Nearest(%.60q) = %q, want %q", given, got, want)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, row := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"abc", "abc", 0}, {"abc", "acb", 1},
		{"abc", "bc", 1}, {"abc", "xbc", 1}, {"abcd", "badc", 2}, {"kitten", "sitting", 3},
	} {
		if got := distance(row.a, row.b); got != row.want {
			t.Errorf("distance(%q, %q) = %d, want %d", row.a, row.b, got, row.want)
		}
	}
}
