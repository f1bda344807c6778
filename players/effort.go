package players

import (
	"fmt"
	"maps"
)

// Effort is the budget that an event fixes for each move, instead of what the
// bots' specs say. A zero field fixes nothing. Bots that don't count in this way
// ignore it.
type Effort struct {
	Playouts uint64 `json:"playouts,omitzero"` // random games a move, at most 100,000,000
	Nodes    uint64 `json:"nodes,omitzero"`    // positions that a search keeps at most, 64 to 100,000,000
}

// Validate says what is wrong with the budget.
func (e Effort) Validate() error {
	for _, o := range searchOptions() {
		if v := e.options()[o.Name]; v != 0 && (v < o.Least || v > o.Most) {
			return fmt.Errorf("a budget of %d %s: want %s, or 0 for none", v, o.Name, o.Allowed())
		}
	}
	return nil
}

// options are the values of the options that the budget stands for.
func (e Effort) options() values { return values{"playouts": e.Playouts, "nodes": e.Nodes} }

// Within is the spec of the same bot on a budget. A fixed number of playouts
// also takes the place of a time of the bot's own.
func (s Spec) Within(e Effort) Spec {
	s.values = maps.Clone(s.values)
	for name, v := range e.options() {
		if _, has := s.kind.option(name); has && v != 0 {
			s.values[name] = v
		}
	}
	if _, counts := s.kind.option("playouts"); counts && e.Playouts != 0 {
		s.values["time"] = 0
	}
	return s
}
