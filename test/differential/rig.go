package differential

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"golang.org/x/sync/errgroup"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/test/cluster"
)

//go:embed world.yaml
var world []byte

// parallel is how many requests are sent at a time.
const parallel = 8

// ours is the label of every policy and binding of a round.
const ours = "differential"

// Rig is an API server with what every group needs, and the plugin's library beside it.
type Rig struct {
	cluster *cluster.Cluster
	client  *client
	kubectl *kubectl
	named   int // how many groups have got a name
}

// NewRig prepares an API server. It must be nobody else's.
func NewRig(ctx context.Context, c *cluster.Cluster) (*Rig, error) {
	if err := c.Apply(ctx, world); err != nil {
		return nil, err
	}
	inv, err := inventory.Live(ctx, c.Admin.Config, inventory.LiveOptions{})
	if err != nil {
		return nil, err
	}
	client, err := newClient(c.Admin.Config, inv.Kinds())
	if err != nil {
		return nil, err
	}
	kubectl, err := newKubectl(c) //nolint:contextcheck // each proxied request has a context of its own
	if err != nil {
		return nil, err
	}
	rig := &Rig{cluster: c, client: client, kubectl: kubectl}
	if err := rig.waitForSchemas(ctx); err != nil {
		return nil, errors.Join(err, rig.Close())
	}
	return rig, nil
}

// Close stops what NewRig started.
func (r *Rig) Close() error { return r.kubectl.close() }

// waitForSchemas waits until the API server knows the custom resources' schemas, which it looks for every
// five seconds and without which no ApplyConfiguration works.
func (r *Rig) waitForSchemas(ctx context.Context) error {
	group := schemaProbe()
	return cluster.Eventually(ctx, func(ctx context.Context) error {
		round, err := r.Round(ctx, []Group{group})
		if err != nil {
			return err
		}
		for _, why := range round.Refused {
			return errors.New(why)
		}
		for _, trial := range round.Trials {
			if trial.Server.Status != nil {
				return fmt.Errorf("%s", trial.Server.Status.Message)
			}
		}
		return nil
	})
}

// install creates what a round's groups need. A group that the API server refuses is left out, with its words.
func (r *Rig) install(ctx context.Context, groups []Group) (refused map[int]string, err error) {
	refused = map[int]string{}
	errs := make([]error, len(groups))
	stage := func(objects func(Group) []Object) error {
		var creating errgroup.Group
		creating.SetLimit(parallel)
		for i, group := range groups {
			creating.Go(func() error {
				for _, object := range objects(group) {
					if errs[i] != nil {
						return nil
					}
					errs[i] = r.client.post(ctx, object)
				}
				return nil
			})
		}
		return creating.Wait()
	}
	if err := stage(func(g Group) []Object { return g.Objects }); err != nil {
		return nil, err
	}
	if err := stage(labelled); err != nil {
		return nil, err
	}
	for i, err := range errs {
		if err != nil {
			refused[i] = err.Error()
		}
	}
	return refused, r.cluster.WaitForPolicies(ctx)
}

// labelled returns a group's policies and bindings with the label by which uninstall finds them.
func labelled(group Group) []Object {
	for _, policy := range group.Policies {
		if metadata, ok := policy["metadata"].(Object); ok {
			metadata["labels"] = Object{ours: "yes"}
		}
	}
	return group.Policies
}

// uninstall deletes the policies of all rounds. Their objects stay: nothing looks at them again.
func (r *Rig) uninstall(ctx context.Context) error {
	resources := []string{
		"validatingadmissionpolicybindings", "mutatingadmissionpolicybindings", "validatingadmissionpolicies", "mutatingadmissionpolicies",
	}
	var deleting errgroup.Group
	for _, resource := range resources {
		deleting.Go(func() error {
			answer, err := r.client.do(ctx, call{
				method: http.MethodDelete, path: "/apis/admissionregistration.k8s.io/v1/" + resource,
				query: url.Values{"labelSelector": {ours}},
			})
			if err == nil && answer.code != http.StatusOK {
				err = fmt.Errorf("deleting %s: %s", resource, answer.body)
			}
			return err
		})
	}
	if err := deleting.Wait(); err != nil {
		return err
	}
	return r.cluster.WaitForPolicies(ctx) // or they act on what the next round stores
}

// name gives each group a name that no other has had.
func (r *Rig) name(groups []Group) []Group {
	named := make([]Group, len(groups))
	for i, group := range groups {
		r.named++
		named[i] = group.Named(fmt.Sprintf("g%d", r.named))
	}
	return named
}
