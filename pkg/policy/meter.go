package policy

import (
	"context"
	"sync"
)

// Cost is what one list of a policy's expressions cost in one evaluation, in the API server's own units.
type Cost struct {
	Kind, Policy string
	// Part is the list's field, "matchConditions" or "validations", and Expressions how many are in it.
	Part        string
	Expressions int
	// Spent is more than Budget where the budget was exhausted.
	Spent, Budget int64
}

// Meter gathers the costs of the requests that are decided with its context. It is safe for concurrent use.
type Meter struct {
	mu    sync.Mutex
	costs []Cost
}

// WithMeter returns a context in which costs are counted.
func WithMeter(ctx context.Context) (context.Context, *Meter) {
	m := &Meter{}
	return context.WithValue(ctx, meterKey{}, m), m
}

type meterKey struct{}

// Costs are what was counted so far.
func (m *Meter) Costs() []Cost {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.costs
}

// meter counts one evaluation if the context asks for it. The library tells the rest of the budget, or something negative where there is none.
func (p *part) meter(ctx context.Context, r *recorder, budget, remaining int64) {
	m, _ := ctx.Value(meterKey{}).(*Meter)
	if m == nil || p.name != partMatchConditions && p.name != partValidations {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.costs = append(m.costs, Cost{
		Kind: r.kind, Policy: r.current.policy, Part: p.name, Expressions: len(p.mentions), Spent: budget - remaining, Budget: budget,
	})
}
