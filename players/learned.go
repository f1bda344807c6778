package players

import (
	"context"
	"fmt"

	"versus2048/players/neural"
	"versus2048/rules"
	"versus2048/rules/record"
)

// learned is the option weights of the bots whose networks are trained in Python.
type learned struct {
	method  string          // that a network must be of
	path    string          // of a file, or ownWeights
	network *neural.Network // in the file, once it is open; nil for ownWeights
}

// setting returns the option. Where the program comes with networks of the method, they are the default.
func (l *learned) setting(method string) setting {
	l.method = method
	o := Option{Name: "weights", File: true, Meaning: "a network of this kind, as training writes it: docs/NETWORKS.md"}
	if neural.HasOwn(method) {
		o.Default, o.Choices = ownWeights, []string{ownWeights}
		o.Meaning = "v1, the networks that come with the program, one for a size and rules, or a file as training writes it"
	}
	return file(&l.path, o)
}

// open opens the file, if there is one. The network must be of the method.
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

// plays returns an error unless there is a network for the game. One in a file must be for boards of this
// size. It serves under all rules: what it has learned under others may be of little use.
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
	return nil
}

// mostLearnedBytes is what a network takes, with the memory to compute: a file of 64 MiB with weights of 16
// bits takes 256 MiB.
const mostLearnedBytes = 320 << 20

// memory returns how many bytes the network takes, with the memory to compute a batch.
func (l *learned) memory(batch int) uint64 {
	switch {
	case l.network != nil:
		return l.network.Bytes() + l.network.EvaluatorBytes(batch)
	case l.path == ownWeights:
		return neural.OwnBytes * uint64(1+batch/64)
	}
	return mostLearnedBytes
}

// stateBytes returns how many bytes a search keeps of a state of a learned model: its numbers, and an edge for
// each code of chance; twice, since slices that grow are copied.
func (l *learned) stateBytes() uint64 {
	if l.network == nil {
		return 4096
	}
	numbers := max(l.network.Outputs("representation"), l.network.Outputs("afterstate"))
	return 2 * uint64(4*numbers+puctEdgeBytes*l.network.Outputs("chance"))
}

// player returns the player that make makes of the network. Which of the program's own networks that is
// shows with the first position.
func (l *learned) player(make func(*neural.Network) Player) Player {
	if l.network != nil {
		return make(l.network)
	}
	return &late{method: l.method, make: make}
}

// late is a player that is made when it is asked for its first move.
type late struct {
	method string
	make   func(*neural.Network) Player
	made   Player
}

// Choose implements Player.
func (l *late) Choose(ctx context.Context, p rules.Position) (rules.Move, error) {
	if moves := p.AppendMoves(nil); l.made == nil && len(moves) == 1 {
		return moves[0], nil // which a player without a network for this game can play, too
	}
	if l.made == nil {
		n, err := neural.Own(l.method, p.Rules(), p.Size())
		if err != nil {
			return 0, err
		}
		l.made = l.make(n)
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
