package request

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestParseChange(t *testing.T) {
	long := strings.Repeat("x", 64)
	tests := []struct {
		name        string
		set, remove []string
		want        Change
		wantErr     string
	}{
		{name: "nothing", want: Change{Set: map[string]string{}}},
		{name: "no prefix", set: []string{"exclude=true"}, want: Change{Set: map[string]string{"downscaler/exclude": "true"}}},
		{name: "a prefix of its own", set: []string{"example.com/x=1"}, want: Change{Set: map[string]string{"example.com/x": "1"}}},
		{name: "empty value", set: []string{"exclude="}, want: Change{Set: map[string]string{"downscaler/exclude": ""}}},
		{name: "value with =", set: []string{"uptime=a=b"}, want: Change{Set: map[string]string{"downscaler/uptime": "a=b"}}},
		{name: "upper case prefix", set: []string{"Example.COM/x=1"}, want: Change{Set: map[string]string{"Example.COM/x": "1"}}},
		{name: "remove", remove: []string{"exclude"}, want: Change{Set: map[string]string{}, Remove: []string{"downscaler/exclude"}}},
		{name: "no =", set: []string{"exclude"}, wantErr: `--set exclude: there is no "="`},
		{name: "empty key", set: []string{"=true"}, wantErr: "--set: the annotation's key is empty"},
		{name: "bad key", set: []string{"a b=1"}, wantErr: `--set: the API server refuses the annotation key "downscaler/a b": name part must consist of`},
		{name: "two slashes", set: []string{"a/b/c=1"}, wantErr: `the API server refuses the annotation key "a/b/c"`},
		{name: "long key", set: []string{long + "=1"}, wantErr: "must be no more than 63"},
		{name: "too big", set: []string{"exclude=" + strings.Repeat("x", 256<<10)}, wantErr: "is larger than limit 262144"},
		{name: "set twice", set: []string{"exclude=1", "downscaler/exclude=2"}, wantErr: "--set names the annotation downscaler/exclude twice"},
		{name: "remove twice", remove: []string{"exclude", "downscaler/exclude"}, wantErr: "--remove names the annotation downscaler/exclude twice"},
		{name: "both", set: []string{"exclude=1"}, remove: []string{"exclude"}, wantErr: "downscaler/exclude is in both --set and --remove"},
		{name: "remove with =", remove: []string{"exclude=1"}, wantErr: `--remove exclude=1: a key has no "="`},
		{name: "remove bad key", remove: []string{"-"}, wantErr: `--remove: the API server refuses the annotation key "downscaler/-"`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := ParseChange(test.set, test.remove)
			if test.wantErr != "" {
				checkUsage(t, err, test.wantErr)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func checkUsage(t *testing.T, err error, want string) {
	t.Helper()
	var usage *UsageError
	if !errors.As(err, &usage) || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v; want a usage error with %q", err, want)
	}
}

func TestApplyToDropsEmptyAnnotations(t *testing.T) {
	object := &metav1.ObjectMeta{Annotations: map[string]string{"downscaler/exclude": "true"}}
	Change{Remove: []string{"downscaler/exclude"}}.ApplyTo(object)
	if object.Annotations != nil {
		t.Errorf("got %v; the API server stores none", object.Annotations)
	}
}

func FuzzParseSet(f *testing.F) {
	for _, seed := range []string{"exclude=true", "a/b=c=d", "=", "", "a b=1", "é=1", "a/b/c=1", "/x=1", "x/=1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, argument string) {
		key, value, err := ParseSet(argument)
		if err != nil {
			checkUsage(t, err, "--set")
			return
		}
		written, rest, _ := strings.Cut(argument, "=")
		if value != rest || key != written && key != Prefix+written {
			t.Errorf("%q became %q and %q", argument, key, value)
		}
		// What was accepted is accepted again, under the same key.
		if again, _, err := ParseSet(key + "=" + value); err != nil || again != key {
			t.Errorf("%q: %q again is %q, %v", argument, key, again, err)
		}
	})
}
