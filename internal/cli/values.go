package cli

import (
	"io"
	"os"

	"github.com/spf13/pflag"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/chart"
)

// The release that values are taken for where no other is named: the chart's own name, in a namespace of its own.
var defaultRelease = chart.Release{Name: "go-kube-downscaler", Namespace: "kube-downscaler"}

// valuesFlags name the chart's values, and the release that they are for.
type valuesFlags struct {
	file    string
	files   []string
	release chart.Release
}

func (f *valuesFlags) add(flags *pflag.FlagSet) {
	flags.StringArrayVar(&f.files, "values", nil, "Helm values of the downscaler with an annotationsCompliance section, or that section alone, in this `FILE`: the policies that it stands for")
	flags.StringVar(&f.release.Name, "release-name", defaultRelease.Name, "The Helm release that --values are for; its `NAME` is part of the downscaler's service accounts' names")
	flags.StringVar(&f.release.Namespace, "release-namespace", defaultRelease.Namespace, "The `NAMESPACE` that the downscaler runs in")
}

func (f *valuesFlags) given() bool { return len(f.files) > 0 }

// paths are the file, as other flags' paths are.
func (f *valuesFlags) paths() []string {
	if !f.given() {
		return nil
	}
	return f.files
}

// validate refuses a release without values, and one that there can't be.
func (f *valuesFlags) validate() error {
	switch {
	case len(f.files) > 1:
		return usageErrorf("--values names several files, and one is read; give the merged one, such as helm get values RELEASE -a prints")
	case f.given() && f.files[0] == "":
		return usageErrorf("--values names no file")
	case f.given() && (f.release.Name == "" || f.release.Namespace == ""):
		return usageErrorf("--release-name and --release-namespace can't be empty: the downscaler's service accounts are named by them")
	case !f.given() && f.release != defaultRelease && f.release != chart.Release{}:
		return usageErrorf("--release-name and --release-namespace are about --values; give that, too")
	}
	if f.given() {
		f.file = f.files[0]
	}
	return nil
}

// read returns the values.
func (f *valuesFlags) read(stdin io.Reader) (*chart.Values, error) {
	var text []byte
	var err error
	if f.file == standardInput {
		text, err = io.ReadAll(stdin)
	} else {
		text, err = os.ReadFile(f.file)
	}
	if err != nil {
		return nil, usageErrorf("--values: %w", err)
	}
	return chart.ReadValues(f.file, text)
}
