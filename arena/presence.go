package arena

import (
	"context"
	"maps"
	"sync"
	"time"

	"versus2048/tournament"
)

// again calls look again and again in the background until done is called.
func again(ctx context.Context, look func(context.Context)) (done func()) {
	ctx, cancel := context.WithCancel(ctx)
	var looking sync.WaitGroup
	looking.Go(func() {
		ticker := time.NewTicker(doorInterval)
		defer ticker.Stop()
		for ctx.Err() == nil {
			look(ctx)
			select {
			case <-ticker.C:
			case <-ctx.Done():
			}
		}
	})
	return func() {
		cancel()
		looking.Wait()
	}
}

// attendance is whether a bot is there, and how often it has come.
type attendance struct {
	tournament.Presence
	connections int
}

// attendances returns the attendance of each bot that plays over a connection, by name.
func (l *lineup) attendances() map[string]attendance {
	l.mu.Lock()
	defer l.mu.Unlock()
	all := map[string]attendance{}
	for name, s := range l.slots {
		all[name] = attendance{l.remote(name, s).Presence(), s.session.Connections()}
	}
	return all
}

// expect lets the event try to start games whenever a bot has come back or is gone, until done is called: its games were
// put off. One that has come back between two looks has one connection more.
func (l *lineup) expect(ctx context.Context) (done func()) {
	var before map[string]attendance
	return again(ctx, func(context.Context) {
		if now := l.attendances(); !maps.Equal(now, before) {
			before = now
			l.stay.share.Wake()
		}
	})
}
