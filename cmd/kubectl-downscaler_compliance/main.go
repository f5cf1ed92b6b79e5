// Command kubectl-downscaler_compliance is the kubectl plugin "kubectl downscaler-compliance".
package main

import (
	"os"

	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/internal/cli"
)

func main() {
	streams := genericiooptions.IOStreams{In: os.Stdin, Out: os.Stdout, ErrOut: os.Stderr}
	os.Exit(int(cli.Run(streams, os.Args[1:])))
}
