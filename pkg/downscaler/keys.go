package downscaler

import "strings"

// Prefix is what every annotation key that belongs to the downscaler starts with.
const Prefix = "downscaler/"

// The keys of the annotations that the downscaler reads (internal/pkg/values/scopeParser.go; the
// last one internal/pkg/scalable/util.go).
const (
	Exclude           = Prefix + "exclude"
	ExcludeUntil      = Prefix + "exclude-until"
	Downtime          = Prefix + "downtime"
	Uptime            = Prefix + "uptime"
	DownscalePeriod   = Prefix + "downscale-period"
	UpscalePeriod     = Prefix + "upscale-period"
	ForceDowntime     = Prefix + "force-downtime"
	ForceUptime       = Prefix + "force-uptime"
	DownscaleReplicas = Prefix + "downscale-replicas"
	GracePeriod       = Prefix + "grace-period"
	ScaleChildren     = Prefix + "scale-children"
	UpscaleExcluded   = Prefix + "upscale-excluded"
	OriginalReplicas  = Prefix + "original-replicas"
)

// Form is the grammar that an annotation's value has to follow.
type Form string

// The forms. Check says what each takes, to the letter.
const (
	Timespans Form = "timespans" // a comma-separated list of timespans
	Time      Form = "time"      // one RFC 3339 time
	Replicas  Form = "replicas"  // what to scale down to, or what it was before
	Duration  Form = "duration"  // whole seconds, or a Go duration
	Boolean   Form = "boolean"   // what strconv.ParseBool reads
)

// Example is a value of this form which is valid wherever the form is.
func (f Form) Example() string {
	switch f {
	case Timespans:
		return "Mon-Fri 08:00-20:00 Europe/Berlin"
	case Time:
		return "2030-01-31T18:00:00Z"
	case Replicas:
		return "1"
	case Duration:
		return "15m"
	case Boolean:
		return "true"
	}
	return ""
}

// Annotation is one annotation that the downscaler reads.
type Annotation struct {
	Key         string // with the prefix
	Meaning     string // one line for people
	Form        Form
	OnNamespace bool // whether it is also read from a workload's namespace
}

var annotations = []Annotation{
	{Exclude, "while in one of these timespans, the downscaler leaves the workload as it is", Timespans, true},
	{ExcludeUntil, "until this time, the downscaler leaves the workload as it is", Time, true},
	{Downtime, "scaled down inside these timespans, up outside of them", Timespans, true},
	{Uptime, "scaled up inside these timespans, down outside of them", Timespans, true},
	{DownscalePeriod, "scaled down inside these timespans, left alone outside of them", Timespans, true},
	{UpscalePeriod, "scaled up inside these timespans, left alone outside of them", Timespans, true},
	{ForceDowntime, "scaled down inside these timespans, whatever the other timespans say", Timespans, true},
	{ForceUptime, "scaled up inside these timespans, whatever the other timespans say", Timespans, true},
	{DownscaleReplicas, "how many replicas are left in downtime", Replicas, true},
	{GracePeriod, "how long after its creation a workload is left alone", Duration, true},
	{ScaleChildren, "whether a workload's running children, a CronJob's Jobs, are scaled with it", Boolean, true},
	{UpscaleExcluded, "whether a workload is scaled up, not left alone, while it is excluded", Boolean, true},
	{OriginalReplicas, "what the workload was before it was scaled down; the downscaler writes it itself", Replicas, false},
}

// Key gives an annotation's full key: a key without a slash gets the prefix, and any other key is
// returned as it is.
func Key(s string) string {
	if strings.Contains(s, "/") {
		return s
	}
	return Prefix + s
}

// Keys lists the annotations that the downscaler reads, in the order people should see them in. The
// slice is the caller's to keep. A further annotation, which the grace period is counted from, has
// whatever key --deployment-time-annotation names and is not among them.
func Keys() []Annotation { return append([]Annotation(nil), annotations...) }

// Known says whether the downscaler reads an annotation. The key may lack the prefix.
func Known(key string) bool {
	_, ok := annotationOf(key)
	return ok
}

// FormOf gives the form of an annotation's values; "" for a key that the downscaler does not read. The key may lack the prefix.
func FormOf(key string) Form {
	a, _ := annotationOf(key)
	return a.Form
}

func annotationOf(key string) (Annotation, bool) {
	key = Key(key)
	for _, a := range annotations {
		if a.Key == key {
			return a, true
		}
	}
	return Annotation{}, false
}
