package cluster

import (
	"context"
	"fmt"
	"time"
)

// patience is how long Eventually waits at most. Most of what tests wait for takes up to two seconds.
const patience = 30 * time.Second

// Eventually calls check until it returns nil, and gives up with its last error when ctx ends or half a
// minute has passed.
func Eventually(ctx context.Context, check func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()

	ticker := time.NewTicker(100 * time.Millisecond)
	defer ticker.Stop()

	var last error
	for {
		err := check(ctx)
		if err == nil {
			return nil
		}
		// What a check says once the time is up is only that the time is up.
		if last == nil || ctx.Err() == nil {
			last = err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%w, last because: %w", ctx.Err(), last)
		case <-ticker.C:
		}
	}
}
