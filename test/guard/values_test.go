package guard

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"k8s.io/apiserver/pkg/admission"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

const valuesFolder = "../../pkg/chart/testdata/values/"

// refused are files that say nothing that could be meant, or more than the chart's form can hold.
var refused = map[string]struct{ plain, hardened string }{
	"actions-none.yaml":       {"validationActions", "validationActions"},
	"actions-not-a-list.yaml": {"must be a list", "must be a list"},
	"users-not-a-list.yaml":   {"must be a list", "must be a list"},
	"kinds-unknown.yaml":      {"includedResources", "includedResources"},
	"text-booleans.yaml":      {"must be true or false", "must be true or false"},
	"patterns-63.yaml":        {"65 matchConditions", ""},
}

// standsForNothing are files whose plain form is no policy at all.
var standsForNothing = []string{"off.yaml", "mutate-removal-without-enabled.yaml", "removal-without-enabled.yaml"}

// notDeployments are files that name other kinds.
var notDeployments = []string{"kinds-custom.yaml", "scale-children-arguments.yaml", "scale-children-jobs-too.yaml", "scale-children-other-spellings.yaml"}

// TestGuardOfEveryValuesFile: the API server takes the policies that each values file stands for, and decides by them as the library says. By the hardened
// ones it lets those through who are meant, and nobody else.
func TestGuardOfEveryValuesFile(t *testing.T) {
	accounts := recordedAccounts(t)
	var guards []rendered
	files := map[string]string{}
	for _, file := range valuesFiles(t) {
		values, err := os.ReadFile(valuesFolder + file)
		if err != nil {
			t.Fatal(err)
		}
		for form, hardened := range map[string]bool{"plain": false, "hardened": true} {
			out := renders(t, string(values), hardened)
			why := refused[file].plain
			if hardened {
				why = refused[file].hardened
			}
			if why != "" {
				if out.Code != 2 || out.Stdout != "" || !strings.Contains(out.Stderr, why) {
					t.Errorf("%s of %s: exit %d: %s%s, want %s", form, file, out.Code, out.Stdout, out.Stderr, why)
				}
				continue
			}
			if out.Code != 0 {
				t.Errorf("%s of %s: exit %d: %s", form, file, out.Code, out.Stderr)
				continue
			}
			if (out.Stdout == "") != (!hardened && slices.Contains(standsForNothing, file)) {
				t.Errorf("%s of %s: %q", form, file, out.Stdout)
			}
			g := rendered{name: strings.TrimSuffix(file, ".yaml") + "-" + form, manifests: out.Stdout}
			files[g.name] = file
			guards = append(guards, g)
		}
	}
	mustBeAccepted(t, guards...)
	forced := force(t, annotatedObjects, guards...)
	for name, file := range files {
		t.Run(name, func(t *testing.T) {
			forced[name].ask(t, fiveCasesOf(t, forced[name], file, accounts[file]))
		})
	}
}

func valuesFiles(t *testing.T) []string {
	t.Helper()
	paths, err := filepath.Glob(valuesFolder + "*.yaml")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no values files: %v", err)
	}
	var files []string
	for _, path := range paths {
		files = append(files, filepath.Base(path))
	}
	return files
}

// recordedAccounts are the downscaler's own accounts as the chart itself names them, by values file: its own and its webhook's.
func recordedAccounts(t *testing.T) map[string][2]string {
	t.Helper()
	text, err := os.ReadFile("../../pkg/chart/testdata/decisions.json")
	if err != nil {
		t.Fatal(err)
	}
	var table struct {
		Files []struct {
			File     string
			Releases []struct{ Name, Namespace, DownscalerAccount, WebhookAccount string }
		}
	}
	if err := json.Unmarshal(text, &table); err != nil {
		t.Fatal(err)
	}
	accounts := map[string][2]string{}
	for _, f := range table.Files {
		prefix := "system:serviceaccount:" + releaseNamespace + ":" + releaseName + "-go-kube-downscaler"
		accounts[f.File] = [2]string{prefix, prefix + "-webhook"} // where the chart does not render, nothing was recorded
		for _, r := range f.Releases {
			if r.Name == releaseName && r.Namespace == releaseNamespace && r.DownscalerAccount != "" {
				accounts[f.File] = [2]string{r.DownscalerAccount, r.WebhookAccount}
			}
		}
	}
	return accounts
}

// annotatedObjects are a namespace and a Deployment that carry annotations.
func annotatedObjects(namespace string) string {
	const annotations = `annotations: {downscaler/exclude: "true", downscaler/uptime: always, example.com/owner: a}`
	return "apiVersion: v1\nkind: Namespace\nmetadata: {name: " + namespace + ", " + annotations + "}\n---\n" +
		"apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: annotated, namespace: " + namespace + ", " + annotations + "}\n" +
		"spec: {replicas: 0, selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: main, image: web}]}}}\n"
}

// fiveCasesOf asks the five cases of a Deployment and of a Namespace in the name of everyone who matters.
func fiveCasesOf(t *testing.T, f inForce, file string, accounts [2]string) []posed {
	t.Helper()
	deployment, namespace := f.get(t, "apps", "deployments", "annotated"), f.get(t, "", "namespaces", f.namespace)
	newDeployment, newNamespace := renamedTo(deployment, "new"), renamedTo(namespace, f.newNamespace())
	hardened := strings.HasSuffix(f.namespace, "-hardened")
	prevention := []simulate.Outcome{simulate.Blocked}
	if strings.HasPrefix(file, "mutate") {
		prevention = []simulate.Outcome{simulate.Altered}
	}
	var questions []posed
	for _, who := range requestersOf(file, accounts) {
		for _, c := range []struct {
			name    string
			create  bool
			change  request.Change
			touches bool
		}{
			{"create", true, set("downscaler/exclude", "true"), true},
			{"add", false, set("downscaler/downtime", "never"), true},
			{"edit", false, set("downscaler/exclude", "false"), true},
			{"remove", false, remove("downscaler/uptime"), true},
			{"unrelated", false, set("example.com/owner", "b"), false},
		} {
			options := request.Options{}
			objects := map[string]bool{"Deployment": !slices.Contains(notDeployments, file), "Namespace": true} // and whether the hardened guard covers them
			for kind, covered := range objects {
				object := deployment
				switch {
				case c.create && kind == "Deployment":
					object = newDeployment
				case c.create:
					object = newNamespace
				case kind == "Namespace":
					object = namespace
				}
				if c.create {
					options.Operation = admission.Create
				}
				want := slices.Concat(allowed, prevented)
				if hardened {
					want = allowed
					if c.touches && covered && !who.meant {
						want = prevention
					}
				}
				questions = append(questions, posed{c.name + " " + kind, who.requester, f.annotating(t, who.requester, object, c.change, options), want})
			}
		}
	}
	return questions
}
