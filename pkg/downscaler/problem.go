package downscaler

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Effect is what the downscaler does about a value that it can't use.
type Effect string

// The effects, from the widest to the narrowest.
const (
	// StopsScan: on a namespace that holds a workload to be scaled, the scan of every namespace ends
	// and the downscaler exits (startScanning in cmd/kubedownscaler/main.go, GetNamespacesScopes in
	// internal/api/kubernetes/client.go).
	StopsScan Effect = "stops-scan"
	// SkipsObject: none of the workload's annotations count, and it is left as it is (scanWorkload in
	// cmd/kubedownscaler/main.go).
	SkipsObject Effect = "skips-object"
	// FailsScaling: the value is read, and scaling the workload then fails each time it is needed.
	FailsScaling Effect = "fails-scaling"
	// EventOnly: an event says so, and the rest goes on as if the annotation were absent
	// (GetScopeFromAnnotations in internal/pkg/values/scopeParser.go).
	EventOnly Effect = "event-only"
)

// Sentence says an effect in words, as a whole sentence.
func (e Effect) Sentence() string {
	switch e {
	case StopsScan:
		return "The downscaler exits when it reads this namespace, and scales nothing in any namespace."
	case SkipsObject:
		return "The downscaler leaves this object alone, whatever its other annotations say."
	case FailsScaling:
		return "The downscaler reads this value and then fails whenever it has to scale by it."
	case EventOnly:
		return "The downscaler writes an event and goes on as if the annotation were not there."
	}
	return ""
}

// Problem is a value that the downscaler does not take. It is the only error that Check returns.
type Problem struct {
	Key     string // with the prefix
	At      int    // the byte in the value where it goes wrong, from 0 to the value's length
	Text    string // what is wrong, one plain sentence without a full stop
	Nearest string // the nearest value that is valid, or "" if there is none
	Effect  Effect
}

// Error says where in the value what is wrong, and the nearest valid value if there is one.
func (p *Problem) Error() string {
	text := fmt.Sprintf("at byte %d: %s", p.At, p.Text)
	if p.Nearest != "" {
		text += fmt.Sprintf("; the nearest valid value is %q", p.Nearest)
	}
	return text
}

// UnusableOn says what an unreadable value does on an object of this kind: it depends on whether
// that is a namespace. Two keys which are refused together do the same.
func UnusableOn(kind schema.GroupKind) Effect {
	if kind == Namespace.GroupKind() {
		return StopsScan
	}
	return SkipsObject
}

// fault is a mistake at a byte of a piece of a value.
type fault struct {
	at   int
	text string
}

func faultAt(at int, format string, args ...any) *fault {
	return &fault{at: at, text: fmt.Sprintf(format, args...)}
}

// behind moves a fault found in a piece to its place in the whole.
func (f *fault) behind(bytes int) *fault {
	if f == nil {
		return nil
	}
	return &fault{at: f.at + bytes, text: f.text}
}

// quoted shows a piece of a value, escaped, and cut where it is long.
func quoted(s string) string {
	const most = 40
	if len(s) <= most {
		return fmt.Sprintf("%q", s)
	}
	cut := most
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return strings.TrimSuffix(fmt.Sprintf("%q", s[:cut]), `"`) + `…"`
}
