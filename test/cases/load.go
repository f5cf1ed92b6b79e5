package cases

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"
)

// Load reads every case of a folder, in the order of their names.
func Load(folder string) ([]Case, error) {
	paths, err := filepath.Glob(filepath.Join(folder, "*.yaml"))
	if err != nil {
		return nil, err
	}
	if len(paths) == 0 {
		return nil, fmt.Errorf("%s: there is no case in this folder; a case is a file *.yaml", folder)
	}
	var cases []Case
	for _, path := range paths {
		one, err := loadOne(path)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		cases = append(cases, one)
	}
	return cases, checkNames(cases)
}

func loadOne(path string) (Case, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return Case{}, err
	}
	one := Case{Name: strings.TrimSuffix(filepath.Base(path), ".yaml")}
	if err := yaml.UnmarshalStrict(content, &one); err != nil {
		return Case{}, err
	}
	for i := range one.Requests {
		if one.Requests[i].User == "" {
			one.Requests[i].User = "dev"
		}
	}
	return one.placed(), one.check()
}

// check refuses a case that would test nothing.
func (c Case) check() error {
	switch {
	case c.Describes == "" || c.Source == "":
		return errors.New("a case needs describes and source")
	case len(c.Requests)+len(c.Refused) == 0:
		return errors.New("a case needs requests, or refused")
	}
	for i, r := range c.Requests {
		if err := r.check(); err != nil {
			return fmt.Errorf("requests[%d]: %w", i, err)
		}
	}
	for i, refusal := range c.Refused {
		if refusal.About == "" || refusal.Object == nil || refusal.Says == "" {
			return fmt.Errorf("refused[%d]: about, object and says are needed", i)
		}
	}
	return nil
}

func (r Request) check() error {
	ways := 0
	for _, given := range []bool{r.Send != nil, r.Annotate != "", r.Delete != ""} {
		if given {
			ways++
		}
	}
	expect := r.Expect
	switch {
	case r.About == "":
		return errors.New("about is missing")
	case ways != 1:
		return errors.New("give one of send, annotate and delete")
	case !slices.Contains([]Verdict{Allowed, Altered, Denied}, expect.Verdict):
		return fmt.Errorf("there is no verdict %q; give allowed, altered or denied", expect.Verdict)
	case expect.Verdict == Denied && (expect.Code == 0 || expect.Reason == ""):
		return errors.New("a denial needs code and reason")
	case expect.Verdict == Denied && expect.Message == "" && len(expect.OneOf) == 0 && len(expect.Contains) == 0:
		return errors.New("a denial needs message, oneOf or contains")
	case expect.Verdict == Denied && expect.Stored != nil:
		return errors.New("nothing is stored by what is denied; leave out stored")
	}
	return nil
}

// checkNames refuses names that two cases have: all cases are on one API server.
func checkNames(cases []Case) error {
	owners := map[string]string{}
	for _, c := range cases {
		for _, object := range slices.Concat(c.Objects, c.Policies) {
			u := unstructured.Unstructured{Object: object}
			key := fmt.Sprintf("%s %s/%s", u.GetKind(), u.GetNamespace(), u.GetName())
			if owner, taken := owners[key]; taken {
				return fmt.Errorf("%s is in the cases %s and %s; rename one", key, owner, c.Name)
			}
			owners[key] = c.Name
		}
	}
	return nil
}
