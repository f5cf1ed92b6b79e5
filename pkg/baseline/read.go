package baseline

import (
	"fmt"
	"regexp"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/audit"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

var fingerprint = regexp.MustCompile(`^[0-9a-f]{32}$`)

// Read reads a baseline. name is what errors call the file; each of them is an *inventory.InputError with the line.
func Read(name string, text []byte) (File, error) {
	r := reader{name}
	root, err := r.parse(text)
	if err != nil {
		return File{}, err
	}
	top, err := r.mapping(root, "", "apiVersion", "kind", "scope", "findings")
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

func (r reader) finding(node *yaml.Node, field string) (known audit.KnownFinding, err error) {
	var severity string
	err = r.fill(node, field, map[string]*string{"id": &known.ID, "severity": &severity, "fingerprint": &known.Fingerprint}, "subject")
	if err != nil {
		return known, err
	}
	known.Severity = audit.Severity(severity)
	for i := 0; i+1 < len(node.Content); i += 2 {
		if s := &known.Subject; node.Content[i].Value == "subject" {
			err = r.fill(node.Content[i+1], field+".subject", map[string]*string{"kind": &s.Kind, "namespace": &s.Namespace, "name": &s.Name, "field": &s.Field})
		}
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
