package cli

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/chart"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// renderOptions are what policies render is told.
type renderOptions struct {
	streams     genericiooptions.IOStreams
	values      valuesFlags
	hardened    bool
	kubeVersion string
	output      outputFlags // of which only quiet is used
}

// newPoliciesRenderCommand returns policies render; a nil run is the real thing.
func newPoliciesRenderCommand(streams genericiooptions.IOStreams, run func(*renderOptions) error) *cobra.Command {
	if run == nil {
		run = func(o *renderOptions) error { return o.run() }
	}
	o := &renderOptions{streams: streams}
	cmd := &cobra.Command{
		Use:                   "render --values FILE [--hardened]",
		DisableFlagsInUseLine: true,
		Short:                 "Print the policies that an annotationsCompliance section stands for, ready to apply",
		Long: `Print the policies that the annotationsCompliance section of the downscaler's Helm values stands for, ready to apply: as
the chart deploys them, or hardened. The hardened guard closes what a policy can close: it names the subresources, matches
patterns from end to end, looks at nothing but the requester in its conditions, refuses what it can't evaluate, covers
workloads, namespaces and ReplicaSets, additions, edits and removals, and has a validating policy behind each mutating one.

No cluster is asked. Exit code 0: the manifests are printed. 2: wrong usage or input.`,
		Example: `  # What would break if the guard were hardened?
  kubectl downscaler-compliance policies render --values values.yaml --hardened > guard.yaml
  kubectl downscaler-compliance audit -A --policies guard.yaml --only-proposed

  # For an older cluster
  kubectl downscaler-compliance policies render --values values.yaml --hardened --kube-version v1.34`,
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error {
			if err := o.complete(); err != nil {
				return err
			}
			return run(o)
		},
	}
	addFlags(cmd, "What is rendered", func(flags *pflag.FlagSet) {
		o.values.add(flags)
		flags.BoolVar(&o.hardened, "hardened", false, "The guard that holds, not the chart's")
		flags.StringVar(&o.kubeVersion, "kube-version", "", "In the API versions that an API server of this `VERSION` serves, such as v1.34 (default: the newest known)")
	})
	addFlags(cmd, "Output", func(flags *pflag.FlagSet) {
		flags.BoolVar(&o.output.quiet, "quiet", false, "No notes on standard error")
	})
	return cmd
}

func (o *renderOptions) complete() error {
	if !o.values.given() {
		return usageErrorf("--values names the Helm values to render; give it")
	}
	if err := o.values.validate(); err != nil {
		return err
	}
	if err := checkPaths(pathFlag{"--values", o.values.paths()}); err != nil {
		return err
	}
	version, err := inventory.ParseVersion(cmp.Or(o.kubeVersion, inventory.NewestVersion()))
	if err != nil {
		return usageErrorf("--kube-version: %w", err)
	}
	o.kubeVersion = version
	return nil
}

// run prints the manifests, and on standard error what the chart would make of the values' mistakes.
func (o *renderOptions) run() error {
	o.output.announceStdin(o.streams.In, o.streams.ErrOut, pathFlag{"--values", o.values.paths()})
	values, err := o.values.read(o.streams.In)
	if err != nil {
		return err
	}
	manifests, err := values.Render(o.values.release, o.kubeVersion, o.hardened)
	if err != nil {
		return fmt.Errorf("%s: %w", o.values.file, err)
	}
	for _, m := range values.Mistakes(o.values.release, o.kubeVersion) {
		if o.hardened && !m.InPatterns() {
			continue // the hardened guard is not the chart's
		}
		o.output.remark(o.streams.ErrOut, "note: %s: %s: %s %s", m.ID, m.Field, m.Message, m.Remedy)
	}
	if beta := betaOf(manifests); beta != "" {
		o.output.remark(o.streams.ErrOut, "note: an API server of %s serves %s only where --runtime-config (and for mutating policies the feature gate MutatingAdmissionPolicy) switches it on", o.kubeVersion, beta)
	}
	for _, note := range o.notes(values) {
		o.output.remark(o.streams.ErrOut, "note: %s", note)
	}
	_, err = o.streams.Out.Write(manifests)
	return err
}

// notes say what else one should know of the manifests.
func (o *renderOptions) notes(values *chart.Values) []string {
	notes := values.Notes()
	if narrowed := values.Narrowed(); o.hardened && len(narrowed) > 0 {
		var written []string
		for _, p := range narrowed {
			written = append(written, p.Written)
		}
		notes = append(notes, fmt.Sprintf("the chart matches these patterns anywhere in a name, and the hardened guard from its beginning to its end, so that fewer names may pass: %s; "+
			"see for whom by audit --compare, and write .* where more is meant", strings.Join(written, ", ")))
	}
	return notes
}

// betaOf is the API version before v1 that manifests are in, if any: those have to be switched on.
func betaOf(manifests []byte) string {
	for _, version := range []string{"admissionregistration.k8s.io/v1beta1", "admissionregistration.k8s.io/v1alpha1"} {
		if strings.Contains(string(manifests), "apiVersion: "+version+"\n") {
			return version
		}
	}
	return ""
}
