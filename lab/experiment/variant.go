package experiment

import (
	"fmt"
	"slices"
	"strings"
)

// Variant is MCTS2 with one or more improvements that the paper left for later work.
type Variant struct {
	Name   string
	Change string // the difference from MCTS2, or from other variants that it names, in words

	kind    string // of the variant's bot
	options string // of the variant's bot, without the time
}

// scaled makes mctsplus play like MCTS2, except that c is 200% of the rewards' standard deviation. In the paper c is
// 1000 points, which is about 200% of the standard deviation at the start of a game, and several times as much later,
// when playouts are short.
const scaled = "c=200,expand=5,canonical=false,backup=ancestors,leaf=1,policy=random,slides=1000000,reward=score"

// Variants lists all variants. The Change of a variant begins with "scaled" if it tells the difference from the variant
// scaled, not from MCTS2.
func Variants() []Variant {
	return []Variant{
		{"canonical", "positions equal under symmetry share a node", "dag", "canonical=true"},
		{"reuse", "the graph is kept for the next move", "dag", "reuse=true"},
		{"scaled", "c follows the spread of the rewards: 200% of their standard deviation", "mctsplus", scaled},
		{"edges", "scaled; values from children, weighted by edges", "mctsplus", with(scaled, "backup=edges")},
		{"minimax", "scaled; values from the best child", "mctsplus", with(scaled, "backup=minimax")},
		{"leaf2", "scaled; 2 playouts from a leaf at once", "mctsplus", with(scaled, "leaf=2")},
		{"leaf4", "scaled; 4 playouts from a leaf at once", "mctsplus", with(scaled, "leaf=4")},
		{"corner", "scaled; playouts slide towards a corner", "mctsplus", with(scaled, "policy=corner")},
		{"merge", "scaled; playouts take the slide that scores most", "mctsplus", with(scaled, "policy=merge")},
		{"duel", "scaled; as merge, against placements beside a largest tile", "mctsplus", with(scaled, "policy=duel")},
		{"cutoff", "scaled; playouts are cut off after 10 slides and evaluated", "mctsplus", with(scaled, "slides=10") + ",mate=1000"},
		{"evaluated", "scaled to 100%; leaves are evaluated, not played out, and expanded at once", "mctsplus", with(scaled, "slides=0", "expand=1", "c=100") + ",mate=1000"},
		{"log", "scaled; rewards are logarithms of scores", "mctsplus", with(scaled, "reward=log")},
		{"rank", "scaled; rewards are places among the others", "mctsplus", with(scaled, "reward=rank")},
		{"plus", "evaluated, canonical and edges: mctsplus as it is by default", "mctsplus", ""},
	}
}

// with returns the options after the changes. Each change is a new value for one option.
func with(options string, changes ...string) string {
	settings := strings.Split(options, ",")
	for _, change := range changes {
		name, _, _ := strings.Cut(change, "=")
		i := slices.IndexFunc(settings, func(s string) bool { return strings.HasPrefix(s, name+"=") })
		settings[i] = change
	}
	return strings.Join(settings, ",")
}

// spec returns the spec of the variant's bot with the given time per move.
func (v Variant) spec(milliseconds int) string {
	spec := fmt.Sprintf("%s:time=%d", v.kind, milliseconds)
	if v.options == "" {
		return spec
	}
	return spec + "," + v.options
}

// VariantsNamed returns the named variants in the order of Variants, or all of them if names is
// empty. The error for an unknown name lists the known ones.
func VariantsNamed(names []string) ([]Variant, error) {
	all := Variants()
	if len(names) == 0 {
		return all, nil
	}
	var known []string
	for _, v := range all {
		known = append(known, v.Name)
	}
	for _, name := range names {
		if !slices.Contains(known, name) {
			return nil, fmt.Errorf("unknown variant %.40q: want %s", name, strings.Join(known, ", "))
		}
	}
	return slices.DeleteFunc(all, func(v Variant) bool { return !slices.Contains(names, v.Name) }), nil
}
