package differential

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/inventory"
)

// Trial is one request with both answers.
type Trial struct {
	Group   int // its index in the round
	Request int
	Server  Answer
	Plugin  Answer
	// NotSimulated says why the plugin claims no answer.
	NotSimulated string
	// Diff is how the answers differ, empty where they don't.
	Diff string
}

// Round is what came of several groups that were tried at the same time.
type Round struct {
	Groups []Group // with their names
	Trials []Trial
	// Refused are the groups of which the API server refused an object or a policy, by index.
	Refused map[int]string
}

// Round tries groups: all policies are put in force at once, and then all requests are sent.
func (r *Rig) Round(ctx context.Context, groups []Group) (Round, error) {
	round := Round{Groups: r.name(groups)}
	var err error
	if round.Refused, err = r.install(ctx, round.Groups); err != nil {
		return round, err
	}
	inv, err := inventory.Live(ctx, r.cluster.Admin.Config, inventory.LiveOptions{})
	if err != nil {
		return round, err
	}
	plugin, err := newLibrary(ctx, inv, inv.Policies())
	if err != nil {
		return round, err
	}
	for i, group := range round.Groups {
		if _, refused := round.Refused[i]; refused {
			continue
		}
		for j := range group.Requests {
			round.Trials = append(round.Trials, Trial{Group: i, Request: j})
		}
	}
	if err := r.try(ctx, &round, plugin); err != nil {
		return round, err
	}
	return round, r.uninstall(ctx)
}

// try puts every request to both sides and compares.
func (r *Rig) try(ctx context.Context, round *Round, plugin *library) error {
	var asking errgroup.Group
	asking.SetLimit(parallel)
	ids := map[string]*Answer{}
	for i := range round.Trials {
		trial := &round.Trials[i]
		group := round.Groups[trial.Group]
		id := auditID(group, i)
		ids[id] = &trial.Server
		asking.Go(func() error {
			trial.NotSimulated = r.tryOne(ctx, trial, group.Requests[trial.Request], plugin, id)
			return nil
		})
	}
	if err := asking.Wait(); err != nil {
		return err
	}
	for i := range round.Trials {
		if trial := &round.Trials[i]; trial.Server.Unsent || strings.HasPrefix(trial.NotSimulated, notAsked) {
			delete(ids, auditID(round.Groups[round.Trials[i].Group], i))
		}
	}
	if err := r.auditAnnotations(ctx, ids); err != nil {
		return err
	}
	for i := range round.Trials {
		round.compare(&round.Trials[i])
	}
	return nil
}

// notAsked begins the reason why a request never came to the API server.
const notAsked = "not asked: "

// auditID is what the API server logs a trial's request under.
func auditID(group Group, trial int) string {
	return fmt.Sprintf("%s-%s-%d", ours, nameOfGroup(group), trial)
}

// tryOne asks both sides, and says why there is nothing to compare, if so.
func (r *Rig) tryOne(ctx context.Context, trial *Trial, request Request, plugin *library, id string) string {
	var err error
	if trial.Server, err = r.ask(ctx, request, id); err != nil {
		return notAsked + err.Error()
	}
	var unknown *notSimulated
	switch trial.Plugin, err = plugin.ask(ctx, request); {
	case errors.As(err, &unknown):
		return unknown.why
	case err != nil:
		trial.Diff = "error of the plugin\n  " + err.Error() + "\n"
	}
	return ""
}

// ask puts a request to the API server, by kubectl where it takes kubectl to know what is sent.
func (r *Rig) ask(ctx context.Context, request Request, id string) (Answer, error) {
	if request.Way == Apply {
		return r.applyByKubectl(ctx, request, id)
	}
	return r.client.ask(ctx, request, id)
}

func (r *Round) compare(trial *Trial) {
	request := r.Groups[trial.Group].Requests[trial.Request]
	trial.Server = trial.Server.withoutGeneratedName(textAt(request.Object, "metadata", "generateName"))
	if trial.NotSimulated != "" || trial.Diff != "" {
		return
	}
	trial.Diff = Compare(trial.Server, trial.Plugin)
}

// nameOfGroup is the name that the group got, as its policies' names begin with it.
func nameOfGroup(group Group) string {
	for _, object := range group.Objects {
		if label := textAt(object, "metadata", "labels", "group"); label != "" {
			return label
		}
	}
	return "unnamed"
}
