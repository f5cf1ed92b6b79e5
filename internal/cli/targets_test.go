package cli

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseTargets(t *testing.T) {
	for name, test := range map[string]struct {
		args []string
		want targets
		bad  bool
	}{
		"nothing":             {},
		"one":                 {args: []string{"deploy/web"}, want: targets{named: []target{{"deploy", "web"}}}},
		"several":             {args: []string{"deploy/web", "sts/db"}, want: targets{named: []target{{"deploy", "web"}, {"sts", "db"}}}},
		"a type and names":    {args: []string{"deploy", "web", "api"}, want: targets{named: []target{{"deploy", "web"}, {"deploy", "api"}}}},
		"types and a name":    {args: []string{"deploy,sts", "web"}, want: targets{named: []target{{"deploy", "web"}, {"sts", "web"}}}},
		"types":               {args: []string{"deploy,sts.v1.apps"}, want: targets{types: []string{"deploy", "sts.v1.apps"}}},
		"mixed":               {args: []string{"deploy", "sts/db"}, bad: true},
		"two slashes":         {args: []string{"a/b/c"}, bad: true},
		"no name":             {args: []string{"deploy/"}, bad: true},
		"no type":             {args: []string{"/web"}, bad: true},
		"types before a name": {args: []string{"deploy,sts/web"}, bad: true},
		"an empty type":       {args: []string{"deploy,"}, bad: true},
		"an empty argument":   {args: []string{""}, bad: true},
		"a change":            {args: []string{"deploy/web", "exclude=true"}, bad: true},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := parseTargets(test.args)
			if isUsage(err) != test.bad {
				t.Fatalf("error: %v", err)
			}
			if diff := cmp.Diff(test.want, got, cmp.AllowUnexported(targets{}, target{})); diff != "" {
				t.Error(diff)
			}
		})
	}
}
