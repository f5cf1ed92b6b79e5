package baseline

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/audit"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

const header = `# Findings that are known: an audit with --baseline and this file counts them, and only others fail it.
# To renew it, run the same audit with --baseline and --write-baseline, both with this file: what is gone is then left out, and what is new is in it.
`

// document is the file, and entry one finding in it, as YAML has them.
type document struct {
	APIVersion string   `yaml:"apiVersion"`
	Kind       string   `yaml:"kind"`
	Scope      *scope   `yaml:"scope,omitempty"`
	Incomplete []gap    `yaml:"incomplete,omitempty"`
	Findings   []*entry `yaml:"findings"`
}

type scope struct {
	Namespace string `yaml:"namespace,omitempty"`
	Selector  string `yaml:"selector,omitempty"`
}

type gap struct {
	What string `yaml:"what"`
	Why  string `yaml:"why"`
}

type entry struct {
	ID          string  `yaml:"id"`
	Severity    string  `yaml:"severity"`
	Subject     subject `yaml:"subject"`
	Fingerprint string  `yaml:"fingerprint"`
	Reach       *reach  `yaml:"reach,omitempty"`
}

type reach struct {
	Kinds          []string `yaml:"kinds,omitempty"`
	Namespaces     []string `yaml:"namespaces,omitempty"`
	EveryNamespace bool     `yaml:"everyNamespace,omitempty"`
}

type subject struct {
	Kind      string `yaml:"kind"`
	Namespace string `yaml:"namespace,omitempty"`
	Name      string `yaml:"name,omitempty"`
	Field     string `yaml:"field,omitempty"`
}

// Text is the file's content. The same findings give the same bytes, in whichever order they come.
func (f File) Text() ([]byte, error) {
	d := document{APIVersion: simulate.APIVersion, Kind: kind, Findings: []*entry{}}
	if f.Scope != (audit.Scope{}) {
		d.Scope = &scope{Namespace: f.Scope.Namespace, Selector: f.Scope.Selector}
	}
	for _, g := range f.Incomplete {
		d.Incomplete = append(d.Incomplete, gap{g.What, g.Why})
	}
	for _, known := range slices.SortedFunc(slices.Values(f.Findings), compareKnown) {
		s := known.Subject
		d.Findings = append(d.Findings, &entry{
			ID: known.ID, Severity: string(known.Severity), Fingerprint: known.Fingerprint,
			Subject: subject{Kind: s.Kind, Namespace: s.Namespace, Name: s.Name, Field: s.Field},
			Reach:   (*reach)(known.Reach),
		})
	}
	var b bytes.Buffer
	b.WriteString(header)
	encoder := yaml.NewEncoder(&b)
	encoder.SetIndent(2)
	encoder.CompactSeqIndent()
	if err := encoder.Encode(d); err != nil {
		return nil, fmt.Errorf("writing the baseline: %w", err)
	}
	return b.Bytes(), encoder.Close()
}

func compareKnown(a, b audit.KnownFinding) int {
	return cmp.Or(
		cmp.Compare(a.ID, b.ID),
		cmp.Compare(a.Subject.Kind, b.Subject.Kind), cmp.Compare(a.Subject.Namespace, b.Subject.Namespace),
		cmp.Compare(a.Subject.Name, b.Subject.Name), cmp.Compare(a.Subject.Field, b.Subject.Field),
		cmp.Compare(a.Fingerprint, b.Fingerprint),
	)
}
