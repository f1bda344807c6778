package protocol

import "time"

// Limits bound what one connection may cost.
type Limits struct {
	MaxFrame  int64         // bytes of the longest message that is read
	HelloTime time.Duration // from the connection's opening to the hello
	PingEvery time.Duration // how often the arena pings
	PongWait  time.Duration // how long the other end may be silent; more than PingEvery
	WriteWait time.Duration // how long a frame may take to be written
	CloseWait time.Duration // how long the last words may take once the connection is to end
	Queue     int           // messages that may wait to be written; 4 more for each game of the bot
}

// DefaultLimits are the limits that docs/PROTOCOL.md states.
func DefaultLimits() Limits {
	return Limits{
		MaxFrame:  64 << 10,
		HelloTime: 10 * time.Second,
		PingEvery: 5 * time.Second,
		PongWait:  15 * time.Second,
		WriteWait: 10 * time.Second,
		CloseWait: time.Second,
		Queue:     256,
	}
}
