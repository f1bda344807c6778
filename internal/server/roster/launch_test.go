//go:build unix

package roster_test

import (
	"os/exec"
	"sync"
	"testing"
	"time"

	"versus2048/internal/server/roster"
)

// Processes that do not exit by themselves are all killed, also if they are stopped at the same time.
func TestStopSeveral(t *testing.T) {
	var stops sync.WaitGroup
	for range 3 {
		p, err := roster.StartOwn(exec.Command("cat")) // which reads until its input ends
		if err != nil {
			t.Fatal(err)
		}
		stops.Go(func() {
			p.Stop(time.Millisecond)
			<-p.Exited
		})
	}
	stops.Wait()
}
