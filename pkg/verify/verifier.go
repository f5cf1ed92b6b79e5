// Package verify puts the requests that are simulated to the API server itself, by dry run and in the requester's name,
// and compares the answers: verdict, status, warnings of policies, and every stored annotation with the downscaler's
// prefix. It is a library: a CI bot or a controller may import it.
//
// It sends reads and dry runs, nothing else: every write goes through one function, which refuses to send it without
// dryRun=All, and a test proves from an API server's audit log that no other one arrives. A dry run goes
// through all of admission, but for webhooks that would have side effects: the server refuses it then.
//
// Audit annotations are not compared: the API server shows them to nobody but its audit log.
package verify

import (
	"context"
	"fmt"
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"

	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/request"
	"github.com/downscaler-compliance/kubectl-downscaler-compliance/pkg/simulate"
)

// Verifier puts requests to a simulator and to the API server that the simulator's inventory was read from. It is
// safe for concurrent use.
type Verifier struct {
	simulator *simulate.Simulator
	writer    rest.Interface
	heeding   *heeding
	missing   func(context.Context) string // the rules, found out once
	options   Options
}

// Options are the choices of a Verifier.
type Options struct {
	// Impersonate is the requester in whose name to ask. nil: the config's own identity, which is then the requester.
	Impersonate *request.Requester
	// Explain adds to steps that did not match the field that left the request out.
	Explain bool
}

// New returns a verifier. The config is the one that the simulator's inventory was read by. Whom it impersonates only
// reads: writes are made in the requester's name by the identity that the config authenticates as. The simulator's policies have to be
// those in force: the API server decides by no others.
func New(config *rest.Config, simulator *simulate.Simulator, options Options) (*Verifier, error) {
	config = rest.CopyConfig(config)
	config.WarningHandler, config.WarningHandlerWithContext = rest.NoWarnings{}, nil
	config.NegotiatedSerializer = scheme.Codecs.WithoutConversion()
	config.GroupVersion = &schema.GroupVersion{}
	reader, err := rest.UnversionedRESTClientFor(config)
	if err != nil {
		return nil, err
	}
	config.Impersonate = rest.ImpersonationConfig{}
	own, err := rest.UnversionedRESTClientFor(config)
	if err != nil {
		return nil, err
	}
	v := &Verifier{simulator: simulator, writer: own, heeding: &heeding{reader: reader}, options: options}
	v.missing = func(context.Context) string { return "" }
	if options.Impersonate == nil {
		return v, nil
	}
	config.Impersonate = impersonation(*options.Impersonate)
	if v.writer, err = rest.UnversionedRESTClientFor(config); err != nil {
		return nil, err
	}
	v.missing = once(rights{own: own, requester: *options.Impersonate}.missing)
	return v, nil
}

// once makes the first caller's answer that of all.
func once(ask func(context.Context) string) func(context.Context) string {
	var first sync.Once
	var answer string
	return func(ctx context.Context) string {
		first.Do(func() { answer = ask(ctx) })
		return answer
	}
}

// attempts is how often a question is asked whose object changes meanwhile.
const attempts = 2

// Run puts a question to both sides. It has no error: what could not be asked is part of the answer.
func (v *Verifier) Run(ctx context.Context, q Question) Result {
	for attempt := 1; ; attempt++ {
		result := v.once(ctx, q)
		if result.Agreement != Disagrees || q.Again == nil {
			return result
		}
		next, changed, err := q.again(ctx)
		switch {
		case err != nil:
			return result.not(NotAsked, err.Error())
		case !changed:
			return result
		case attempt == attempts:
			return result.not(NotAsked, "the object changes faster than it can be asked about")
		}
		q = next
	}
}

// once puts the question as it is.
func (v *Verifier) once(ctx context.Context, q Question) Result {
	first := q.Request
	first.Next = nil // a dry run stores nothing that a second request could build on
	simulation := v.simulator.Run(ctx, first, simulate.Options{Explain: v.options.Explain})
	result := newResult(simulation)
	if q.Request.NoRequest {
		return result.agreed()
	}
	if err := v.heeding.check(ctx, q.Request.Kind); err != nil {
		return result.not(NotAsked, err.Error())
	}
	server, err := v.ask(ctx, q)
	if err != nil {
		return result.not(NotAsked, "asking the API server: "+err.Error())
	}
	if q.Free != nil && wouldExist(server) && simulation.Outcome != simulate.Blocked && simulation.Outcome != simulate.Unknown {
		return v.underFreeName(ctx, q, result)
	}
	if d, denied := deniedBy(server.Status); denied && d.impersonation() {
		result.Server = &server
		return result.not(NotAsked, d.missing(v.missing(ctx)))
	}
	result.judge(q, server)
	return result
}

// ask sends the request as a dry run.
func (v *Verifier) ask(ctx context.Context, q Question) (Answer, error) {
	w, err := asDryRun(q.Wire)
	if err != nil {
		return Answer{}, err
	}
	got, err := send(ctx, v.writer, w)
	if err != nil {
		return Answer{}, err
	}
	return got.answer(q.Request)
}

// underFreeName asks again what would be stored if there were no object of the name, which admission let pass.
func (v *Verifier) underFreeName(ctx context.Context, q Question, result Result) Result {
	free, err := q.Free(ctx)
	if err != nil {
		return result.not(NotAsked, fmt.Sprintf("an object of the name exists, and under another one: %v", err))
	}
	free.Guard, free.Free = q.Guard, nil
	other := v.once(ctx, free)
	other.Object = result.Object
	return other
}
