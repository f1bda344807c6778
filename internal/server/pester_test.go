//go:build unix

package server_test

import (
	"fmt"
	"net/http"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"versus2048/protocol"
)

// noises are the messages that hostile bots send all the time, by name.
var noises = map[string]string{
	"odd-moves":  oddMove(7000),
	"odd-small":  oddMove(60),
	"unknown":    `{"type":"move","game":"4711","ply":1,"move":"N"}`,
	"complaints": `{"type":"error","code":"busy","message":"` + strings.Repeat("x", 3000) + `"}`,
}

// oddMove returns a well-formed move with that many unknown fields.
func oddMove(unknown int) string {
	var b strings.Builder
	for i := range unknown {
		fmt.Fprintf(&b, `,"%04x":0`, i)
	}
	return `{"type":"move","game":"1","ply":1,"move":"N"` + b.String() + "}"
}

// pester is the task of a hostile bot. Its arguments are the address, its name and its noise. It connects again
// whenever it is disconnected.
func pester(args []string) error {
	noise, err := websocket.NewPreparedMessage(websocket.TextMessage, []byte(noises[args[2]]))
	if err != nil {
		return err
	}
	dialer := websocket.Dialer{Subprotocols: []string{protocol.Subprotocol}}
	pause := time.NewTicker(10 * time.Millisecond)
	for ; ; <-pause.C {
		ws, _, err := dialer.Dial(args[0], http.Header{})
		if err != nil {
			continue
		}
		err = ws.WriteJSON(map[string]any{"type": "hello", "name": args[1]})
		for err == nil {
			err = ws.WritePreparedMessage(noise)
		}
		ws.Close()
	}
}

// BenchmarkBesideHostileBots measures the plies a second of two honest bots with 16 games, alone and beside four
// hostile bots, in alternating rounds.
func BenchmarkBesideHostileBots(b *testing.B) {
	for name := range noises {
		b.Run(name, func(b *testing.B) {
			const round = 20_000
			watch := startEvent(b, 16, 20*round*(1+b.N))
			alone, beside := time.Duration(0), time.Duration(0)
			for b.Loop() {
				alone += playRound(b, watch, round)
				stop := startPesterers(b, watch, name)
				playRound(b, watch, round/2) // while their processes start
				beside += playRound(b, watch, round)
				stop()
			}
			b.ReportMetric(alone.Seconds()/beside.Seconds(), "ratio")
			b.ReportMetric(float64(b.N*round)/alone.Seconds(), "plies/s-alone")
			b.ReportMetric(float64(b.N*round)/beside.Seconds(), "plies/s-beside")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// playRound returns how long this many plies take.
func playRound(b *testing.B, watch *stopwatch, plies int) time.Duration {
	b.Helper()
	began := time.Now()
	if n := len(watch.round(plies)); n < plies {
		b.Fatalf("the event ended after %d plies", n)
	}
	return time.Since(began)
}

// niceTask returns the command for a child process that gets the processor when nobody else wants it: a hostile bot
// runs on a machine of its own.
func niceTask(name string, args ...any) *exec.Cmd {
	c := task(name, args...)
	c.Args = append([]string{"nice", "-n", "19"}, c.Args...)
	if path, err := exec.LookPath("nice"); err == nil {
		c.Path = path
	}
	return c
}

// startPesterers starts four hostile bots and returns a function that stops them.
func startPesterers(b *testing.B, watch *stopwatch, noise string) (stop func()) {
	b.Helper()
	var stops []func()
	for i := range 4 {
		c := niceTask("pester", watch.url, "pester"+strconv.Itoa(i), noise)
		if err := c.Start(); err != nil {
			b.Fatal(err)
		}
		stops = append(stops, func() {
			_ = c.Process.Kill() // reported by Wait
			_ = c.Wait()         // it was killed
		})
	}
	return func() {
		for _, stop := range stops {
			stop()
		}
	}
}
