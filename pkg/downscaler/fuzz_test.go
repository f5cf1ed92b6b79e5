package downscaler

import (
	"errors"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// FuzzCheck: no value makes anything panic; the place of a mistake lies within the value; the nearest
// valid value is valid; and Describe takes exactly the timespans that Check takes.
func FuzzCheck(f *testing.F) {
	for _, value := range []string{
		"Mon-Fri 08:00-20:00 Europe/Berlin", "24:00-00:00", "always, never", "from 2024-07-29T08:30:00Z", "until-2024-07-29T08:30:00+02:00",
		"2024-07-29T08:30:00Z - 2024-07-29T16:00:00-02:00", "Monday-Friday 8-20 berlin", "Until 2024-07-29 8:30", "5", "-1", "50%", "15 min", "tRUE", "",
	} {
		f.Add(value)
	}
	// The first two are enough for a form that is the same on every kind.
	subjects := []schema.GroupKind{{}, Namespace.GroupKind()}
	for _, k := range Kinds() {
		subjects = append(subjects, k.GroupVersionKind().GroupKind())
	}
	f.Fuzz(func(t *testing.T, value string) {
		_ = Nearest(value)
		for _, a := range Keys() {
			for i, kind := range subjects {
				if i < 2 || a.Form == Replicas {
					checkProblem(t, a, value, kind)
				}
			}
		}
		_, err := Describe(value)
		if checked := Check(Uptime, value, schema.GroupKind{}); (checked == nil) != (err == nil) {
			t.Errorf("%q: Check says %v, Describe says %v", value, checked, err)
		}
	})
}

func checkProblem(t *testing.T, a Annotation, value string, kind schema.GroupKind) {
	t.Helper()
	err := Check(a.Key, value, kind)
	if err == nil {
		return
	}
	p, ok := errors.AsType[*Problem](err)
	if !ok || p.At < 0 || p.At > len(value) || p.Text == "" || p.Effect == "" || p.Key != a.Key {
		t.Errorf("%s=%q on %v: %+v", a.Key, value, kind, err)
		return
	}
	if p.Nearest != "" {
		if err := Check(a.Key, p.Nearest, kind); err != nil || p.Nearest == value {
			t.Errorf("%s=%q on %v: the nearest value %q: %v", a.Key, value, kind, p.Nearest, err)
		}
	}
}
