package players

import (
	"fmt"
	"runtime"

	"versus2048/players/ntuple"
	"versus2048/rules"
)

// network is an open n-tuple network. As an evaluation it expects a final score. It keeps nothing from move to
// move: all games of a spec share it.
//
// It can play under all rules: see ForeignError.
type network struct{ learned *ntuple.Network }

// openNetwork opens the network in a file. The file is closed when no player can use it any more.
func openNetwork(path string) (*network, error) {
	learned, err := ntuple.Open(path)
	if err != nil {
		return nil, err
	}
	n := &network{learned}
	runtime.AddCleanup(n, func(learned *ntuple.Network) { _ = learned.Close() }, learned) // the file was only read
	return n, nil
}

// mostExpected is more than the score of any game, and all searches accept it as a value.
const mostExpected = 9_000_000

// Of implements rater: the score of the tiles of b, and the score that is expected from b on.
func (n *network) Of(b rules.Board) int {
	return max(-mostExpected, min(b.Potential()+n.further(b), mostExpected))
}

// further returns the score that the defender is expected to make from b on.
func (n *network) further(b rules.Board) int {
	v := n.learned.Of(b)
	runtime.KeepAlive(n) // it keeps the network open
	return v
}

// PointValue returns the value of one point of the score: see pointValue.
func (*network) PointValue() int { return 1 }

// weights is the option weights: it selects the network of a bot.
type weights struct {
	path   string   // of a file, or a word
	opened *network // the network in the file, once it is open
}

// The words for the networks that come with the program. New networks will get other names, so that a complete
// spec always means the same.
const (
	rulesWeights = "v1-rules" // the network for the rules of the game
	ownWeights   = "v1"
	fourWeights  = "v1-gpcc2016"
	soloWeights  = "v1-solo"
)

// learnedBy maps each of these networks to the rules that it has learned.
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

// network returns the network for a game under rules r. It must be open.
func (w *weights) network(r rules.Ruleset) *network {
	if w.inFile() {
		return w.opened
	}
	return &network{ntuple.Own(w.learned(r))}
}

// learned returns the rules that the network for a game under r has learned.
func (w *weights) learned(r rules.Ruleset) rules.Ruleset {
	if w.inFile() {
		return w.opened.learned.Rules()
	}
	if learned, one := learnedBy[w.path]; one {
		return learned
	}
	return r
}

// plays returns an error unless the network is for boards of this size, and has learned under these rules. It
// does not unpack the program's own networks, since every command that lists the bots calls it.
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

// memory returns the size of the network in bytes, or the largest possible size for a network in a file.
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

// player returns the player that make makes of the network. If the network depends on the rules of the game and
// they are not known yet, the player is made with the first position.
func (w *weights) player(g Game, make func(*network) Player) Player {
	if w.path != rulesWeights || g.Size != (rules.Size{}) {
		return make(w.network(g.Rules))
	}
	return &late{make: func(r rules.Ruleset, _ rules.Size) (Player, error) { return make(w.network(r)), nil }}
}
