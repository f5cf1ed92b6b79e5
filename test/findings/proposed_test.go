package findings

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/chart"
)

// proposed is how a guard is proposed to the audit before it is deployed.
type proposed struct {
	flag string
	// file is that of the open side's values, among those that pkg/chart records the chart's own policies of.
	file string
	// version is that of Kubernetes which the open side's values are for, where it is not the API server's.
	version string
}

var (
	applied   = proposed{} // it isn't: it is there
	manifests = proposed{flag: "--policies"}
)

const chartData = "../../pkg/chart/testdata/"

func values(file string) proposed { return proposed{flag: "--values", file: file} }

// deploy has kubectl apply what is proposed, as far as the API server takes it, and returns the flags by which the audit is told.
func (d proposed) deploy(t *testing.T, p place, content string) []string {
	t.Helper()
	content = p.in(content)
	if d.flag == manifests.flag {
		if refused := d.kubectl(t, p, content); refused != p.open {
			t.Errorf("kubectl can't apply all of it: %v", refused)
		}
		return []string{d.flag, d.write(t, "guard.yaml", content)}
	}
	if p.open {
		text, err := os.ReadFile(chartData + "values/" + d.file)
		if err != nil {
			t.Fatal(err)
		}
		content = string(text)
	}
	flags := []string{d.flag, d.write(t, "values.yaml", content)}
	if p.open && d.version != "" {
		flags = append(flags, "--from", d.write(t, "world.yaml", p.in(basics)), "--kube-version", d.version)
	}
	recorded := d.recorded(t)
	if p.open && !recorded.Renders {
		return flags
	}
	rendered := asTheChart(t, content)
	refused := d.kubectl(t, p, rendered)
	switch {
	case strings.Contains(rendered, "v1beta1"): // it was recorded on an API server that has this version
		if !refused {
			t.Error("kubectl applies policies in v1beta1")
		}
	case p.open:
		there := strings.Fields(p.administrate(t, rendered, "get", "-f", "-", "--ignore-not-found", "-o", "jsonpath={range .items[*]}{.kind}/{.metadata.name} {end}"))
		for _, o := range recorded.Objects {
			if slices.Contains(there, o.Kind+"/"+o.Name) != o.Accepted {
				t.Errorf("the API server has %v, and of the chart's own policies it took %+v", there, recorded.Objects)
			}
		}
	}
	return flags
}

func (proposed) kubectl(t *testing.T, p place, text string) (refused bool) {
	t.Helper()
	t.Cleanup(func() { p.remove(t, text) })
	return p.kubectl(t, p.server.Admin, text, "apply", "-f", "-").Code != 0
}

func (proposed) write(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// release is what was recorded of the chart itself: whether it renders, and which of its objects an API server took.
type release struct {
	KubeVersion string
	Renders     bool
	Objects     []struct {
		Kind, Name string
		Accepted   bool
	}
}

func (d proposed) recorded(t *testing.T) release {
	t.Helper()
	text, err := os.ReadFile(chartData + "decisions.json")
	if err != nil {
		t.Fatal(err)
	}
	var table struct {
		Files []struct {
			File     string
			Releases []release
		}
	}
	if err := json.Unmarshal(text, &table); err != nil {
		t.Fatal(err)
	}
	for _, f := range table.Files {
		for _, r := range f.Releases {
			if f.File == d.file && (d.version == "" || strings.HasSuffix(d.version, r.KubeVersion)) {
				return r
			}
		}
	}
	t.Fatalf("nothing is recorded of %s", d.file)
	return release{}
}

// asTheChart are the policies of values as the chart deploys them. pkg/chart has them as they are meant; where the chart writes something else, it is written so
// here: what the API server takes of that has to be what was recorded of the chart.
func asTheChart(t *testing.T, text string) string {
	t.Helper()
	values, err := chart.ReadValues("values.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	policies := values.Plain(chart.Release{Name: "downscaler", Namespace: "kube-downscaler"})
	actions := values.Compliance.ValidationActions
	var all []string
	add := func(kind string, object any) {
		document, err := json.Marshal(object)
		if err != nil {
			t.Fatal(err)
		}
		head := `{"apiVersion":"` + chart.WrittenVersion(kind).String() + `","kind":"` + kind + `",`
		all = append(all, "---\n"+head+strings.TrimPrefix(string(document), "{")+"\n")
	}
	for i, p := range policies.Validating {
		asWritten(values, p.Spec.MatchConditions)
		b := policies.ValidatingBindings[i]
		if actions.Joined {
			b.Spec.ValidationActions = []admissionregistrationv1.ValidationAction{admissionregistrationv1.ValidationAction(strings.Join(actions.Names, " "))}
		}
		add("ValidatingAdmissionPolicy", p)
		add("ValidatingAdmissionPolicyBinding", b)
	}
	for i, p := range policies.Mutating {
		asWritten(values, p.Spec.MatchConditions)
		add("MutatingAdmissionPolicy", p)
		add("MutatingAdmissionPolicyBinding", policies.MutatingBindings[i])
	}
	return strings.Join(all, "")
}

// asWritten puts users' patterns into the conditions as they stand in the values.
func asWritten(values *chart.Values, conditions []admissionregistrationv1.MatchCondition) {
	for i, c := range conditions {
		for _, u := range values.Compliance.Users {
			c.Expression = strings.ReplaceAll(c.Expression, strconv.Quote(u.Regex), `"`+u.Written+`"`)
		}
		conditions[i] = c
	}
}
