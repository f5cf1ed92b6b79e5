package cases

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"
	"sigs.k8s.io/yaml"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/test/cluster"
)

//go:embed world.yaml
var world []byte

// parallel is how many requests are sent at a time.
const parallel = 8

// Trial is one request of a case with the three answers.
type Trial struct {
	Server Answer
	Plugin Answer
	// Files is the plugin's answer by the case's file alone.
	Files Answer
	Err   error
}

// agent is the name under which the audit log has a request.
func agent(c Case, request int) string { return fmt.Sprintf("cases/%s/%d", c.Name, request) }

// try puts every request of the cases to both sides, on an API server that must be nobody else's.
func try(ctx context.Context, c *cluster.Cluster, cases []Case) ([][]Trial, error) {
	if err := install(ctx, c, cases); err != nil {
		return nil, err
	}
	inv, err := inventory.Live(ctx, c.Admin.Config, inventory.LiveOptions{})
	if err != nil {
		return nil, err
	}
	live, err := newLibrary(ctx, inv)
	if err != nil {
		return nil, err
	}
	trials := make([][]Trial, len(cases))
	var asking errgroup.Group
	asking.SetLimit(parallel)
	for i, one := range cases {
		asking.Go(func() error {
			sides := sides{server: &server{config: c.Admin.Config, inventory: inv}, live: live}
			var err error
			if sides.files, err = fromFiles(ctx, one); err != nil {
				return fmt.Errorf("case %s: %w", one.Name, err)
			}
			for j, r := range one.Requests {
				trials[i] = append(trials[i], sides.ask(ctx, r, agent(one, j)))
			}
			return nil
		})
	}
	if err := asking.Wait(); err != nil {
		return nil, err
	}
	return trials, addAudit(ctx, c, cases, trials)
}

// sides are those that are asked the same.
type sides struct {
	server *server
	live   *library // the plugin with the API server's state
	files  *library // the plugin with the case's manifests alone
}

func (s sides) ask(ctx context.Context, r Request, agent string) (trial Trial) {
	fail := func(side string, err error) Trial {
		trial.Err = fmt.Errorf("asking %s: %w", side, err)
		return trial
	}
	var err error
	if trial.Plugin, err = s.live.ask(ctx, r); err != nil {
		return fail("the plugin", err)
	}
	if trial.Files, err = s.files.ask(ctx, r); err != nil {
		return fail("the plugin by files", err)
	}
	if trial.Server, err = s.server.ask(ctx, r, agent); err != nil {
		return fail("the API server", err)
	}
	if trial.Server.Verdict != "" {
		return trial
	}
	built, err := s.live.build(ctx, r)
	if err != nil {
		return fail("the plugin", err)
	}
	proposed, err := asObject(built.Proposed)
	trial.Server.Verdict, trial.Err = verdictOf(proposed, trial.Server.Stored), err
	return trial
}

// fromFiles is the plugin with nothing but the manifests of a case and of what all cases share.
func fromFiles(ctx context.Context, c Case) (*library, error) {
	content, err := manifests(slices.Concat(c.Objects, c.Policies))
	if err != nil {
		return nil, err
	}
	inv, err := inventory.FromFiles(ctx,
		inventory.FileSource{Path: "world.yaml", Reader: bytes.NewReader(world)},
		inventory.FileSource{Path: c.Name, Reader: bytes.NewReader(content)})
	if err != nil {
		return nil, err
	}
	return newLibrary(ctx, inv)
}

// install creates what the cases need, their policies last, and waits until all of it is in force.
func install(ctx context.Context, c *cluster.Cluster, cases []Case) error {
	all := [][]byte{world}
	for _, one := range cases {
		content, err := manifests(slices.Concat(one.Objects, one.Policies))
		if err != nil {
			return fmt.Errorf("case %s: %w", one.Name, err)
		}
		all = append(all, content)
	}
	if err := c.Apply(ctx, bytes.Join(all, []byte("---\n"))); err != nil {
		return err
	}
	if err := waitForSchemas(ctx, c); err != nil {
		return err
	}
	return c.WaitForPolicies(ctx)
}

func manifests(objects []Object) ([]byte, error) {
	documents := make([]string, len(objects))
	for i, object := range objects {
		content, err := yaml.Marshal(object)
		if err != nil {
			return nil, err
		}
		documents[i] = string(content)
	}
	return []byte(strings.Join(documents, "---\n")), nil
}
