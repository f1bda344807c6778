package players

import (
	"context"
	"fmt"
	"strings"

	"versus2048/players/neural"
	"versus2048/rules"
	"versus2048/rules/record"
)

// learned is the option weights of bots with networks that are trained in Python.
type learned struct {
	method  string          // the network's learning method
	path    string          // the path of a file, or ownWeights
	network *neural.Network // in the file, once it is open; nil for ownWeights
}

// setting returns the option. If the program comes with networks of the method, they are the default.
func (l *learned) setting(method string) setting {
	l.method = method
	o := Option{Name: "weights", File: true, Meaning: "a network of this kind, as training writes it: docs/NETWORKS.md"}
	if neural.HasOwn(method) {
		o.Default, o.Choices = ownWeights, []string{ownWeights}
		o.Meaning = "v1, the networks that come with the program for " + ownGames(method) + ", or a file as training writes it"
	}
	return file(&l.path, o)
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

// open opens the file, if there is one. The network must have been trained by the method.
func (l *learned) open() (err error) {
	if l.path == ownWeights {
		return nil
	}
	if l.network, err = neural.Open(l.path); err != nil {
		return err
	}
	if got := l.network.Method(); got != l.method {
		return fmt.Errorf("network %s: it was learned by the method %s, want %s", l.path, got, l.method)
	}
	return nil
}

// plays returns an error unless there is a network for the game. A network in a file must be for boards of this
// size, and must have learned under these rules.
func (l *learned) plays(r rules.Ruleset, s rules.Size) error {
	if l.network == nil {
		if !neural.HasOwnFor(l.method, r, s) {
			return fmt.Errorf("the program has no network of %s for %v on %v: want weights=FILE", l.method, r, s)
		}
		return nil
	}
	if of := l.network.Size(); s != of {
		return fmt.Errorf("its network is for boards of %v, it cannot play on %v", of, s)
	}
	if learned := l.network.Rules(); learned != r {
		return &ForeignError{l.path, learned, r, true}
	}
	return nil
}

// mostLearnedBytes is the largest size of a network with the memory to compute: a file of 64 MiB with weights
// of 16 bits takes 256 MiB.
const mostLearnedBytes = 320 << 20

// memory returns the size in bytes of the network with the memory to compute a batch.
func (l *learned) memory(batch int) uint64 {
	switch {
	case l.network != nil:
		return l.network.Bytes() + l.network.EvaluatorBytes(batch)
	case l.path == ownWeights:
		return neural.OwnBytes * uint64(1+batch/64)
	}
	return mostLearnedBytes
}

// stateBytes returns the memory in bytes for one state of a learned model in a search: its numbers, and an edge
// for each chance code. The result is doubled, since slices are copied when they grow.
func (l *learned) stateBytes() uint64 {
	if l.network == nil {
		return 4096
	}
	numbers := max(l.network.Outputs("representation"), l.network.Outputs("afterstate"))
	return 2 * uint64(4*numbers+puctEdgeBytes*l.network.Outputs("chance"))
}

// player returns the player that make makes of the network. The first position decides which of the program's
// own networks this is.
func (l *learned) player(make func(*neural.Network) Player) Player {
	if l.network != nil {
		return make(l.network)
	}
	return &late{make: func(r rules.Ruleset, s rules.Size) (Player, error) {
		n, err := neural.Own(l.method, r, s)
		if err != nil {
			return nil, err
		}
		return make(n), nil
	}}
}

// late is a player that is made when its first move is requested.
type late struct {
	make func(rules.Ruleset, rules.Size) (Player, error) // for a game
	made Player
}

// Choose implements Player.
func (l *late) Choose(ctx context.Context, p rules.Position) (rules.Move, error) {
	if moves := p.AppendMoves(nil); l.made == nil && len(moves) == 1 {
		return moves[0], nil // a player without a network for this game can play a forced move, too
	}
	if l.made == nil {
		made, err := l.make(p.Rules(), p.Size())
		if err != nil {
			return 0, err
		}
		l.made = made
	}
	return l.made.Choose(ctx, p)
}

// LastSearch implements Searcher.
func (l *late) LastSearch() *record.SearchReport {
	if s, ok := l.made.(Searcher); ok {
		return s.LastSearch()
	}
	return nil
}
