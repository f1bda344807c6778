//go:build unix

package server_test

import (
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"versus2048/protocol"
	"versus2048/rules"
)

// echoPair is a set of bare gorilla WebSocket connections to a child process, which answers each message, as long as a
// request, with one as long as a move.
type echoPair struct {
	conns   []*websocket.Conn
	request []byte
}

// newEchoPair starts the child process and waits for its connections.
func newEchoPair(tb testing.TB, connections int) *echoPair {
	tb.Helper()
	left := int64(1000)
	request, err := protocol.Encode(protocol.Request{
		Game: "1001", Ply: 101, Board: [][]int{{2, 0, 2, 4}, {8, 16, 2, 0}, {32, 4, 0, 2}, {64, 32, 8, 2}},
		Score: 1044, Moves: []rules.Move{rules.North, rules.Place(5, false)}, LeftMS: &left,
	})
	if err != nil {
		tb.Fatal(err)
	}
	pair, arrived := &echoPair{request: request}, make(chan *websocket.Conn)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if ws, err := new(websocket.Upgrader).Upgrade(w, r, nil); err == nil {
			arrived <- ws
		}
	}))
	tb.Cleanup(server.Close)
	startTask(tb, "echo", "ws"+strings.TrimPrefix(server.URL, "http"), connections)
	for range connections {
		ws := <-arrived
		tb.Cleanup(func() { ws.Close() })
		pair.conns = append(pair.conns, ws)
	}
	return pair
}

// echo is the task of the child process. Its arguments are the address and the number of connections.
func echo(args []string) error {
	answer, err := protocol.Encode(protocol.Move{Game: "1001", Ply: 101, Move: "N", SpentUS: 1})
	if err != nil {
		return err
	}
	connections, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	var echoing sync.WaitGroup
	for range connections {
		ws, _, err := websocket.DefaultDialer.Dial(args[0], nil)
		if err != nil {
			return err
		}
		echoing.Go(func() {
			for {
				if _, _, err := ws.ReadMessage(); err != nil {
					return
				}
				if err := ws.WriteMessage(websocket.TextMessage, answer); err != nil {
					return
				}
			}
		})
	}
	echoing.Wait()
	return nil
}

// apart makes this many round trips, one at a time on each connection, and returns how long each took.
func (p *echoPair) apart(trips int) []time.Duration {
	each := max(1, trips/len(p.conns))
	all := make([]time.Duration, len(p.conns)*each)
	var asking sync.WaitGroup
	for i, ws := range p.conns {
		asking.Go(func() { p.ask(ws, 1, all[i*each:(i+1)*each]) })
	}
	asking.Wait()
	return all
}

// together makes this many round trips on one connection, underWay of them at a time, and returns how long each took.
func (p *echoPair) together(underWay, trips int) []time.Duration {
	all := make([]time.Duration, trips)
	p.ask(p.conns[0], underWay, all)
	return all
}

// ask makes a round trip for each element of trips and stores how long it took. If the connection breaks, the rest
// stays 0.
func (p *echoPair) ask(ws *websocket.Conn, underWay int, trips []time.Duration) {
	asked := make([]time.Time, len(trips))
	for answered := -underWay; answered < len(trips); answered++ {
		if answered >= 0 {
			if _, _, err := ws.ReadMessage(); err != nil {
				return
			}
			trips[answered] = time.Since(asked[answered])
		}
		if next := answered + underWay; next < len(trips) {
			asked[next] = time.Now()
			if err := ws.WriteMessage(websocket.TextMessage, p.request); err != nil {
				return
			}
		}
	}
}
