// Package plugin builds the plugin and runs it through the real kubectl, as a user would.
package plugin

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Plugin is a built plugin in a folder of its own.
type Plugin struct {
	folder  string
	kubectl string
}

// Output is what one run printed, and its exit code.
type Output struct {
	Stdout, Stderr string
	Code           int
}

// Build builds the plugin for a kubectl. Remove takes it away again.
func Build(kubectl string) (*Plugin, error) {
	folder, err := os.MkdirTemp("", "plugin-")
	if err != nil {
		return nil, err
	}
	build := exec.Command("go", "build", "-o", filepath.Join(folder, "kubectl-downscaler_compliance"), "github.com/downscaler-compliance/kubectl-downscaler-compliance/cmd/kubectl-downscaler_compliance")
	if out, err := build.CombinedOutput(); err != nil {
		return nil, errors.Join(fmt.Errorf("building the plugin: %w\n%s", err, out), os.RemoveAll(folder))
	}
	return &Plugin{folder: folder, kubectl: kubectl}, nil
}

// Remove takes the built plugin away.
func (p *Plugin) Remove() error { return os.RemoveAll(p.folder) }

// Run runs `kubectl downscaler-compliance` with some arguments.
func (p *Plugin) Run(ctx context.Context, kubeconfig, stdin string, args ...string) (Output, error) {
	return p.Kubectl(ctx, kubeconfig, stdin, append([]string{"downscaler-compliance"}, args...)...)
}

// Kubectl runs kubectl, with the plugin where it finds it. A run that ends with an exit code is no error.
func (p *Plugin) Kubectl(ctx context.Context, kubeconfig, stdin string, args ...string) (Output, error) {
	return p.run(exec.CommandContext(ctx, p.kubectl, args...), kubeconfig, stdin)
}

// Shell runs a command line as a user's shell would, kubectl and the plugin on its PATH.
func (p *Plugin) Shell(ctx context.Context, kubeconfig, line string) (Output, error) {
	return p.run(exec.CommandContext(ctx, "sh", "-c", line), kubeconfig, "")
}

func (p *Plugin) run(cmd *exec.Cmd, kubeconfig, stdin string) (Output, error) {
	path := strings.Join([]string{p.folder, filepath.Dir(p.kubectl), os.Getenv("PATH")}, string(os.PathListSeparator))
	cmd.Env = append(os.Environ(), "PATH="+path, "KUBECONFIG="+kubeconfig)
	cmd.Stdin = strings.NewReader(stdin)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return Output{}, err
	}
	return Output{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()}, nil
}
