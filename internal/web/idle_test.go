package web_test

import (
	"bufio"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"versus2048/tournament"
)

// follow reads a stream in the background until the test ends. The channel gets the data of its events of a type.
func (h *house) follow(path, kind string) <-chan string {
	h.t.Helper()
	request, err := http.NewRequestWithContext(h.t.Context(), http.MethodGet, h.url+path, nil)
	if err != nil {
		h.t.Fatal(err)
	}
	answer := do(h.t, request)
	h.t.Cleanup(func() { answer.Body.Close() })
	got := make(chan string, 1000)
	go func() {
		defer close(got)
		for lines, found := bufio.NewScanner(answer.Body), false; lines.Scan(); {
			data, isData := strings.CutPrefix(lines.Text(), "data: ")
			if isData && found {
				got <- data
			}
			found = lines.Text() == "event: "+kind || found && lines.Text() != "" && !isData
		}
	}()
	return got
}

// While a bot thinks, nothing looks at its game for the pages of the game, of the event and of all boards, however much
// another event plays. Then each of its plies causes at most one look for each page that shows it.
func TestIdleEventCausesNoWork(t *testing.T) {
	h := open(t)
	looks := h.site.CountLooks()
	s := h.slow(nil)
	game := h.follow(fmt.Sprintf("/api/games/%d/live", s.game), "frame")
	for range 3 {
		<-h.follow(fmt.Sprintf("/api/events/%d/live", s.event), "state")
		<-h.follow(fmt.Sprintf("/api/events/%d/boards", s.event), "state")
	}
	<-game
	begun := looks.Load()
	if begun > 6 { // each thing may have changed once after the first look
		t.Errorf("%d looks for the first watchers, want one for all of each page", begun)
	}
	h.play(func(e *tournament.Event) {
		e.Matches, e.Bots = 40, []string{"eve=mcts:playouts=30", "fay=mcts:playouts=30"}
	})
	if n := looks.Load() - begun; n > 3 {
		t.Errorf("%d looks at an event in which nothing happens", n)
	}
	before := looks.Load()
	const steps = 5
	for range steps {
		s.step(1)
		<-game
	}
	// Ann's ply and the answer to it are two changes of the game and of the boards.
	if n := looks.Load() - before; n > 4*steps+3 {
		t.Errorf("%d looks for %d plies", n, 2*steps)
	}
}
