package report

import (
	"net/url"
	"path/filepath"
	"strings"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/audit"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// objectsBase is what the paths of objects are relative to that stand in no file.
const objectsBase = "OBJECTS"

// sarifLocationOf is where a finding's subject stands. Code scanning shows no result without a file, so that an object that has
// none gets a path of its own, which stays the same from run to run.
func sarifLocationOf(report *audit.Report, s audit.Subject) sarifLocation {
	location := sarifLocation{Logical: []sarifLogical{{
		Name: s.Name, FullyQualifiedName: subjectPath(s, "/"), Kind: "resource",
	}}}
	if s.Field != "" {
		location.Logical[0].FullyQualifiedName += "#" + s.Field
	}
	position, inFile := report.Positions[s]
	if !inFile || position.File == "-" {
		location.Physical.Artifact = sarifArtifact{URI: escapedPath(subjectPath(s, "/")), BaseID: objectsBase}
		return location
	}
	location.Physical.Artifact.URI = fileURI(position)
	if position.Line > 0 {
		location.Physical.Region = &sarifRegion{StartLine: position.Line}
	}
	return location
}

// subjectPath leads to an object: team-a/Deployment/web.
func subjectPath(s audit.Subject, separator string) string {
	var parts []string
	for _, part := range []string{s.Namespace, s.Kind, s.Name} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, separator)
}

// fileURI is relative where the path is.
func fileURI(position inventory.Position) string {
	path := filepath.ToSlash(filepath.Clean(position.File))
	if filepath.IsAbs(position.File) {
		return (&url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(path, "/")}).String()
	}
	return escapedPath(path)
}

func escapedPath(path string) string { return (&url.URL{Path: path}).String() }
