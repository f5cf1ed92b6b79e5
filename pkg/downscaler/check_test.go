package downscaler

import (
	"errors"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

func TestCheckValues(t *testing.T) {
	for _, row := range []struct {
		key, value string
		at         int    // -1 where the value is taken
		text       string // a part of it
		nearest    string
	}{
		{ExcludeUntil, "2030-01-31T18:00:00Z", -1, "", ""},
		{ExcludeUntil, "2030-01-31T18:00:00.5+02:00", -1, "", ""},
		{ExcludeUntil, "2030-01-31T18:00:00,5Z", -1, "", ""},
		{ExcludeUntil, "2030-01-31T8:00:00Z", -1, "", ""},
		{ExcludeUntil, "", 0, "empty", ""},
		{ExcludeUntil, " 2030-01-31T18:00:00Z", 0, "digit", "2030-01-31T18:00:00Z"},
		{ExcludeUntil, "2030-01-31t18:00:00z", 10, `"T"`, "2030-01-31T18:00:00Z"},
		{ExcludeUntil, "2030-01-31T18:00:00z", 19, "Z or an offset", "2030-01-31T18:00:00Z"},
		{ExcludeUntil, "2030-01-31", 10, "too early", "2030-01-31T00:00:00Z"},
		{ExcludeUntil, "2030-13-31T18:00:00Z", 5, "month", ""},
		{ExcludeUntil, "2030-02-29T18:00:00Z", 8, "01 to 28", ""},
		{ExcludeUntil, "2030-01-31T24:00:00Z", 11, "hour", ""},
		{ExcludeUntil, "2030-01-31T18:60:00Z", 14, "minute", ""},
		{ExcludeUntil, "2030-01-31T18:00:61Z", 17, "second", ""},
		{ExcludeUntil, "2030-01-31T18:00:00+99:00", 19, "out of range", ""},
		{ExcludeUntil, "2030-01-31T18:00:00.Z", 20, "digit", ""},
		{ExcludeUntil, "true", 0, "digit", ""},
		{ScaleChildren, "true", -1, "", ""},
		{ScaleChildren, "T", -1, "", ""},
		{ScaleChildren, "0", -1, "", ""},
		{ScaleChildren, "tRUE", 0, "boolean", "true"},
		{ScaleChildren, "yes", 0, "boolean", "true"},
		{ScaleChildren, " false", 0, "boolean", "false"},
		{ScaleChildren, "never", 0, "boolean", ""},
		{ScaleChildren, "", 0, "boolean", ""},
		{Exclude, "true", -1, "", ""},
		{Exclude, "t", 0, "not the start", "true"},
		{Exclude, "0", 1, "time of day", "false"},
		{GracePeriod, "900", -1, "", ""},
		{GracePeriod, "-900", -1, "", ""},
		{GracePeriod, "+5", -1, "", ""},
		{GracePeriod, "1h30m", -1, "", ""},
		{GracePeriod, "1.5h", -1, "", ""},
		{GracePeriod, "-2µs", -1, "", ""},
		{GracePeriod, "", 0, "empty", ""},
		{GracePeriod, " 5m", 0, "number", "5m"},
		{GracePeriod, "15 minutes", 2, "unit", "15m"},
		{GracePeriod, "15min", 2, "unit", "15m"},
		{GracePeriod, "2 Hours", 1, "unit", "2h"},
		{GracePeriod, "1h30", 4, "unit", ""},
		{GracePeriod, "2d", 1, "unit", "48h"},
		{GracePeriod, "1h-5m", 2, "number", ""},
		{GracePeriod, "1.2.3h", 0, "not a number", ""},
		{GracePeriod, "-", 0, "can be held", ""},
		{GracePeriod, "2562047h2562047h", 0, "can be held", ""},
		{"unknown", "anything", -1, "", ""},
		{"example.com/exclude", "anything", -1, "", ""},
	} {
		err := Check(row.key, row.value, schema.GroupKind{})
		if row.at < 0 {
			if err != nil {
				t.Errorf("%s=%q: %v", row.key, row.value, err)
			}
			continue
		}
		p, ok := errors.AsType[*Problem](err)
		if !ok {
			t.Errorf("%s=%q is taken", row.key, row.value)
			continue
		}
		if p.At != row.at || !strings.Contains(p.Text, row.text) || p.Nearest != row.nearest {
			t.Errorf("%s=%q: %d %q %q, want %d %q %q", row.key, row.value, p.At, p.Text, p.Nearest, row.at, row.text, row.nearest)
		}
	}
}

func TestCheckEffect(t *testing.T) {
	deployment, namespace := schema.GroupKind{Group: "apps", Kind: "Deployment"}, Namespace.GroupKind()
	for _, row := range []struct {
		key, value string
		kind       schema.GroupKind
		want       Effect
	}{
		{"uptime", "x", deployment, SkipsObject},
		{"uptime", "x", namespace, StopsScan},
		{"grace-period", "x", namespace, StopsScan},
		{"scale-children", "x", namespace, StopsScan},
		{"upscale-excluded", "x", namespace, EventOnly},
		{"upscale-excluded", "x", deployment, EventOnly},
		{"downscale-replicas", "-2", deployment, SkipsObject},
		{"downscale-replicas", "-2", namespace, StopsScan},
		{"downscale-replicas", "50%", deployment, FailsScaling},
		{"downscale-replicas", "few", namespace, FailsScaling},
		{"original-replicas", "1 2", deployment, FailsScaling},
	} {
		p, ok := errors.AsType[*Problem](Check(row.key, row.value, row.kind))
		if !ok || p.Effect != row.want || p.Key != Key(row.key) {
			t.Errorf("%s=%q on %v: %+v, want %s", row.key, row.value, row.kind, p, row.want)
		}
	}
	for _, e := range []Effect{StopsScan, SkipsObject, FailsScaling, EventOnly} {
		if !strings.HasSuffix(e.Sentence(), ".") {
			t.Errorf("%s: %q", e, e.Sentence())
		}
	}
	if Effect("").Sentence() != "" {
		t.Error("no effect has a sentence")
	}
}

func TestProblemError(t *testing.T) {
	p := &Problem{At: 3, Text: "it is wrong", Nearest: "right"}
	if got, want := p.Error(), `at byte 3: it is wrong; the nearest valid value is "right"`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := (&Problem{Text: "it is wrong"}).Error(); got != "at byte 0: it is wrong" {
		t.Error(got)
	}
}
