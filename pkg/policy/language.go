package policy

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/apiserver/pkg/util/compatibility"
)

// language is the CEL of one version of the API server. A version that brings a feature runs it in policies that are stored already,
// and takes it into new ones only from the next version on, so that a cluster can be rolled back
// (k8s.io/apiserver pkg/cel/environment, DefaultCompatibilityVersion).
type language struct {
	server, newest *version.Version
}

// languageOf returns the language of a server's version, as it calls itself, such as "v1.36.3-gke.100". Of a version that can't
// be read, the newest known one is taken.
func languageOf(server string) language {
	newest := compatibility.DefaultBuildEffectiveVersion().BinaryVersion()
	l := language{server: majorMinor(newest, 0), newest: majorMinor(newest, 0)}
	if parsed, err := version.ParseGeneric(server); err == nil {
		l.server = majorMinor(parsed, 0)
	}
	return l
}

// majorMinor returns the minor version that is a number of them earlier.
func majorMinor(v *version.Version, earlier uint) *version.Version {
	return version.MajorMinor(v.Major(), v.Minor()-min(earlier, v.Minor()))
}

// compiles is the environment of a set in which this package compiles: all that the set's version knows, and nothing newer.
const compiles = environment.NewExpressions

// stored is the environment that expressions of stored policies are run in.
func (l language) stored() *environment.EnvSet { return environment.MustBaseEnvSet(l.server) }

// accepted is the environment that expressions of new and changed policies must compile in.
func (l language) accepted() *environment.EnvSet {
	return environment.MustBaseEnvSet(majorMinor(l.server, 1))
}

// Newer says whether a server is newer than what this program knows: what does not compile here may compile there.
func Newer(server string) bool { return languageOf(server).newer() }

func (l language) newer() bool { return !l.newest.AtLeast(l.server) }

// beyond says why a policy can't be decided here: the server is newer than what this program knows, and an expression of the policy
// does not compile. Of any other version it is certain that the expression fails. nil: it can.
func (l language) beyond(compileErrors func() ([]CompileError, error)) error {
	if !l.newer() {
		return nil
	}
	errs, err := compileErrors()
	if err != nil || len(errs) == 0 {
		return err
	}
	return fmt.Errorf("%s does not compile in the CEL of Kubernetes v%s, the newest that this program knows, and the server is v%s", errs[0].Field, l.newest, l.server)
}
