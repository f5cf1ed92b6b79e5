package downscaler

import (
	"slices"
	"testing"
)

func TestIncompatible(t *testing.T) {
	for _, row := range []struct {
		keys []string
		want []Conflict
	}{
		{nil, nil},
		{[]string{Uptime}, nil},
		{[]string{Uptime, Downtime}, []Conflict{{Uptime, Downtime}}},
		{[]string{Uptime, UpscalePeriod}, []Conflict{{Uptime, UpscalePeriod}}},
		{[]string{DownscalePeriod, Uptime}, []Conflict{{Uptime, DownscalePeriod}}},
		{[]string{Downtime, UpscalePeriod}, []Conflict{{Downtime, UpscalePeriod}}},
		{[]string{Downtime, DownscalePeriod}, []Conflict{{Downtime, DownscalePeriod}}},
		{[]string{UpscalePeriod, DownscalePeriod}, nil},
		{[]string{ForceUptime, ForceDowntime}, nil},
		{[]string{Uptime, ForceDowntime, Exclude, ExcludeUntil}, nil},
		{[]string{Uptime, Downtime, UpscalePeriod, DownscalePeriod}, conflicts},
	} {
		annotations := map[string]string{"example.com/uptime": "never"}
		for _, k := range row.keys {
			annotations[k] = "never"
		}
		if got := Incompatible(annotations); !slices.Equal(got, row.want) {
			t.Errorf("%v: %v, want %v", row.keys, got, row.want)
		}
	}
	if got := conflicts[0].String(); got != "downscaler/uptime and downscaler/downtime can't be used together on one object" {
		t.Error(got)
	}
}
