package main

import (
	"math/rand/v2"
	"os"
	"sync"
	"time"
)

// condition is the quality of a link, the same in both directions.
type condition struct {
	delay time.Duration // of each packet
	loss  float64       // share of lost packets, 0 to 1
}

// link connects two network namespaces: the arena's and the bots'. A nil link means that both are in the namespace of
// this process. Packets pass through this process, since the kernels of small virtual machines often lack netem.
type link struct {
	arena, bots string // the namespaces
	ends        [2]*os.File

	mu     sync.Mutex
	now    condition
	random *rand.Rand
}

// The addresses of the two ends.
const (
	arenaAddress = "10.77.0.1"
	botsAddress  = "10.77.0.2"
)

// set changes the link's condition.
func (l *link) set(c condition) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.now = c
}

// nextPacket reports whether the next packet arrives, and its delay.
func (l *link) nextPacket() (delay time.Duration, arrives bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.now.delay, l.random.Float64() >= l.now.loss
}

// packet is a packet on its way.
type packet struct {
	data []byte
	due  time.Time
}

// maxPacket is the size of the longest packet of an interface.
const maxPacket = 1 << 16

// carry passes packets from one end to the other, in order, until from is closed.
func (l *link) carry(from, to *os.File) {
	queue := make(chan packet, 10_000) // a full queue drops packets, as routers do
	defer close(queue)
	go func() {
		for p := range queue {
			time.Sleep(time.Until(p.due))
			_, _ = to.Write(p.data) // a packet that fails is lost
		}
	}()
	for buffer := make([]byte, maxPacket); ; {
		n, err := from.Read(buffer)
		if err != nil {
			return
		}
		delay, arrives := l.nextPacket()
		if !arrives {
			continue
		}
		select {
		case queue <- packet{append([]byte(nil), buffer[:n]...), time.Now().Add(delay)}:
		default:
		}
	}
}

// arenaHost returns the arena's host, as bots see it.
func (l *link) arenaHost() string {
	if l == nil {
		return "127.0.0.1"
	}
	return arenaAddress
}

// listenHost returns the host for the arena's listener: all addresses if there is a link.
func (l *link) listenHost() string {
	if l == nil {
		return "127.0.0.1"
	}
	return "0.0.0.0"
}

// besideArena returns the command line that runs a command on the arena's side.
func (l *link) besideArena(command ...string) []string {
	if l == nil {
		return command
	}
	return within(l.arena, command)
}

// besideBots returns the command line that runs a command on the bots' side.
func (l *link) besideBots(command ...string) []string {
	if l == nil {
		return command
	}
	return within(l.bots, command)
}

func within(namespace string, command []string) []string {
	return append([]string{"ip", "netns", "exec", namespace}, command...)
}
