package inbrowser

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"versus2048/internal/study"
	"versus2048/players/champion"
	"versus2048/players/ntuple"
	"versus2048/players/searching"
	"versus2048/rules"
	"versus2048/rules/record"
)

// Asked is a question about a position.
type Asked struct {
	Bot      string        `json:"bot"`  // the spec of a bot; "" for the champion: see Champion.Ask
	Seed     uint64        `json:"seed"` // of the bot's random choices, as in the record of a game
	Rules    rules.Ruleset `json:"rules"`
	Position string        `json:"position"`
	MS       int           `json:"ms"`    // milliseconds to search for, unless Nodes is set
	Nodes    int           `json:"nodes"` // about the number of positions to visit; such a search can be repeated
	Best     int           `json:"best"`  // the number of best moves to search for; 0 for one
}

// Opinion is a bot's opinion about a position.
type Opinion struct {
	Bot    string               `json:"bot"` // its spec, with the time of this search unless nodes limited it
	Move   rules.Move           `json:"move"`
	Search *record.SearchReport `json:"search,omitempty"` // absent for a simple bot, and for a forced move
	// Advantage is by the network for the rules, without a search. It is nil if the network is not loaded, or has no
	// value for the position.
	Advantage *study.Advantage `json:"advantage,omitempty"`
}

// tableBits is the logarithm of the number of entries of the champion's table, as in package players.
const tableBits = 18

// Champion is the champion of package players with networks that are loaded when they are needed.
type Champion struct {
	networks map[rules.Ruleset]*ntuple.Network
	search   *champion.Search
}

// NewChampion returns a champion without networks.
func NewChampion() *Champion {
	c := &Champion{networks: map[rules.Ruleset]*ntuple.Network{}}
	c.search = c.newSearch()
	return c
}

func (c *Champion) newSearch() *champion.Search {
	return champion.New(champion.Config{
		Table: tableBits, Keep: true, Network: func(r rules.Ruleset) *ntuple.Network { return c.networks[r] },
	})
}

// Load loads a network from the content of its file. It returns an error if content is no network.
func (c *Champion) Load(content []byte) error {
	n, err := ntuple.Read(content)
	if err == nil {
		c.networks[n.Rules()] = n
	}
	return err
}

// Needed is the network to load for a question.
type Needed struct {
	File   string // its name, "" for none
	Search bool   // whether the question needs it; otherwise answers have the advantage once it is loaded
}

// Needs returns the network to load for a question. It returns an error if the position cannot be read.
func (c *Champion) Needs(a Asked) (Needed, error) {
	p, err := rules.ParsePosition(a.Rules, a.Position)
	if err != nil || p.Size() != rules.Full || c.networks[p.Rules()] != nil {
		return Needed{}, err
	}
	return Needed{ntuple.OwnName(p.Rules()), a.chooser() == nil && champion.HasNetwork(p.Rules(), p.Size())}, nil
}

// Ask asks the champion or one of the simple bots, greedy, evminimax:depth=1 and chance. Each chooses as the bot of
// package players does. The champion calls stop at least every few milliseconds, and ends its search when stop returns
// true. Ask returns an error if the position cannot be read or the game is over, the bot is unknown, or the champion
// lacks a limit of its search or the network that it needs.
func (c *Champion) Ask(a Asked, stop func() bool) (Opinion, error) {
	switch needed, err := c.Needs(a); {
	case err != nil:
		return Opinion{}, err
	case needed.Search:
		return Opinion{}, fmt.Errorf("the champion needs the network %s, which cannot be loaded", needed.File)
	}
	p, _ := rules.ParsePosition(a.Rules, a.Position) // Needs has read it
	moves := p.AppendMoves(nil)
	if len(moves) == 0 {
		return Opinion{}, fmt.Errorf("no move to choose: the game is over in %v", p)
	}
	switch choose := a.chooser(); {
	case choose != nil:
		g := a.generator(p)
		return Opinion{Bot: a.Bot, Move: choose(p, moves, &g), Advantage: c.advantage(p)}, nil
	case a.Bot != "" && a.Bot != "champion":
		return Opinion{}, fmt.Errorf("no bot %q in browsers: want champion, greedy, evminimax:depth=1 or chance", a.Bot)
	case a.MS <= 0 && a.Nodes <= 0:
		return Opinion{}, errors.New("a search without an end: want ms or nodes, more than 0")
	case len(moves) == 1:
		return Opinion{Bot: a.bot(), Move: moves[0], Advantage: c.advantage(p)}, nil
	}
	return c.think(p, moves, a, stop), nil
}

// think lets the champion choose one of two moves or more.
func (c *Champion) think(p rules.Position, moves []rules.Move, a Asked, stop func() bool) Opinion {
	if a.Nodes > 0 {
		c.search = c.newSearch() // with empty tables
	} else {
		// The first search of a champion computes tables, which must not take the time of the question.
		c.search.Choose(p, slices.Clone(moves), searching.Budget{Depth: 1})
	}
	began := time.Now()
	found := c.find(p, moves, a, stop)
	return Opinion{a.bot(), found.Variation[0], found.Report(time.Since(began)), c.advantage(p)}
}

func (c *Champion) advantage(p rules.Position) *study.Advantage {
	return study.ByNetwork(c.networks[p.Rules()], p)
}

// find searches for the best moves of a question, one search after the other. Each search has the same share of the
// effort, and goes no deeper than the first one. find returns the result of the first search, with the best moves and
// the nodes of all searches.
func (c *Champion) find(p rules.Position, moves []rules.Move, a Asked, stop func() bool) (found searching.Result) {
	g := a.generator(p)
	g.Shuffle(moves) // the first of equal moves is chosen
	lines := min(max(a.Best, 1), len(moves))
	for i := range lines {
		b := a.budget(p, lines, stop)
		b.Depth = found.Depth // 0, for no limit, in the first search
		best := c.search.Choose(p, slices.Clone(moves), b)
		next := c.search.Result()
		if i == 0 {
			found = next
		} else {
			found.Moves, found.Nodes = append(found.Moves[:i], next.Moves[0]), found.Nodes+next.Nodes
		}
		moves = slices.DeleteFunc(moves, func(m rules.Move) bool { return m == best })
	}
	return found
}

// budget returns the budget of one of several searches for a question about p.
func (a Asked) budget(p rules.Position, searches int, stop func() bool) (b searching.Budget) {
	looks := max(1, a.Nodes/searching.Period/searches)
	end := time.Now().Add(time.Duration(a.MS) * time.Millisecond / time.Duration(searches))
	b.Stop = func() bool {
		if a.Nodes <= 0 {
			return stop() || !time.Now().Before(end)
		}
		looks--
		return stop() || looks < 0
	}
	if !champion.AgainstChance(p) {
		b.Enough = func(p searching.Progress) bool { return p.Decided }
	}
	return b
}

// bot returns the spec of the champion, with the time of a question unless Nodes limits the search.
func (a Asked) bot() string {
	if a.Nodes > 0 {
		return "champion"
	}
	return fmt.Sprintf("champion:time=%d,threads=1,seed=0", a.MS)
}
