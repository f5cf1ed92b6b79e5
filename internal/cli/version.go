package cli

import (
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"sigs.k8s.io/yaml"
)

// version is what the version command tells.
type version struct {
	Version   string `json:"version"`
	Commit    string `json:"commit,omitempty"`
	GoVersion string `json:"goVersion"`
	// Admission is the version of k8s.io/apiserver, whose code decides what policies do.
	Admission string `json:"admission"`
	Platform  string `json:"platform"`
}

// admissionModule is where the code comes from that decides.
const admissionModule = "k8s.io/apiserver"

func newVersionCommand(streams genericiooptions.IOStreams) *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use:                   "version [-o json|yaml]",
		DisableFlagsInUseLine: true,
		Short:                 "Show which version this is, and which API server's code it decides by",
		Args:                  noArguments,
		RunE: func(*cobra.Command, []string) error {
			text, err := thisVersion().format(output)
			if err != nil {
				return err
			}
			_, err = streams.Out.Write(text)
			return err
		},
	}
	addFlags(cmd, "Output", func(flags *pflag.FlagSet) {
		flags.StringVarP(&output, "output", "o", "", "json or yaml; without it a sentence")
	})
	complete(cmd, "output", "json", "yaml")
	return cmd
}

// thisVersion is read from what the Go toolchain writes into every program.
func thisVersion() version {
	v := version{Version: "unknown", Admission: "unknown", GoVersion: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	info, found := debug.ReadBuildInfo()
	if !found {
		return v
	}
	if info.Main.Version != "" {
		v.Version = info.Main.Version
	}
	for _, setting := range info.Settings {
		if setting.Key == "vcs.revision" {
			v.Commit = setting.Value
		}
	}
	for _, module := range info.Deps {
		if module.Path == admissionModule {
			v.Admission = module.Version
		}
	}
	return v
}

func (v version) format(output string) ([]byte, error) {
	switch output {
	case "":
		return fmt.Appendf(nil, "%s %s, with the admission code of %s %s, %s\n", displayName, v.Version, admissionModule, v.Admission, v.Platform), nil
	case "json":
		text, err := json.MarshalIndent(v, "", "  ")
		return append(text, '\n'), err
	case "yaml":
		return yaml.Marshal(v)
	}
	return nil, usageErrorf("unknown output format %q: use json or yaml", output)
}
