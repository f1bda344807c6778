package players

import (
	"fmt"
	"runtime"
	"sync"

	"versus2048/players/ntuple"
	"versus2048/rules"
)

// network is an open n-tuple network. As an evaluation it expects a final score. It keeps nothing from
// move to move: all games of a spec share it.
//
// It serves under all rules: what it has learned under others may be of little use.
type network struct{ learned *ntuple.Network }

// openNetwork opens the network in a file. It is closed when no player can use it any more.
func openNetwork(path string) (*network, error) {
	learned, err := ntuple.Open(path)
	if err != nil {
		return nil, err
	}
	n := &network{learned}
	runtime.AddCleanup(n, func(learned *ntuple.Network) { _ = learned.Close() }, learned) // it was only read
	return n, nil
}

// mostExpected is more than any game scores, and within the values that all searches take.
const mostExpected = 9_000_000

// Of implements rater: what the tiles of b have scored, and what is expected beyond that.
func (n *network) Of(b rules.Board) int {
	return max(-mostExpected, min(b.Potential()+n.further(b), mostExpected))
}

// further returns what the defender is expected to score from b on.
func (n *network) further(b rules.Board) int {
	v := n.learned.Of(b)
	runtime.KeepAlive(n) // it keeps the network open
	return v
}

// PointValue returns how much a point of the score counts: see pointValue.
func (*network) PointValue() int { return 1 }

// weights is the option of that name: which network a bot uses.
type weights struct {
	path   string   // of a file, or ownWeights or fourWeights
	opened *network // the network in the file, once it is open
}

// ownWeights and fourWeights stand for the networks that come with the program: that for gpcc2015 and that
// for gpcc2016. Others would have other names, so that a complete spec goes on meaning the same.
const (
	ownWeights  = "v1"
	fourWeights = "v1-gpcc2016"
)

// The networks of ownWeights and fourWeights.
var (
	ownNetwork  = sync.OnceValue(func() *network { return &network{ntuple.Own(rules.GPCC2015)} })
	fourNetwork = sync.OnceValue(func() *network { return &network{ntuple.Own(rules.GPCC2016)} })
)

// setting returns the option.
func (w *weights) setting(meaning string) setting {
	return file(&w.path, Option{Name: "weights", Default: ownWeights, Choices: []string{ownWeights, fourWeights}, File: true, Meaning: meaning})
}

// inFile reports whether the network does not come with the program.
func (w *weights) inFile() bool { return w.path != ownWeights && w.path != fourWeights }

// open opens the file, if there is one.
func (w *weights) open() (err error) {
	if w.inFile() {
		w.opened, err = openNetwork(w.path)
	}
	return err
}

// network returns the network, which must be open.
func (w *weights) network() *network {
	switch w.path {
	case ownWeights:
		return ownNetwork()
	case fourWeights:
		return fourNetwork()
	}
	return w.opened
}

// plays returns an error unless the network is for boards of this size. The program's own ones are not
// unpacked for that: every command that lists the bots asks.
func (w *weights) plays(s rules.Size) error {
	of := rules.Full
	if w.inFile() {
		of = w.opened.learned.Size()
	}
	if s != of {
		return fmt.Errorf("its network is for boards of %v, it cannot play on %v", of, s)
	}
	return nil
}

// memory returns how many bytes the network takes: whatever a file has.
func (w *weights) memory() uint64 {
	switch w.path {
	case ownWeights:
		return ntuple.OwnBytes(rules.GPCC2015)
	case fourWeights:
		return ntuple.OwnBytes(rules.GPCC2016)
	}
	return ntuple.MostBytes
}
