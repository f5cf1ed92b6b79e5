package report

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/audit"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// objectsBase is what the paths of objects are relative to that stand in no file.
const objectsBase = "OBJECTS"

// sarifLocationOf is where a finding's subject stands. Code scanning shows no result without a file, so that an object that has
// none gets a path of its own, which stays the same from run to run, and none without a region: it is the place where the subject's
// manifest begins, or the file.
func sarifLocationOf(report *audit.Report, s audit.Subject) sarifLocation {
	location := sarifLocation{Logical: []sarifLogical{{
		Name: s.Name, FullyQualifiedName: subjectPath(s, "/"), Kind: "resource",
	}}}
	if s.Field != "" {
		location.Logical[0].FullyQualifiedName += "#" + s.Field
	}
	position, inFile := report.Positions[s]
	if !inFile || position.File == "-" {
		location.Physical = sarifPhysical{Artifact: sarifArtifact{URI: escapedPath(subjectPath(s, "/")), BaseID: objectsBase}, Region: sarifPlace(1)}
		return location
	}
	location.Physical = sarifPhysical{Artifact: sarifArtifact{URI: fileURI(position)}, Region: sarifPlace(max(1, position.Line))}
	return location
}

// sarifPlace is the beginning of a line, from 1 on; a region that is empty is a place (3.30.2).
func sarifPlace(line int) sarifRegion {
	return sarifRegion{StartLine: line, StartColumn: 1, EndLine: line, EndColumn: 1}
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

// fileURI is relative where the path is, or where the file lies in the working directory: code scanning knows files by their path in a repository.
func fileURI(position inventory.Position) string {
	name := filepath.Clean(position.File)
	if here, err := os.Getwd(); err == nil && filepath.IsAbs(name) {
		if relative, err := filepath.Rel(here, name); err == nil && filepath.IsLocal(relative) {
			name = relative
		}
	}
	path := filepath.ToSlash(name)
	if filepath.IsAbs(name) {
		return (&url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(path, "/")}).String()
	}
	return escapedPath(path)
}

func escapedPath(path string) string { return (&url.URL{Path: path}).String() }
