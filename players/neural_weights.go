package players

import (
	"context"
	"fmt"
	"strings"

	"versus2048/players/neural"
	"versus2048/rules"
	"versus2048/rules/record"
)

// neuralWeights is the option weights of bots with neural networks, which are trained in Python.
type neuralWeights struct {
	method  string          // the network's learning method
	path    string          // the path of a file, or ownWeights
	network *neural.Network // in the file, once it is open; nil for ownWeights
}

// setting returns the option. If the program comes with networks of the method, they are the default.
func (w *neuralWeights) setting(method string) setting {
	w.method = method
	o := Option{Name: "weights", File: true, Meaning: "a network of this kind, as training writes it: docs/NETWORKS.md"}
	if neural.HasOwn(method) {
		o.Default, o.Choices = ownWeights, []string{ownWeights}
		o.Meaning = "v1, the networks that come with the program for " + ownGames(method) + ", or a file as training writes it"
	}
	return file(&w.path, o)
}

// ownGames lists the games that the program's own networks of a method can play.
func ownGames(method string) string {
	var games []string
	for _, r := range rules.Rulesets() {
		for _, s := range rules.Sizes() {
			if neural.HasOwnFor(method, r, s) {
				games = append(games, fmt.Sprintf("%v/%v", r, s))
			}
		}
	}
	return strings.Join(games, ", ")
}

// open opens the file, if there is one. Its network must have been trained by the method.
func (w *neuralWeights) open() (err error) {
	if w.path == ownWeights {
		return nil
	}
	if w.network, err = neural.Open(w.path); err != nil {
		return err
	}
	if got := w.network.Method(); got != w.method {
		return fmt.Errorf("network %s: it was learned by the method %s, want %s", w.path, got, w.method)
	}
	return nil
}

// plays returns an error unless there is a network for the game. A network in a file must be for boards of this
// size, and must have learned under these rules.
func (w *neuralWeights) plays(r rules.Ruleset, s rules.Size) error {
	if w.network == nil {
		if !neural.HasOwnFor(w.method, r, s) {
			return fmt.Errorf("the program has no network of %s for %v on %v: want weights=FILE", w.method, r, s)
		}
		return nil
	}
	if size := w.network.Size(); s != size {
		return fmt.Errorf("its network is for boards of %v, it cannot play on %v", size, s)
	}
	if learned := w.network.Rules(); learned != r {
		return &ForeignError{w.path, learned, r, true}
	}
	return nil
}

// mostNeuralBytes is the memory that counts for a network in a file that is not open. A file of 64 MiB with weights of
// 16 bits takes 256 MiB, and more for layers with few outputs. The rest is for its computations.
const mostNeuralBytes = 320 << 20

// memory returns the memory in bytes of the network and of the computation of a batch. For a file that is not open it
// returns mostNeuralBytes.
func (w *neuralWeights) memory(batch int) uint64 {
	switch {
	case w.network != nil:
		return w.network.Bytes() + w.network.EvaluatorBytes(batch)
	case w.path == ownWeights:
		return neural.OwnBytes * uint64(1+batch/64)
	}
	return mostNeuralBytes
}

// stateBytes returns the memory in bytes for one state of a learned model in a search: its numbers, and an edge for
// each chance code. The result is doubled, since slices are copied when they grow. Without an open file it is 4096.
func (w *neuralWeights) stateBytes() uint64 {
	if w.network == nil {
		return 4096
	}
	numbers := max(w.network.Outputs("representation"), w.network.Outputs("afterstate"))
	return 2 * uint64(4*numbers+puctEdgeBytes*w.network.Outputs("chance"))
}

// player returns the player that build makes with the network. The first position selects one of the program's own
// networks.
func (w *neuralWeights) player(build func(*neural.Network) Player) Player {
	if w.network != nil {
		return build(w.network)
	}
	return &latePlayer{build: func(r rules.Ruleset, s rules.Size) (Player, error) {
		n, err := neural.Own(w.method, r, s)
		if err != nil {
			return nil, err
		}
		return build(n), nil
	}}
}

// latePlayer is a player that is built when it is first asked for a move that is not forced.
type latePlayer struct {
	build  func(rules.Ruleset, rules.Size) (Player, error) // builds a player for games under the rules on the size
	player Player                                          // nil until it is built
}

// Choose implements Player.
func (l *latePlayer) Choose(ctx context.Context, p rules.Position) (rules.Move, error) {
	if moves := p.AppendMoves(nil); l.player == nil && len(moves) == 1 {
		return moves[0], nil // without a network for the game, a forced move can still be played
	}
	if l.player == nil {
		player, err := l.build(p.Rules(), p.Size())
		if err != nil {
			return 0, err
		}
		l.player = player
	}
	return l.player.Choose(ctx, p)
}

// LastSearch implements Searcher.
func (l *latePlayer) LastSearch() *record.SearchReport { return lastSearch(l.player) }
