package chart

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
)

// table is what an API server decided under the chart's own policies, see testdata/README.md.
type table struct {
	Requests map[string]recordedRequest
	Files    []struct {
		File     string
		Releases []recordedRelease
	}
}

type recordedRequest struct {
	Verb, Subresource string
	Before, Proposed  map[string]string
}

type recordedRelease struct {
	Name, Namespace, KubeVersion string
	Renders, Accepted            bool
	Objects                      []recordedObject
	Decisions                    []recordedDecision
}

type recordedObject struct {
	Kind, Name      string
	MatchConditions []string
	Rules           []struct{ Groups, Versions, Resources, Operations []string }
	Policy          string
	Actions         []string
}

type recordedDecision struct {
	User, Kind, Request, Decision string
	Groups, By, Warned            []string
	Junk                          int
	Stored                        map[string]string
}

func readTable(t *testing.T) table {
	t.Helper()
	text, err := os.ReadFile("testdata/decisions.json")
	if err != nil {
		t.Fatal(err)
	}
	var read table
	if err := json.Unmarshal(text, &read); err != nil {
		t.Fatal(err)
	}
	if len(read.Files) == 0 || len(read.Requests) == 0 {
		t.Fatal("the table is empty")
	}
	return read
}

// refusedHere are files whose values say nothing that could be meant, and are refused in one sentence.
var refusedHere = map[string]string{
	"actions-none.yaml":       "validationActions",
	"actions-not-a-list.yaml": "validationActions: this must be a list",
	"users-not-a-list.yaml":   "authorizedUsersRegex: this must be a list",
	"kinds-unknown.yaml":      "includedResources",
	"text-booleans.yaml":      "this must be true or false",
}

// TestDecisionsOfTheChart holds the plain policies to what the chart's own decide, and the mistakes to what an API server refuses.
func TestDecisionsOfTheChart(t *testing.T) {
	recorded := readTable(t)
	for _, f := range recorded.Files {
		for _, r := range f.Releases {
			t.Run(fmt.Sprintf("%s/%s in %s on %s", f.File, r.Name, r.Namespace, r.KubeVersion), func(t *testing.T) {
				path := filepath.Join("testdata", "values", f.File)
				text, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				values, err := ReadValues(path, text)
				if want, refused := refusedHere[f.File]; refused {
					if err == nil || !strings.Contains(err.Error(), want) {
						t.Errorf("got %v, want %q", err, want)
					}
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				checkRelease(t, recorded.Requests, values, r)
			})
		}
	}
}

func checkRelease(t *testing.T, requests map[string]recordedRequest, values *Values, r recordedRelease) {
	t.Helper()
	release := Release{Name: r.Name, Namespace: r.Namespace}
	mistakes := values.Mistakes(release, r.KubeVersion)
	// What was recorded came from an API server on which v1beta1 was switched on.
	harmless := func(m Mistake) bool {
		return m.ID == "values-removal-scopes-coupled" || m.ID == "policy-api-not-served"
	}
	isBroken := slices.ContainsFunc(mistakes, func(m Mistake) bool { return !harmless(m) && !acceptedMistake(m, values) })
	if works := r.Renders && r.Accepted; works == isBroken {
		t.Errorf("renders %v, accepted %v; mistakes %+v", r.Renders, r.Accepted, mistakes)
	}
	if !r.Accepted {
		return
	}
	checkObjects(t, values.plainManifests(release), r.Objects)
	checkDecisions(t, values.Plain(release), requests, r.Decisions)
}

// acceptedMistake says of a mistake whether the API server takes the policies all the same: a scope that has no rule beside one that has
// some, and a quote that closes the string and opens another.
func acceptedMistake(m Mistake, values *Values) bool {
	c := values.Compliance
	switch m.ID {
	case "values-removal-without-enabled":
		return c.OnWorkloads.Enabled || c.OnNamespace.Enabled
	case "values-pattern-quoting":
		return slices.ContainsFunc(slices.Concat(c.ServiceAccounts, c.Users, c.Groups), func(p Pattern) bool { return p.Field == m.Field && p.Escapes })
	}
	return false
}

func checkObjects(t *testing.T, manifests []Manifest, want []recordedObject) {
	t.Helper()
	got := map[string]recordedObject{}
	for _, m := range manifests {
		o := describe(m)
		got[o.Kind+"/"+o.Name] = o
	}
	for _, o := range want {
		key := o.Kind + "/" + o.Name
		ours, ok := got[key]
		delete(got, key)
		if !ok {
			t.Errorf("there is no %s", key)
			continue
		}
		if !slices.Equal(ours.MatchConditions, o.MatchConditions) || ours.Policy != o.Policy || !slices.Equal(ours.Actions, o.Actions) {
			t.Errorf("%s: got %+v, want %+v", key, ours, o)
		}
		if a, b := resourcesOf(ours), resourcesOf(o); !maps.Equal(a, b) {
			t.Errorf("%s: rules for %v, want %v", key, a, b)
		}
	}
	if len(got) > 0 {
		t.Errorf("more than the chart has: %v", slices.Collect(maps.Keys(got)))
	}
}

// resourcesOf is what the rules match; the order and the repetition of rules decide nothing.
func resourcesOf(o recordedObject) map[string]bool {
	found := map[string]bool{}
	for _, r := range o.Rules {
		for _, resource := range r.Resources {
			for _, operation := range r.Operations {
				found[strings.Join(r.Groups, ",")+"/"+resource+" "+operation] = true
			}
		}
	}
	return found
}

func describe(m Manifest) recordedObject {
	text, err := json.Marshal(m.Object)
	if err != nil {
		return recordedObject{}
	}
	var o struct {
		Kind     string
		Metadata struct{ Name string }
		Spec     struct {
			PolicyName        string
			ValidationActions []string
			MatchConditions   []struct{ Name string }
			MatchConstraints  admissionregistrationv1.MatchResources
		}
	}
	if err := json.Unmarshal(text, &o); err != nil {
		return recordedObject{}
	}
	described := recordedObject{Kind: o.Kind, Name: o.Metadata.Name, Policy: o.Spec.PolicyName, Actions: o.Spec.ValidationActions}
	for _, c := range o.Spec.MatchConditions {
		described.MatchConditions = append(described.MatchConditions, c.Name)
	}
	for _, r := range o.Spec.MatchConstraints.ResourceRules {
		var operations []string
		for _, operation := range r.Operations {
			operations = append(operations, string(operation))
		}
		described.Rules = append(described.Rules, struct{ Groups, Versions, Resources, Operations []string }{r.APIGroups, r.APIVersions, r.Resources, operations})
	}
	return described
}
