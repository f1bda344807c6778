package templates_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"versus2048/internal/server"
	"versus2048/internal/server/gate"
	"versus2048/internal/testkit"
	"versus2048/protocol"
	"versus2048/results"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// playsOverNetwork lets a bot connect to an arena, which is closed and opened again, and turns the bot away before
// and in between. Then it plays a match with the bot under each rules, kills it in the middle of an event and starts
// it again, and says goodbye.
func playsOverNetwork(t *testing.T, folder, run string) {
	t.Helper()
	waitsASecond(t, folder, run)
	store, err := results.Open(t.Context(), filepath.Join(t.TempDir(), "arena.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	door := testkit.NewArena(t)
	address := door.Address
	bot := startTester(t, folder, run, address)
	turnAway(t, address, protocol.NameInUse) // as after it was killed and started again
	await(t, serve(t, store, door))
	door.Stop()
	turnAway(t, address, protocol.NameInUse, protocol.Busy, protocol.InternalError, noArena, breaksOff)
	arena := serve(t, store, door)
	await(t, arena) // it has come back
	for _, r := range rules.Rulesets() {
		match(t, arena, r)
	}
	// The bot has forgotten its secret.
	bot = rejoin(t, arena, bot, func() *exec.Cmd { return startTester(t, folder, run, address) })
	err = store.Games(t.Context(), results.Filter{Finished: true}, func(g results.Stored) error {
		if g.Record.Ending != record.Mate {
			t.Errorf("a game under %v ended by %v: %s", g.Record.Start.Rules(), g.Record.Ending, g.Record.Detail)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	door.Stop()
	sayGoodbye(t, address)
	if err := bot.Wait(); err != nil {
		t.Errorf("after a goodbye the bot fails: %v", err)
	}
}

// waitsASecond refuses a bot, which has to try again after a second, as docs/PROTOCOL.md says.
func waitsASecond(t *testing.T, folder, run string) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if conn, _, err := protocol.Accept(w, r, protocol.DefaultLimits()); err == nil { // else it was killed
			conn.Refuse(protocol.Busy, "come back later")
		}
	}))
	defer server.Close()
	bot := command(t, folder, run, "ws"+strings.TrimPrefix(server.URL, "http")+"/bot", "tester")
	bot.Stderr = nil
	said, err := bot.StderrPipe()
	if err == nil {
		err = bot.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	defer kill(bot)
	for lines := bufio.NewScanner(said); lines.Scan(); {
		if _, pause, told := strings.Cut(lines.Text(), "trying again in "); told {
			if strings.TrimRight(pause, " s") != "1" {
				t.Errorf("after its first refusal the bot waits %s", pause)
			}
			return
		}
	}
	t.Error("the bot does not say when it tries again")
}

// startTester starts a bot, which is killed at the end of the test at the latest.
func startTester(t *testing.T, folder, run, address string) *exec.Cmd {
	t.Helper()
	bot := command(t, folder, run, "ws://"+address+"/bot", "tester")
	if err := bot.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { kill(bot) })
	return bot
}

// kill ends a bot as kill -9 does.
func kill(bot *exec.Cmd) {
	_ = bot.Process.Kill() // it may have exited
	_ = bot.Wait()         // likewise
}

// serve opens an arena.
func serve(t *testing.T, store *results.Store, door *testkit.Arena) *server.Server {
	t.Helper()
	log := slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelWarn}))
	arena := server.New(server.Config{Store: store, Tokens: store.Tokens(), Registration: gate.RegistrationByInvitation, Register: store.Tokens(), Grace: time.Minute, Limits: protocol.DefaultLimits(), Log: log})
	door.Serve(t, func(ctx context.Context, l net.Listener) error { return arena.Serve(ctx, l) })
	return arena
}

// The reasons of turnAway besides the codes of refusals.
const (
	noArena   protocol.Code = "no arena"   // a server that is no arena: the bot must close the connection
	breaksOff protocol.Code = "breaks off" // an arena that ends in the middle of a message
)

// turnAway turns a bot away that comes, once for each reason.
func turnAway(t *testing.T, address string, reasons ...protocol.Code) {
	t.Helper()
	listener, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	codes := make(chan protocol.Code, len(reasons))
	for _, code := range reasons {
		codes <- code
	}
	done := make(chan struct{}, cap(codes))
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() { done <- struct{}{} }()
		code := <-codes
		switch code {
		case noArena:
			serveNoArena(t, w)
			return
		case breaksOff:
			breakOff(t, w, r)
			return
		}
		conn, _, err := protocol.Accept(w, r, protocol.DefaultLimits())
		if err != nil {
			t.Error(err)
			return
		}
		conn.Refuse(code, "come back later")
	})}
	go func() { _ = server.Serve(listener) }()
	defer server.Close()
	for range cap(done) {
		select {
		case <-done:
		case <-time.After(2 * time.Minute):
			t.Fatalf("the bot does not come back, or keeps a connection open: %d refusals are left", len(codes))
		}
	}
}

// sayGoodbye says goodbye for good to the bot that comes.
func sayGoodbye(t *testing.T, address string) {
	t.Helper()
	listener, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, hello, err := protocol.Accept(w, r, protocol.DefaultLimits())
		if err != nil {
			done <- err
			return
		}
		session := protocol.NewSession(hello, time.Minute)
		session.OnConnect(func() { session.Goodbye("that was all", false) })
		_ = session.Serve(r.Context(), conn, hello) // the connection has ended
		done <- nil
	})}
	go func() { _ = server.Serve(listener) }()
	defer server.Close()
	select {
	case err := <-done:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(2 * time.Minute):
		t.Fatal("the bot does not come back")
	}
}

// A bot that cannot connect as it was told says why and ends.
func TestWrongAddress(t *testing.T) {
	page := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(page.Close)
	for _, c := range []struct{ language, run, want string }{
		{"python", "python3 bot.py --help", "python3 bot.py ws://127.0.0.1:2048/bot NAME"},
		{"python", "python3 bot.py " + page.URL + "/bot", "python3 bot.py ws://127.0.0.1:2048/bot NAME"},
		{"python", "python3 bot.py ws" + strings.TrimPrefix(page.URL, "http"), "no arena, the answer is HTTP/1.1 400 Bad Request; the address of bots ends in /bot\n"},
		{"javascript", "node --no-experimental-websocket bot.mjs ws://127.0.0.1:1/bot x", "this needs Node 22 or newer"},
	} {
		_, folder := written(t, c.language)
		bot := command(t, folder, c.run)
		var said strings.Builder
		bot.Stderr = &said
		if err := bot.Run(); !errors.As(err, new(*exec.ExitError)) || !strings.Contains(said.String(), c.want) {
			t.Errorf("%s: %v, it says %q", c.run, err, said.String())
		}
	}
}

// serveNoArena answers a bot as a server that is out of order, and waits until the bot has closed the
// connection.
func serveNoArena(t *testing.T, w http.ResponseWriter) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		t.Error(err)
		return
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(time.Minute))
	_, _ = io.WriteString(conn, "HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
	if _, err := io.Copy(io.Discard, conn); errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("the bot does not close a connection without an arena: %v", err)
	}
}

// breakOff ends a connection in the middle of the first message.
func breakOff(t *testing.T, w http.ResponseWriter, r *http.Request) {
	upgrader := websocket.Upgrader{Subprotocols: []string{protocol.Subprotocol}}
	ws, err := upgrader.Upgrade(w, r, nil)
	if err == nil {
		defer ws.Close()
		_, _, err = ws.ReadMessage() // the hello
	}
	if err == nil {
		_, err = ws.NetConn().Write([]byte("\x81\x7d{")) // the first of 125 bytes
	}
	if err != nil {
		t.Error(err)
	}
}

// await waits until the bot is connected.
func await(t *testing.T, arena *server.Server) {
	t.Helper()
	awaitBot(t, arena, func(b server.BotInfo) bool { return !b.Away })
}

// awaitBot waits until the bot is there in a state.
func awaitBot(t *testing.T, arena *server.Server, is func(server.BotInfo) bool) {
	t.Helper()
	for !slices.ContainsFunc(arena.Bots(), func(b server.BotInfo) bool { return b.Name == "tester" && is(b) }) {
		select {
		case <-time.After(10 * time.Millisecond):
		case <-t.Context().Done():
			t.Fatal("the bot does not come")
		}
	}
}

// event is one of the bot with a random one.
func event(r rules.Ruleset, matches int) tournament.Event {
	return tournament.Event{
		Name: "test", Rules: r, Size: rules.Size{Width: 3, Height: 2}, Seed: 7, Matches: matches,
		Bots: []string{"tester", "random"}, Concurrency: 1, InProcess: true,
	}
}

// match plays a match of the bot with a random one.
func match(t *testing.T, arena *server.Server, r rules.Ruleset) {
	t.Helper()
	id, err := arena.Start(t.Context(), event(r, 1))
	if err != nil {
		t.Fatal(err)
	}
	if err := arena.Follow(t.Context(), id, 0, func(server.Progress) error { return nil }); err != nil {
		t.Fatal(err)
	}
}

// rejoin kills a bot in the middle of an event and starts it again with start. It returns when games have been played
// after that, and the event is stopped.
func rejoin(t *testing.T, arena *server.Server, bot *exec.Cmd, start func() *exec.Cmd) *exec.Cmd {
	t.Helper()
	id, err := arena.Start(t.Context(), event(rules.GPCC2015, 100_000))
	if err != nil {
		t.Fatal(err)
	}
	games := func(more int) {
		first, enough := -1, errors.New("enough")
		err := arena.Follow(t.Context(), id, 0, func(p server.Progress) error {
			if first < 0 {
				first = p.Done
			}
			if p.Done >= first+more {
				return enough
			}
			return nil
		})
		if !errors.Is(err, enough) {
			t.Fatalf("the event does not go on: %v", err)
		}
	}
	games(1)
	kill(bot)
	awaitBot(t, arena, func(b server.BotInfo) bool { return b.Away })
	bot = start()
	await(t, arena)
	games(3)
	if err := arena.Stop(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	return bot
}
