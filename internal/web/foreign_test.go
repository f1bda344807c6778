package web_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/chromedp/chromedp"

	"versus2048/internal/server"
	"versus2048/protocol"
	"versus2048/tournament"
)

// A page of another site in a logged-in operator's browser can neither write nor open a WebSocket, though the browser
// sends the operator's cookie along; the arena's own pages can do both.
func TestForeignPage(t *testing.T) {
	h := open(t)
	h.waiting("ann", 1)
	event := h.start(func(e *tournament.Event) { e.Bots = []string{"ann", "bob=random"} })
	foreign := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte("<!doctype html><title>foreign</title>"))
	}))
	defer foreign.Close()
	b := browse(t, h.URL())
	b.visit("/login?next=/events")
	b.run(chromedp.SendKeys(chromedp.CSS("#token"), h.secret+"\r"))
	b.await(`document.querySelector("#logout") !== null`)

	post := fmt.Sprintf(`fetch("%s/events/%d/pause", { method: "POST", mode: "no-cors", credentials: "include" }).then(() => true)`, h.URL(), event)
	socket := fmt.Sprintf(`new Promise((done) => {
		const socket = new WebSocket(%q, %q);
		socket.onopen = () => { socket.close(); done("open"); };
		socket.onerror = () => done("refused");
	})`, "ws"+h.URL()[len("http"):]+"/bot", protocol.Subprotocol)
	state := func() server.State {
		p, _ := h.server.Progress(event)
		return p.State
	}

	b.abroad(true)
	b.run(chromedp.Navigate(foreign.URL))
	eval[bool](b, post) // it is answered; a foreign page does not see how
	if got := eval[string](b, socket); got != "refused" || state() != server.Running {
		t.Errorf("a foreign page: its WebSocket is %s, the event that it pauses is %s", got, state())
	}
	b.visit("/events")
	b.abroad(false)
	eval[bool](b, post)
	if got := eval[string](b, socket); got != "open" || state() != server.Paused {
		t.Errorf("an own page: its WebSocket is %s, the event that it pauses is %s", got, state())
	}
}

// abroad says whether a page of another site is shown.
func (b *tab) abroad(is bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.foreign = is
}
