package players

import (
	"fmt"
	"runtime"

	"versus2048/players/ntuple"
	"versus2048/rules"
)

// network is an open n-tuple network. As an evaluation it returns the final score that it expects. It keeps
// nothing from move to move: all games of a spec share it. It can play under all rules: see ForeignError.
type network struct{ values *ntuple.Network }

// openNetwork opens the network in a file. The file is closed when no player can use it any more.
func openNetwork(path string) (*network, error) {
	values, err := ntuple.Open(path)
	if err != nil {
		return nil, err
	}
	n := &network{values}
	runtime.AddCleanup(n, func(values *ntuple.Network) { _ = values.Close() }, values) // the file was only read
	return n, nil
}

// Of implements searching.Evaluation: the score of the tiles of b, plus the score that is expected from b on.
func (n *network) Of(b rules.Board) int {
	v := ntuple.Final{Network: n.values}.Of(b)
	runtime.KeepAlive(n) // n keeps the file open
	return v
}

// expectedGain returns the score that the defender is expected to make from b on.
func (n *network) expectedGain(b rules.Board) int {
	v := n.values.Of(b)
	runtime.KeepAlive(n) // n keeps the file open
	return v
}

// PointValue returns the value of one point of the score: see searching.PointValue.
func (*network) PointValue() int { return 1 }

// nTupleWeights is the option weights of bots with n-tuple networks: it selects the network.
type nTupleWeights struct {
	path   string   // the path of a file, or one of the words below
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

// learnedRules has the rules that each of these networks has learned.
var learnedRules = map[string]rules.Ruleset{ownWeights: rules.GPCC2015, fourWeights: rules.GPCC2016, soloWeights: rules.Solo}

// setting returns the option.
func (w *nTupleWeights) setting(byDefault, meaning string) setting {
	return file(&w.path, Option{
		Name: "weights", Default: byDefault, Choices: []string{rulesWeights, ownWeights, fourWeights, soloWeights}, File: true,
		Meaning: meaning + "the program has networks for 4x4 that have learned gpcc2015 (v1), gpcc2016 (v1-gpcc2016) and solo (v1-solo), " +
			"and v1-rules is the one for the rules of the game; lab train ntuple writes others",
	})
}

// inFile reports whether the network is in a file that the spec names.
func (w *nTupleWeights) inFile() bool {
	_, own := learnedRules[w.path]
	return !own && w.path != rulesWeights
}

// open opens the file, if there is one.
func (w *nTupleWeights) open() (err error) {
	if w.inFile() {
		w.opened, err = openNetwork(w.path)
	}
	return err
}

// network returns the network for a game under rules r. A network in a file must be open.
func (w *nTupleWeights) network(r rules.Ruleset) *network {
	if w.inFile() {
		return w.opened
	}
	return &network{ntuple.Own(w.learnedFor(r))}
}

// learnedFor returns the rules that the network for a game under r has learned.
func (w *nTupleWeights) learnedFor(r rules.Ruleset) rules.Ruleset {
	if w.inFile() {
		return w.opened.values.Rules()
	}
	if learned, ok := learnedRules[w.path]; ok {
		return learned
	}
	return r // by rulesWeights
}

// plays returns an error unless the network is for boards of this size, and has learned under these rules. It
// does not unpack the program's own networks, since every command that lists the bots calls it.
func (w *nTupleWeights) plays(r rules.Ruleset, s rules.Size) error {
	size := rules.Full
	if w.inFile() {
		size = w.opened.values.Size()
	}
	if s != size {
		return fmt.Errorf("its network is for boards of %v, it cannot play on %v", size, s)
	}
	if learned := w.learnedFor(r); learned != r {
		return &ForeignError{w.path, learned, r, w.inFile()}
	}
	return nil
}

// memory returns the size of the network in bytes. For v1-rules it is the size of the program's largest network, and
// for a file the largest possible size.
func (w *nTupleWeights) memory() (most uint64) {
	if w.inFile() {
		return ntuple.MostBytes
	}
	for name, r := range learnedRules {
		if w.path == name || w.path == rulesWeights {
			most = max(most, ntuple.OwnBytes(r))
		}
	}
	return most
}

// player returns the player that build makes with the network. If the network depends on the rules of the game, and
// these are not known yet, the player is built with the first position.
func (w *nTupleWeights) player(g Game, build func(*network) Player) Player {
	if w.path != rulesWeights || g.Size != (rules.Size{}) {
		return build(w.network(g.Rules))
	}
	return &latePlayer{build: func(r rules.Ruleset, _ rules.Size) (Player, error) { return build(w.network(r)), nil }}
}
