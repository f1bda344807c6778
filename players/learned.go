package players

import (
	"fmt"

	"versus2048/players/neural"
	"versus2048/rules"
)

// learned is the option weights of the bots whose networks are trained in Python.
type learned struct {
	path    string          // of a file
	network *neural.Network // in the file, once it is open
}

// setting returns the option.
func (l *learned) setting() setting {
	return file(&l.path, Option{Name: "weights", File: true, Meaning: "a network of this kind, as training writes it: docs/NETWORKS.md"})
}

// open opens the file. The network must be of the given method.
func (l *learned) open(method string) (err error) {
	if l.network, err = neural.Open(l.path); err != nil {
		return err
	}
	if got := l.network.Method(); got != method {
		return fmt.Errorf("network %s: it was learned by the method %s, want %s", l.path, got, method)
	}
	return nil
}

// plays returns an error unless the network is for boards of this size. It serves under all rules: what it
// has learned under others may be of little use.
func (l *learned) plays(s rules.Size) error {
	if of := l.network.Size(); s != of {
		return fmt.Errorf("its network is for boards of %v, it cannot play on %v", of, s)
	}
	return nil
}

// mostLearnedBytes is what a network takes at most, with the memory to compute a batch of one.
const mostLearnedBytes = 256 << 20

// memory returns how many bytes the network takes, with the memory to compute a batch.
func (l *learned) memory(batch int) uint64 {
	if l.network == nil {
		return mostLearnedBytes
	}
	return 4*uint64(l.network.Parameters()) + l.network.EvaluatorBytes(batch)
}

// stateBytes returns how many bytes a state of a learned model takes.
func (l *learned) stateBytes() uint64 {
	if l.network == nil {
		return 4096
	}
	return 4 * uint64(max(l.network.Outputs("representation"), l.network.Outputs("afterstate")))
}
