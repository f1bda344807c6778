package arena

import (
	"os/exec"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"versus2048/arena/launch"
	"versus2048/clock"
	"versus2048/protocol"
	"versus2048/tournament"
)

// A bot that the arena starts has a minute until it is connected, however short the grace is. That it is
// late is a failure of the start, told with what the process wrote.
func TestStartedBotMayStartSlowly(t *testing.T) {
	p, err := launch.Start(exec.Command("sh", "-c", "printf 'loading 3 GB of weights' >&2"))
	if err != nil {
		t.Fatal(err)
	}
	<-p.Exited // it has written all
	for _, late := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			session := protocol.NewSession(protocol.Hello{Name: "slow"}, time.Hour)
			l := &lineup{
				host:    &host{stalls: clock.NewStalls()},
				event:   tournament.Event{Grace: time.Second},
				entries: []tournament.Entry{{Name: "slow", Spec: "random"}},
				slots:   map[string]*slot{"slow": {session: session}}, processes: map[string]*launch.Process{"slow": p},
			}
			began := time.Now()
			if !late {
				delete(l.processes, "slow") // it was connected before
			}
			err := l.waitForBots(t.Context())
			want, wait := "not connected: slow", 10*time.Second
			if late {
				want, wait = `process has been running for 1m0s and wrote "loading 3 GB of weights"`, time.Minute
			}
			if err == nil || !strings.Contains(err.Error(), want) || time.Since(began) != wait {
				t.Errorf("after %v: %v, want %q after %v", time.Since(began), err, want, wait)
			}
			if away := l.away(); len(away) != 1 || away[0].Bot != "slow" {
				t.Errorf("away: %+v", away)
			}
		})
	}
}
