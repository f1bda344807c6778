package web_test

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"versus2048/internal/server"
	"versus2048/rules"
	"versus2048/tournament"
)

// wire is a TCP proxy in front of an arena. It can be cut.
type wire struct {
	url    string
	mu     sync.Mutex
	open   map[net.Conn]bool
	broken bool              // new connections are closed at once
	silent map[net.Conn]bool // streams that receive nothing any more
}

// newWire listens for the arena at a host and port.
func newWire(t *testing.T, arena string) *wire {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := &wire{url: "http://" + listener.Addr().String(), open: map[net.Conn]bool{}, silent: map[net.Conn]bool{}}
	go func() {
		for {
			near, err := listener.Accept()
			if err != nil {
				return
			}
			go w.carry(near, arena)
		}
	}()
	t.Cleanup(func() { listener.Close(); w.set(true) })
	return w
}

func (w *wire) carry(near net.Conn, arena string) {
	defer near.Close()
	far, err := net.Dial("tcp", arena)
	if err != nil {
		return
	}
	defer far.Close()
	w.mu.Lock()
	if w.broken {
		w.mu.Unlock()
		return
	}
	w.open[near], w.open[far] = true, true
	w.mu.Unlock()
	go func() { _, _ = io.Copy(far, near); far.Close() }()
	_, _ = io.Copy(&mouth{w: w, Conn: near}, far)
}

// mouth writes an arena's bytes to a browser, until the stream falls silent.
type mouth struct {
	net.Conn
	w *wire
}

func (m *mouth) Write(p []byte) (int, error) {
	m.w.mu.Lock()
	swallow, known := m.w.silent[m.Conn]
	if !known && bytes.Contains(p, []byte("text/event-stream")) {
		m.w.silent[m.Conn] = false
	}
	m.w.mu.Unlock()
	if swallow {
		return len(p), nil
	}
	return m.Conn.Write(p)
}

// silence lets nothing more arrive on the open streams, and tells neither end.
func (w *wire) silence() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for c := range w.silent {
		w.silent[c] = true
	}
}

// set breaks the wire with all connections on it, or mends it.
func (w *wire) set(broken bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.broken = broken
	if broken {
		for c := range w.open {
			c.Close()
			delete(w.open, c)
		}
	}
}

// reaches is true once the page of a game shows a ply.
func reaches(ply int) string {
	return fmt.Sprintf(`document.querySelector("article.game").replay.ply === %d`, ply)
}

// live opens the page of a game in progress, at the last ply.
func (b *tab) live(game int64) {
	b.t.Helper()
	b.visit(fmt.Sprintf("/games/%d", game))
	b.await(`document.querySelector("article.game").replay?.stream && document.querySelector(".curves figure")`) // the curves come last
	eval[bool](b, `(window.seen = [], document.querySelector("article.game").addEventListener("ply", (e) => seen.push(e.target.replay.ply)), true)`)
}

// overWire opens the page of a game in progress over a wire that can be cut. The page shows three plies.
func overWire(t *testing.T) (h *host, s *slow, w *wire, b *tab) {
	t.Helper()
	h = open(t)
	s = h.slow(nil)
	w = newWire(t, h.Address)
	b = browse(t, w.url)
	b.live(s.game)
	s.step(3)
	b.await(reaches(s.plies))
	return h, s, w, b
}

// A page goes on after its connection was cut, says so meanwhile, and shows every ply in order: the board
// is the arena's.
func TestCutStream(t *testing.T) {
	h, s, w, b := overWire(t)
	w.set(true)
	s.step(10)
	b.await(`!document.getElementById("notice").hidden`)
	if got := b.text("#notice"); !strings.Contains(got, "cannot be reached") {
		t.Errorf("the page says %q", got)
	}
	w.set(false)
	b.await(`document.getElementById("notice").hidden && ` + reaches(s.plies))
	s.step(1)
	b.await(reaches(s.plies))
	b.sameAs(h, s.game)
	wantRising(t, eval[[]int](b, "seen"))
}

// A connection falls silent without being closed, as after a laptop's sleep: the page notices by its
// clock, says so, and catches up over a new one.
func TestSilentConnection(t *testing.T) {
	h, s, w, b := overWire(t)
	shown := s.plies
	w.silence()
	s.step(10)
	until(t, "the plies that the page misses", func() bool { g, _ := h.server.Game(s.game); return len(g.Record.Moves) == s.plies })
	if got := eval[int](b, `document.querySelector("article.game").replay.ply`); got != shown {
		t.Fatalf("the page shows ply %d, it cannot know more than %d", got, shown)
	}
	eval[bool](b, `(() => {
		const now = Date.now, notice = document.getElementById("notice");
		window.said = [];
		new MutationObserver(() => said.push(notice.textContent)).observe(notice, { childList: true });
		Date.now = () => now() + 60000; // the laptop has slept for a minute
		return true;
	})()`)
	b.await(`said.some((text) => text.includes("cannot be reached"))`)
	b.await(`document.getElementById("notice").hidden && ` + reaches(s.plies))
	b.sameAs(h, s.game)
}

// While the arena is stopped every live page says so, and that it will reconnect.
func TestStoppedArena(t *testing.T) {
	h := open(t)
	s := h.slow(nil)
	var tabs []*tab
	for _, page := range []string{"/", fmt.Sprintf("/games/%d", s.game), fmt.Sprintf("/events/%d", s.event), fmt.Sprintf("/events/%d/boards", s.event)} {
		b := browse(t, h.URL())
		b.visit(page)
		b.await(`performance.getEntriesByType("resource").some((e) => e.name.endsWith(".js"))`)
		if strings.HasPrefix(page, "/games/") {
			b.await(`document.querySelector(".curves figure")`) // the last part to load
		}
		tabs = append(tabs, b)
	}
	h.stop()
	for _, b := range tabs {
		b.await(`document.getElementById("notice").textContent.includes("The arena cannot be reached. This page goes on when it is back.")`)
	}
	h.serve()
	for _, b := range tabs {
		b.await(`document.getElementById("notice").hidden`)
	}
}

// bars makes the arena refuse the page's requests with a text in their address, for good. The page's waits end at once:
// a page that asks again asks many times.
func (b *tab) bars(text string, status int) {
	b.t.Helper()
	eval[bool](b, fmt.Sprintf(`(() => {
		const ask = fetch, later = setTimeout;
		window.asked = 0;
		window.setTimeout = (act, wait = 0) => later(act, wait > 60000 ? wait : 0); // the test has longer waits
		window.fetch = async (address, ...more) => {
			if (!String(address).includes(%q)) return ask(address, ...more);
			asked++;
			return Response.json({ error: "this is not for you" }, { status: %d });
		};
		return true;
	})()`, text, status))
}

// restsBarred waits until the page gives the reason of the refusal. It fails the test if the page asks on: a change of
// the event may be the reason for one or two requests.
func (b *tab) restsBarred() {
	b.t.Helper()
	b.await(`document.getElementById("notice").textContent === "this is not for you"`)
	const waits = `(async () => { for (let i = 0; i < 100; i++) await new Promise((end) => setTimeout(end)); return asked; })()`
	before := eval[int](b, waits)
	if after := eval[int](b, waits); after > before+2 {
		b.t.Errorf("%s asks %d times more after %d refusals", eval[string](b, `location.pathname`), after-before, before)
	}
}

// A page whose reader has lost the right to look asks for its stream no more, and gives the arena's reason.
func TestStreamEndsWithTheRight(t *testing.T) {
	h := open(t)
	s := h.slow(nil)
	b := browse(t, h.URL())
	for page, status := range map[string]int{"/": 401, fmt.Sprintf("/games/%d", s.game): 403, fmt.Sprintf("/events/%d", s.event): 404, fmt.Sprintf("/events/%d/boards", s.event): 403} {
		b.visit(page)
		if strings.HasPrefix(page, "/games/") {
			b.await(`document.querySelector(".curves figure")`) // the last part to load
		}
		b.bars("/api/", status)
		eval[bool](b, `dispatchEvent(new Event("offline"))`) // the page connects again
		b.restsBarred()
	}
}

// A page whose reader has lost the right to look asks for its parts no more, and gives the arena's reason.
func TestRenewalEndsWithTheRight(t *testing.T) {
	h := open(t)
	s := h.slow(nil)
	b := browse(t, h.URL())
	b.live(s.game)
	b.bars("/curves", 404)
	s.step(1)
	b.restsBarred()
	event := fmt.Sprintf("/events/%d", s.event)
	b.visit(event)
	b.await(`document.querySelector("[data-games-list].windowed") !== null`) // its modules run
	b.bars(event, 403)
	s.play(1)
	b.restsBarred()
}

// A game's page gives the arena's reason if its first request is refused. It asks again, unless the arena refuses for
// good. It also asks again for the marks of the game.
func TestFirstRequestOfGameIsRefused(t *testing.T) {
	h := open(t)
	id := h.recorded(cooperate()[:20]).ID
	arena, err := url.Parse(h.URL())
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(arena) }}
	var status, marks atomic.Int32 // of the answers to the first request, 0 for the arena's; the number of requests for marks
	gate := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		refused := int(status.Load())
		if strings.HasSuffix(r.URL.Path, "/marks") && marks.Add(1) == 1 {
			refused = http.StatusTooManyRequests
		} else if r.URL.Path != fmt.Sprintf("/api/games/%d", id) {
			refused = 0
		}
		if refused == 0 {
			proxy.ServeHTTP(w, r)
			return
		}
		http.Error(w, `{"error": "this is not for you"}`, refused)
	}))
	defer gate.Close()
	b := browse(t, gate.URL)
	const replays = `document.querySelector("article.game").replay !== undefined`
	refuse := func(with int) {
		t.Helper()
		status.Store(int32(with)) // #nosec G115 -- a status
		b.visit(fmt.Sprintf("/games/%d", id))
		b.await(`document.getElementById("notice").textContent === "this is not for you"`)
		if eval[bool](b, replays) {
			t.Errorf("after status %d the page shows a game", with)
		}
	}
	refuse(http.StatusForbidden)
	refuse(http.StatusTooManyRequests)
	status.Store(0)
	b.await(replays + ` && document.getElementById("notice").hidden && document.querySelector("[data-marks] h2") !== null`)
}

// A page goes on after the arena was closed and opened again, when its event is resumed.
func TestRestartedArena(t *testing.T) {
	h := open(t)
	s := h.slow(nil)
	b := browse(t, h.URL())
	b.live(s.game)
	s.step(3)
	b.await(reaches(s.plies))
	h.restart()
	b.await(`document.getElementById("notice").hidden && document.querySelector("[data-result]").textContent.startsWith("interrupted")`)
	s.waiting = h.waiting("ann", 1)
	if err := h.server.Resume(t.Context(), s.event); err != nil {
		t.Fatal(err)
	}
	s.step(10)
	b.await(reaches(s.plies) + ` && document.querySelector("[data-result]").textContent === "in progress"`)
	b.sameAs(h, s.game)
	wantRising(t, eval[[]int](b, "seen"))
}

// sameAs fails the test unless the page has the moves and the last board of the game in the arena.
func (b *tab) sameAs(h *host, game int64) {
	b.t.Helper()
	type shown struct {
		Moves []rules.Move `json:"moves"`
		Tiles [][]int      `json:"tiles"`
	}
	got := eval[shown](b, `(({ moves, positions }) => ({ moves, tiles: positions.at(-1).tiles }))(document.querySelector("article.game").replay)`)
	g, ok := h.server.Game(game)
	if !ok || len(g.Record.Moves) < len(got.Moves) {
		b.t.Fatalf("the arena has %d plies (%t), the page %d", len(g.Record.Moves), ok, len(got.Moves))
	}
	p := positionAfter(&g.Record, len(got.Moves))
	if !reflect.DeepEqual(got.Moves, g.Record.Moves[:len(got.Moves)]) || !reflect.DeepEqual(got.Tiles, p.Tiles()) {
		b.t.Errorf("the page has %v after %d plies, the arena %v", got.Tiles, len(got.Moves), p.Tiles())
	}
}

func wantRising(t *testing.T, seen []int) {
	t.Helper()
	if len(seen) == 0 {
		t.Error("the page has shown no ply")
	}
	for i := 1; i < len(seen); i++ {
		if seen[i] < seen[i-1] {
			t.Errorf("ply %d came after %d", seen[i], seen[i-1])
		}
	}
}

// The first page goes on to the next game when one ends.
func TestTelevision(t *testing.T) {
	h := open(t)
	s := h.slow(func(e *tournament.Event) { e.Matches = 2 })
	b := browse(t, h.URL())
	b.visit("/")
	s.step(1)
	b.await(fmt.Sprintf(`document.querySelector("[data-ply-text]").textContent === "%d"`, s.plies))
	first := eval[string](b, `document.querySelector("[data-tv]").dataset.game`)
	if first != fmt.Sprint(s.game) {
		t.Errorf("the first page shows game %s, want %d", first, s.game)
	}
	s.play(1)
	s.waiting.step(2)
	b.await(fmt.Sprintf(`document.querySelector("[data-tv]").dataset.game !== %q && Number(document.querySelector("[data-ply-text]").textContent) > 3`, first))
	second := eval[string](b, `document.querySelector("[data-tv]").dataset.game`)
	if got := eval[string](b, `new URL(document.querySelector("[data-link]").href).pathname`); got != "/games/"+second {
		t.Errorf("the link leads to %s, want game %s", got, second)
	}
}

// The first page shows the end of a game that ended while the connection was lost, though no other is played.
func TestTelevisionMissesNoEnd(t *testing.T) {
	h := open(t)
	s := h.slow(nil)
	w := newWire(t, h.Address)
	b := browse(t, w.url)
	b.visit("/")
	s.step(1)
	b.await(fmt.Sprintf(`document.querySelector("[data-ply-text]").textContent === "%d"`, s.plies))
	if result := b.text("[data-result]"); result != "in progress" {
		t.Fatalf("the first page shows a game that is %q", result)
	}
	w.set(true)
	s.play(2)
	until(t, "the end of both games", func() bool { p, _ := h.server.Progress(s.event); return p.State == server.Finished })
	w.set(false)
	b.await(`document.querySelector("[data-result]").textContent !== "in progress"`)
	if got := eval[string](b, `document.querySelector("[data-tv]").dataset.game`); got != fmt.Sprint(s.game) {
		t.Errorf("the first page shows game %s, want the end of game %d", got, s.game)
	}
	if eval[bool](b, `document.querySelector("[data-tv] .turn") !== null`) {
		t.Error("a side is still to move")
	}
}

// The first page's stream goes on to games that are played also where there is no game that the page shows.
func TestTelevisionOfNoGame(t *testing.T) {
	h := open(t)
	s := h.slow(nil)
	if next := streamed(t, h, "/api/tv?seen=99-3", "game"); !strings.Contains(next, fmt.Sprintf(`"game":%d,`, s.game)) {
		t.Errorf("after that the stream has %s, want game %d", next, s.game)
	}
}
