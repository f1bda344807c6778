package protocol_test

import (
	"context"
	"errors"
	"net/http/httptest"
	"strings"
	"testing"

	"versus2048/players"
	"versus2048/protocol"
	"versus2048/rules"
)

func TestClientLeaves(t *testing.T) {
	a, player := newArena(), newThinker()
	ctx, cancel := context.WithCancel(t.Context())
	finished := run(ctx, client(a.listen(t), player))
	a.wait(t)
	p := position(t, "2,0/0,2 D 0 1")
	done := choose(t.Context(), a.sit("1", p), p)
	<-player.asked
	cancel()
	if err := <-finished; !errors.Is(err, context.Canceled) {
		t.Errorf("Run returned %v, want %v", err, context.Canceled)
	}
	wantError(t, done, players.ErrGone)
	if err := <-a.ended; !strings.Contains(err.Error(), "goodbye") {
		t.Errorf("the connection ended with %v, want a goodbye", err)
	}
}

func TestClientRefused(t *testing.T) {
	a := newArena()
	a.refuse <- protocol.NameInUse // before it was ever admitted
	err := client(a.listen(t), nil).Run(t.Context())
	var refused *protocol.RefusedError
	if !errors.As(err, &refused) || refused.Code != protocol.NameInUse || refused.Message != "the test wants it" {
		t.Errorf("Run returned %v, want the refusal", err)
	}
}

// After a loss the arena may take the client for a second one for a while.
func TestClientRefusedAfterLoss(t *testing.T) {
	a, player, _, done := thinking(t)
	a.refuse <- protocol.NameInUse
	a.refuse <- protocol.NameInUse
	a.cut <- struct{}{}
	<-a.ended
	player.move <- rules.South
	wantMove(t, done, rules.South)
	if len(a.refuse) > 0 {
		t.Error("the client did not come back through the refusals")
	}
}

func TestClientRefusedForGood(t *testing.T) {
	a := newArena()
	finished := run(t.Context(), client(a.listen(t), nil))
	a.wait(t)
	a.refuse <- protocol.BadToken
	a.cut <- struct{}{}
	err := <-finished
	if refused := new(protocol.RefusedError); !errors.As(err, &refused) || refused.Code != protocol.BadToken {
		t.Errorf("Run returned %v, want the refusal", err)
	}
}

func TestClientComesBackAfterGoodbye(t *testing.T) {
	a := newArena()
	finished := run(t.Context(), client(a.listen(t), nil))
	a.wait(t)
	a.session.Goodbye("a new version", true)
	<-a.ended
	a.wait(t)
	a.session.Goodbye("that's all", false)
	if err := <-finished; err != nil {
		t.Errorf("Run returned %v", err)
	}
}

func TestClientFindsNoArena(t *testing.T) {
	server := httptest.NewServer(newArena())
	url := "ws" + strings.TrimPrefix(server.URL, "http")
	server.Close()
	c := client(url, nil)
	c.Reconnect = 0
	if err := c.Run(t.Context()); err == nil || !strings.Contains(err.Error(), url) {
		t.Errorf("Run returned %v, want an error that names %s", err, url)
	}
}
