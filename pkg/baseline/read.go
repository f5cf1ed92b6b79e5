package baseline

import (
	"bytes"
	"cmp"
	"fmt"
	"regexp"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/audit"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

var fingerprint = regexp.MustCompile(`^[0-9a-f]{32}$`)

// Is says whether a baseline may be written over a file: it says that it is one, or there is nothing in it.
func Is(text []byte) bool {
	if len(bytes.TrimSpace(text)) == 0 {
		return true
	}
	var header struct {
		APIVersion string `yaml:"apiVersion"`
		Kind       string `yaml:"kind"`
	}
	root, err := reader{}.parse(text)
	return err == nil && root.Decode(&header) == nil && header.APIVersion == simulate.APIVersion && header.Kind == kind
}

// Read reads a baseline. name is what errors call the file; each of them is an *inventory.InputError with the line.
func Read(name string, text []byte) (File, error) {
	r := reader{name}
	root, err := r.parse(text)
	if err != nil {
		return File{}, err
	}
	top, err := r.mapping(root, "", "apiVersion", "kind", "scope", "incomplete", "findings")
	if err != nil {
		return File{}, err
	}
	for _, want := range [][2]string{{"apiVersion", simulate.APIVersion}, {"kind", kind}} {
		key, want := want[0], want[1]
		if got, err := r.text(top[key], root, key); err != nil || got != want {
			return File{}, r.errorf(lineOf(top[key], root), key, "this must be %s; give a file that --write-baseline wrote", want)
		}
	}
	var file File
	if file.Scope, err = r.scope(top["scope"]); err != nil {
		return File{}, err
	}
	if file.Incomplete, err = r.gaps(top["incomplete"]); err != nil {
		return File{}, err
	}
	list := top["findings"]
	if list == nil || list.Kind != yaml.SequenceNode {
		return File{}, r.errorf(lineOf(list, root), "findings", "this must be a list of findings; [] where none is known")
	}
	for i, node := range list.Content {
		known, err := r.finding(node, fmt.Sprintf("findings[%d]", i))
		if err != nil {
			return File{}, err
		}
		file.Findings = append(file.Findings, known)
	}
	return file, nil
}

func (r reader) scope(node *yaml.Node) (scope audit.Scope, err error) {
	if node == nil {
		return scope, nil
	}
	return scope, r.fill(node, "scope", map[string]*string{"namespace": &scope.Namespace, "selector": &scope.Selector})
}

// gaps are what the audit that wrote the file could not look at.
func (r reader) gaps(node *yaml.Node) (gaps []inventory.Gap, err error) {
	if node == nil {
		return nil, nil
	}
	if node.Kind != yaml.SequenceNode {
		return nil, r.errorf(node.Line, "incomplete", "this must be a list of what could not be looked at")
	}
	for i, item := range node.Content {
		var gap inventory.Gap
		if err := r.fill(item, fmt.Sprintf("incomplete[%d]", i), map[string]*string{"what": &gap.What, "why": &gap.Why}); err != nil {
			return nil, err
		}
		gaps = append(gaps, gap)
	}
	return gaps, nil
}

func (r reader) finding(node *yaml.Node, field string) (known audit.KnownFinding, err error) {
	var severity string
	err = r.fill(node, field, map[string]*string{"id": &known.ID, "severity": &severity, "fingerprint": &known.Fingerprint}, "subject", "reach")
	if err != nil {
		return known, err
	}
	known.Severity = audit.Severity(severity)
	for i := 0; i+1 < len(node.Content); i += 2 {
		var failed error
		switch s, value := &known.Subject, node.Content[i+1]; node.Content[i].Value {
		case "subject":
			failed = r.fill(value, field+".subject", map[string]*string{"kind": &s.Kind, "namespace": &s.Namespace, "name": &s.Name, "field": &s.Field})
		case "reach":
			known.Reach, failed = r.reach(value, field+".reach")
		}
		err = cmp.Or(err, failed)
	}
	switch {
	case err != nil:
		return known, err
	case known.ID == "" || known.Subject.Kind == "":
		return known, r.errorf(node.Line, field, "a finding needs an id and a subject with a kind")
	case !slices.Contains(audit.Severities(), known.Severity):
		return known, r.errorf(node.Line, field+".severity", "there is no severity %q", severity)
	case !fingerprint.MatchString(known.Fingerprint):
		return known, r.errorf(node.Line, field+".fingerprint", "this is none; --write-baseline writes it")
	}
	return known, nil
}

// reach is what the finding concerned.
func (r reader) reach(node *yaml.Node, field string) (*audit.Extent, error) {
	values, err := r.mapping(node, field, "kinds", "namespaces", "everyNamespace")
	if err != nil {
		return nil, err
	}
	extent := &audit.Extent{}
	for key, into := range map[string]any{"kinds": &extent.Kinds, "namespaces": &extent.Namespaces, "everyNamespace": &extent.EveryNamespace} {
		if value := values[key]; value != nil && value.Decode(into) != nil {
			return nil, r.errorf(value.Line, field+"."+key, "this is none that --write-baseline wrote")
		}
	}
	return extent, nil
}
