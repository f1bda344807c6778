package protocol_test

import (
	"context"
	"errors"
	"net"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"

	"versus2048/protocol"
	"versus2048/rules"
)

// greet sends a hello over a new connection and returns the welcome, or the code of the refusal.
func greet(t *testing.T, url string, resume *string) (*bot, protocol.Welcome, protocol.Code) {
	t.Helper()
	b := dial(t, url)
	b.send(protocol.Hello{Name: "bot", Slots: 8, Resume: resume})
	switch m := receive[protocol.Message](b).(type) {
	case protocol.Welcome:
		return b, m, ""
	case protocol.Refusal:
		return b, protocol.Welcome{}, m.Code
	}
	t.Fatal("the arena answers neither with a welcome nor with a refusal")
	return nil, protocol.Welcome{}, ""
}

// machines is a listener for connections from one address after the other.
type machines struct {
	net.Listener
	addresses chan string
}

func (m machines) Accept() (net.Conn, error) {
	conn, err := m.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return machine{conn, &net.TCPAddr{IP: net.ParseIP(<-m.addresses)}}, nil
}

// machine is a connection that comes from an address.
type machine struct {
	net.Conn
	address net.Addr
}

func (m machine) RemoteAddr() net.Addr { return m.address }

// listenToMachines starts the arena. Send the address of each connection to the channel before you open the connection.
func (a *arena) listenToMachines(t *testing.T) (url string, from chan<- string) {
	t.Helper()
	addresses := make(chan string, 1)
	server := httptest.NewUnstartedServer(a)
	server.Listener = machines{server.Listener, addresses}
	server.Start()
	t.Cleanup(func() {
		a.session.Goodbye("the test is over", false)
		server.Close()
	})
	return "ws" + strings.TrimPrefix(server.URL, "http"), addresses
}

const here, elsewhere = "192.0.2.1", "192.0.2.2"

// A bot without its secret takes its earlier place by its address, with the games. The bot with the secret takes the
// place back.
func TestRestartedBotTakesItsPlace(t *testing.T) {
	a := newArena()
	url, from := a.listenToMachines(t)
	none := ""
	from <- here
	b, first, _ := greet(t, url, &none)
	p := position(t, "2,0/0,2 D 0 1")
	done := choose(t.Context(), a.startGame("1", p), p)
	receive[protocol.Start](b)
	receive[protocol.Request](b)
	b.ws.Close()
	<-a.ended

	from <- here
	restarted, second, code := greet(t, url, &none)
	if code != "" || len(second.Games) != 1 || second.Resume == "" || second.Resume == first.Resume {
		t.Fatalf("without its secret it gets %+v, %q", second, code)
	}
	receive[protocol.Start](restarted)
	receive[protocol.Request](restarted)

	from <- elsewhere
	if _, _, code := greet(t, url, &first.Resume); code != protocol.NameInUse {
		t.Errorf("while another bot has its place the first one gets %q", code)
	}
	if g := receive[protocol.Goodbye](restarted); g.Reconnect {
		t.Error("the bot that goes is to come again")
	}
	<-a.ended
	restarted.ws.Close()
	<-a.ended
	for name, resume := range map[string]*string{"nothing": &none, "its own secret": &second.Resume} {
		from <- here
		if _, _, code := greet(t, url, resume); code != protocol.NameInUse {
			t.Errorf("with %s the one that went gets %q", name, code)
		}
		<-a.ended
	}
	from <- elsewhere
	b, again, code := greet(t, url, &first.Resume)
	if code != "" || again.Resume != first.Resume || len(again.Games) != 1 {
		t.Fatalf("the first one gets %+v, %q", again, code)
	}
	receive[protocol.Start](b)
	receive[protocol.Request](b)
	b.send(move("1", 1, "E"))
	wantMove(t, done, rules.East)
}

// The secret takes the place back also when the bot that has taken it has just lost its connection.
func TestPlaceOfALostSuccessor(t *testing.T) {
	a := newArena()
	url, from := a.listenToMachines(t)
	none := ""
	from <- here
	b, first, _ := greet(t, url, &none)
	b.ws.Close()
	<-a.ended
	from <- here
	successor, second, code := greet(t, url, &none)
	if code != "" {
		t.Fatalf("from the same address it is refused: %q", code)
	}
	successor.ws.Close()
	<-a.ended
	from <- elsewhere
	if _, again, code := greet(t, url, &first.Resume); code != "" || again.Resume != first.Resume {
		t.Fatalf("the first one gets %+v, %q", again, code)
	}
	from <- elsewhere
	if _, _, code := greet(t, url, &second.Resume); code != protocol.NameInUse {
		t.Errorf("the one that has lost its place gets %q", code)
	}
}

func TestNameIsKeptDuringGrace(t *testing.T) {
	a := newArena()
	url, from := a.listenToMachines(t)
	from <- here
	none, unknown := "", "0123456789"
	b, first, _ := greet(t, url, &none)
	if len(first.Resume) < 26 {
		t.Fatalf("the secret is %q", first.Resume)
	}
	p := position(t, "2,0/0,2 D 0 1")
	done := choose(t.Context(), a.startGame("1", p), p)
	receive[protocol.Start](b)
	receive[protocol.Request](b)
	b.ws.Close()
	<-a.ended
	for what, resume := range map[string]*string{"an older client": nil, "a client without the secret": &none, "a guess": &unknown} {
		from <- elsewhere
		stranger, _, code := greet(t, url, resume)
		if code != protocol.NameInUse {
			t.Errorf("%s takes the name over: %q", what, code)
		}
		stranger.receiveClose(websocket.ClosePolicyViolation)
		<-a.ended
	}
	from <- elsewhere
	b, again, code := greet(t, url, &first.Resume)
	if code != "" || again.Resume != first.Resume || len(again.Games) != 1 {
		t.Fatalf("the bot itself gets %+v, %q", again, code)
	}
	receive[protocol.Start](b)
	receive[protocol.Request](b)
	b.send(move("1", 1, "E"))
	wantMove(t, done, rules.East)
}

// A bot that comes back with fewer slots gets the messages of all its games.
func TestComesBackWithFewerSlots(t *testing.T) {
	a := newArena()
	a.limits.Queue = 4
	url := a.listen(t)
	b, _, _ := greet(t, url, nil)
	p := position(t, "2,0/0,2 D 0 1")
	const games = 8
	for n := range games {
		choose(t.Context(), a.startGame(strconv.Itoa(n), p), p)
		receive[protocol.Start](b)
		receive[protocol.Request](b)
	}
	b.ws.Close()
	<-a.ended
	b = dial(t, url)
	b.send(protocol.Hello{Name: "bot", Slots: 1})
	if w := receive[protocol.Welcome](b); len(w.Games) != games {
		t.Fatalf("it has the games %v", w.Games)
	}
	for range games {
		receive[protocol.Start](b)
		receive[protocol.Request](b)
	}
}

// A bot with a hello without a secret gets no secret, and comes back by its name.
func TestOlderClientsComeBackByName(t *testing.T) {
	a := newArena()
	url := a.listen(t)
	b, first, _ := greet(t, url, nil)
	if first.Resume != "" {
		t.Errorf("a client that does not know the secret gets %q", first.Resume)
	}
	b.ws.Close()
	<-a.ended
	if _, _, code := greet(t, url, nil); code != "" {
		t.Errorf("it is refused when it comes back: %q", code)
	}
}

// The name is free after the grace period, and for a bot that has proved its identity in another
// way.
func TestNameIsFreeAfterGrace(t *testing.T) {
	for _, vouched := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			a := newArena()
			dialled := a.pipes(t)
			hello := func() *bot {
				b := dialPipe(t, dialled)
				none := ""
				b.send(protocol.Hello{Name: "bot", Resume: &none})
				return b
			}
			b := hello()
			first := receive[protocol.Welcome](b)
			b.ws.Close()
			<-a.ended
			if vouched {
				a.session.Vouch()
			} else {
				<-time.After(grace + time.Second) // of virtual time
			}
			if second := receive[protocol.Welcome](hello()); second.Resume == first.Resume || second.Resume == "" {
				t.Errorf("the secrets are %q and %q", first.Resume, second.Resume)
			}
		})
	}
}

// A client comes back with its secret, which a stranger does not have, after a loss and even as a new
// process that has kept it.
func TestClientPresentsSecret(t *testing.T) {
	a := newArena()
	url := a.listen(t)
	secrets := make(chan string, 10)
	c := client(url, nil)
	c.Welcomed = func(resume string) { secrets <- resume }
	ctx, stop := context.WithCancel(t.Context())
	done := run(ctx, c)
	secret := <-secrets
	a.cut <- struct{}{}
	<-a.ended
	if again := <-secrets; again != secret || secret == "" {
		t.Errorf("after a loss the secret is %q, before %q", again, secret)
	}
	stop()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	restarted := client(url, nil)
	restarted.Resume, restarted.Welcomed = secret, c.Welcomed
	ctx, stop = context.WithCancel(t.Context())
	defer stop()
	done = run(ctx, restarted)
	if again := <-secrets; again != secret {
		t.Errorf("after a restart the secret is %q, before %q", again, secret)
	}
	stop()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
