package players

import (
	"fmt"
	"runtime"

	"versus2048/players/ntuple"
	"versus2048/rules"
)

// network is an open n-tuple network. As an evaluation it expects a final score. It keeps nothing from
// move to move: all games of a spec share it.
//
// It serves under all rules: see ForeignError.
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
	path   string   // of a file, or a word
	opened *network // the network in the file, once it is open
}

// The words for the networks that come with the program. Others would have other names, so that a complete
// spec goes on meaning the same.
const (
	rulesWeights = "v1-rules" // that of the game
	ownWeights   = "v1"
	fourWeights  = "v1-gpcc2016"
	soloWeights  = "v1-solo"
)

// learnedBy are the rules under which they have learned.
var learnedBy = map[string]rules.Ruleset{ownWeights: rules.GPCC2015, fourWeights: rules.GPCC2016, soloWeights: rules.Solo}

// setting returns the option.
func (w *weights) setting(byDefault, meaning string) setting {
	return file(&w.path, Option{
		Name: "weights", Default: byDefault, Choices: []string{rulesWeights, ownWeights, fourWeights, soloWeights}, File: true,
		Meaning: meaning + "v1-rules is the one for the rules of the game, of those that come with the program for 4x4 and have learned " +
			"gpcc2015 (v1), gpcc2016 (v1-gpcc2016) and solo (v1-solo); lab train ntuple writes others",
	})
}

// inFile reports whether the network does not come with the program.
func (w *weights) inFile() bool {
	_, own := learnedBy[w.path]
	return !own && w.path != rulesWeights
}

// open opens the file, if there is one.
func (w *weights) open() (err error) {
	if w.inFile() {
		w.opened, err = openNetwork(w.path)
	}
	return err
}

// network returns the network, which must be open, for a game under rules r.
func (w *weights) network(r rules.Ruleset) *network {
	if w.inFile() {
		return w.opened
	}
	return &network{ntuple.Own(w.learned(r))}
}

// learned returns the rules under which the network for a game under rules r has learned.
func (w *weights) learned(r rules.Ruleset) rules.Ruleset {
	if w.inFile() {
		return w.opened.learned.Rules()
	}
	if learned, one := learnedBy[w.path]; one {
		return learned
	}
	return r
}

// plays returns an error unless the network is for such boards, and has learned under these rules. The
// program's own ones are not unpacked for that: every command that lists the bots asks.
func (w *weights) plays(r rules.Ruleset, s rules.Size) error {
	of := rules.Full
	if w.inFile() {
		of = w.opened.learned.Size()
	}
	if s != of {
		return fmt.Errorf("its network is for boards of %v, it cannot play on %v", of, s)
	}
	if learned := w.learned(r); learned != r {
		return &ForeignError{w.path, learned, r, w.inFile()}
	}
	return nil
}

// memory returns how many bytes the network takes: whatever a file has.
func (w *weights) memory() (most uint64) {
	if w.inFile() {
		return ntuple.MostBytes
	}
	for name, r := range learnedBy {
		if w.path == name || w.path == rulesWeights {
			most = max(most, ntuple.OwnBytes(r))
		}
	}
	return most
}

// player returns the player that make makes of the network. If the rules of the game are not known yet and
// matter, that is done with the first position.
func (w *weights) player(g Game, make func(*network) Player) Player {
	if w.path != rulesWeights || g.Size != (rules.Size{}) {
		return make(w.network(g.Rules))
	}
	return &late{make: func(r rules.Ruleset, _ rules.Size) (Player, error) { return make(w.network(r)), nil }}
}
