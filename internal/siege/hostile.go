package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gorilla/websocket"

	"versus2048/protocol"
)

// way is one way to attack. It returns at the latest when its connection or ctx ends. The attacker then begins again,
// unless ctx has ended.
type way func(ctx context.Context, a *attacker) error

// ways returns all ways to attack, by name.
func ways() map[string]way {
	return map[string]way{
		silentName:      silent,
		"half-request":  halfRequest,
		"no-hello":      noHello,
		"wrong-token":   wrongToken,
		"bad-hello":     badHello,
		"many-fields":   sendAgain(manyFields),
		"unknown-game":  sendAgain(func() string { return `{"type":"move","game":"4711","ply":1,"move":"N"}` }),
		"unasked-move":  sendAgain(func() string { return `{"type":"resign","game":"1","ply":0}` }),
		"malformed":     sendAgain(func() string { return `{"type":"move","game":` }),
		"deep-json":     sendAgain(func() string { return strings.Repeat("[", 30_000) }),
		"too-long":      sendAgain(func() string { return strings.Repeat(" ", 1<<20) }),
		"search-report": sendAgain(hugeSearch),
		"never-reads":   neverReads,
		"open-fragment": openFragment,
		"ping-flood":    pingFlood,
		"commands":      commands,
		"take-name":     takeName,
		"connect-storm": connectStorm,
	}
}

// silentName is the name of the way that costs an arena least: connections that send nothing.
const silentName = "silent"

func wayNames() []string { return slices.Sorted(maps.Keys(ways())) }

// attacker is one hostile bot.
type attacker struct {
	url    string
	number int
	random *rand.Rand
}

// attack runs hostile bots until ctx ends. Each bot has one of the named ways, in turn.
func attack(ctx context.Context, url string, bots int, names []string) {
	known := ways()
	var all sync.WaitGroup
	for i := range bots {
		a := &attacker{url: url, number: i, random: rand.New(rand.NewPCG(2048, uint64(i)))}
		do := known[names[i%len(names)]]
		all.Go(func() {
			for ctx.Err() == nil {
				_ = do(ctx, a) // attackers ignore errors
				wait(ctx, 20*time.Millisecond)
			}
		})
	}
	all.Wait()
}

func wait(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// connect opens a connection that ends with ctx.
func (a *attacker) connect(ctx context.Context) (net.Conn, error) {
	u, err := url.Parse(a.url)
	if err != nil {
		return nil, err
	}
	return until(ctx)(ctx, "tcp", u.Host)
}

// ending is a connection that ends with a context.
type ending struct {
	net.Conn
	stop func() bool // makes the context forget the connection
}

// until returns a function that opens connections that end with ctx. The context of each call is for the opening alone.
func until(ctx context.Context) func(opening context.Context, network, address string) (net.Conn, error) {
	return func(opening context.Context, network, address string) (net.Conn, error) {
		conn, err := new(net.Dialer).DialContext(opening, network, address)
		if err != nil {
			return nil, err
		}
		return ending{conn, context.AfterFunc(ctx, func() { conn.Close() })}, nil
	}
}

// Close closes the connection.
func (c ending) Close() error {
	c.stop()
	return c.Conn.Close()
}

// dial opens a WebSocket that ends with ctx.
func (a *attacker) dial(ctx context.Context) (*websocket.Conn, error) {
	dialer := websocket.Dialer{Subprotocols: []string{protocol.Subprotocol}, HandshakeTimeout: 10 * time.Second, NetDialContext: until(ctx)}
	ws, response, err := dialer.DialContext(ctx, a.url, nil)
	if err != nil {
		return nil, err
	}
	response.Body.Close()
	return ws, nil
}

// join opens a WebSocket and sends a valid hello under a name of its own.
func (a *attacker) join(ctx context.Context) (*websocket.Conn, error) {
	ws, err := a.dial(ctx)
	if err != nil {
		return nil, err
	}
	if err := ws.WriteJSON(map[string]any{"type": "hello", "name": fmt.Sprintf("hostile %d", a.number), "slots": 1024}); err != nil {
		ws.Close()
		return nil, err
	}
	return ws, nil
}

// silent connects and sends nothing.
func silent(ctx context.Context, a *attacker) error {
	conn, err := a.connect(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	_, err = io.Copy(io.Discard, conn)
	return err
}

// halfRequest sends the headers of a request one by one, and never ends the request.
func halfRequest(ctx context.Context, a *attacker) error {
	conn, err := a.connect(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	if _, err = io.WriteString(conn, "GET /bot HTTP/1.1\r\nHost: arena\r\n"); err != nil {
		return err
	}
	for i := 0; ctx.Err() == nil; i++ {
		if _, err := fmt.Fprintf(conn, "X-%d: %[1]d\r\n", i); err != nil {
			return err
		}
		wait(ctx, 100*time.Millisecond)
	}
	return nil
}

// noHello opens a WebSocket and sends nothing.
func noHello(ctx context.Context, a *attacker) error {
	ws, err := a.dial(ctx)
	if err != nil {
		return err
	}
	return drain(ws)
}

// drain reads until the connection ends, and closes it.
func drain(ws *websocket.Conn) error {
	defer ws.Close()
	for {
		if _, _, err := ws.NextReader(); err != nil {
			return err
		}
	}
}

// wrongToken sends a hello with a token that was never made.
func wrongToken(ctx context.Context, a *attacker) error {
	ws, err := a.dial(ctx)
	if err != nil {
		return err
	}
	hello := map[string]any{"type": "hello", "name": honestName(a.random.IntN(700)), "token": fmt.Sprintf("v2048_%d", a.random.Uint64())}
	return errors.Join(ws.WriteJSON(hello), drain(ws))
}

// badHello sends a hello with a name that is far too long.
func badHello(ctx context.Context, a *attacker) error {
	ws, err := a.dial(ctx)
	if err != nil {
		return err
	}
	hello := map[string]any{"type": "hello", "name": strings.Repeat("x", 60_000)}
	return errors.Join(ws.WriteJSON(hello), drain(ws))
}

// sendAgain returns a way that sends a text again and again, as fast as the arena takes it.
func sendAgain(text func() string) way {
	return func(ctx context.Context, a *attacker) error {
		ws, err := a.join(ctx)
		if err != nil {
			return err
		}
		go func() { _ = drain(ws) }()
		frame, err := websocket.NewPreparedMessage(websocket.TextMessage, []byte(text()))
		for err == nil {
			err = ws.WritePreparedMessage(frame)
		}
		return err
	}
}

// manyFields returns a move of nearly 64 KiB with many meaningless fields.
func manyFields() string {
	var b strings.Builder
	b.WriteString(`{"type":"move","game":"1","ply":1,"move":"N"`)
	for i := 0; b.Len() < 63<<10; i++ {
		fmt.Fprintf(&b, `,"%d":0`, i)
	}
	return b.String() + "}"
}

// hugeSearch returns a move with a search report that is nearly as long as a frame may be.
func hugeSearch() string {
	return `{"type":"move","game":"1","ply":1,"move":"N","search":{"expanded":[` + strings.Repeat("1,", 30<<10) + `1]}}`
}

// neverReads asks for answers and does not read them.
func neverReads(ctx context.Context, a *attacker) error {
	ws, err := a.join(ctx)
	if err != nil {
		return err
	}
	defer ws.Close()
	for err == nil && ctx.Err() == nil {
		err = ws.WriteMessage(websocket.TextMessage, []byte(`{"type":"move","game":"none","ply":1,"move":"N"}`))
	}
	return err
}

// openFragment begins a message and never ends it.
func openFragment(ctx context.Context, a *attacker) error {
	ws, err := a.join(ctx)
	if err != nil {
		return err
	}
	defer ws.Close()
	go func() { _ = drain(ws) }()
	w, err := ws.NextWriter(websocket.TextMessage)
	if err != nil {
		return err
	}
	for err == nil && ctx.Err() == nil {
		_, err = w.Write(make([]byte, 4096)) // one more fragment
		wait(ctx, 500*time.Millisecond)
	}
	return err
}

// pingFlood sends control frames as fast as the arena takes them.
func pingFlood(ctx context.Context, a *attacker) error {
	ws, err := a.join(ctx)
	if err != nil {
		return err
	}
	go func() { _ = drain(ws) }()
	for err == nil {
		err = ws.WriteControl(websocket.PingMessage, []byte("are you there?"), time.Now().Add(time.Second))
	}
	return err
}

// commands sends a request that only the arena's operator may send, with a long body.
func commands(ctx context.Context, a *attacker) error {
	u, err := url.Parse(a.url)
	if err != nil {
		return err
	}
	u.Scheme, u.Path = "http", "/api/events"
	body := strings.NewReader(`{"name":"` + strings.Repeat("x", 1<<20) + `"}`)
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, u.String(), body)
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer v2048_wrong")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	return answer.Body.Close()
}

// takeName sends a hello with the name of an honest bot.
func takeName(ctx context.Context, a *attacker) error {
	ws, err := a.dial(ctx)
	if err != nil {
		return err
	}
	hello := map[string]any{"type": "hello", "name": honestName(a.random.IntN(700))}
	return errors.Join(ws.WriteJSON(hello), drain(ws))
}

// connectStorm connects and disconnects 100 times without a pause.
func connectStorm(ctx context.Context, a *attacker) error {
	for range 100 {
		conn, err := a.connect(ctx)
		if err != nil {
			return err
		}
		conn.Close()
	}
	return nil
}
