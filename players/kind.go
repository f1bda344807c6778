package players

import (
	"slices"
	"sync"

	"versus2048/players/playout"
	"versus2048/rules"
)

// Kind is a kind of bot that a spec can name.
type Kind struct {
	Name    string
	Summary string // the bot's way to play, in a few words
	Options []Option

	defaults func() configuration
}

// Kinds lists every kind of bot, always in the same order.
func Kinds() []Kind { return slices.Clone(kinds()) }

// kinds makes the list of all kinds once, since each spec that somebody names is looked up in it. To add a bot,
// add its line here and map its options in a file of its own, as evminimax.go does.
var kinds = sync.OnceValue(func() []Kind {
	return []Kind{
		simpleKind("random", "draws uniformly from the legal moves", playout.ChooseRandom),
		simpleKind("greedy", "looks one slide ahead at the score; equal moves are drawn", playout.ChooseGreedy),
		evMinimaxKind(),
		alphaBetaKind(),
		championKind(),
		mctsKind(),
		dagKind(),
		mctsPlusKind(),
		ov3yKind(),
		expectimaxKind(),
		simpleKind("chance", "places as the solo game does: any empty cell, a 4 in one case of ten; slides at random", playout.ChooseChance),
		perfectKind(),
		nTupleKind(),
		neuralKind("td", "takes the slide to the board that a network values most; trained by temporal differences of afterstates", rateValues),
		neuralKind("dqn", "takes the slide that a network values most; trained by deep Q-learning (Mnih et al. 2015)", rateQ),
		cnnKind(),
		neuralKind("ppo", "takes the slide that a network prefers; trained by PPO on afterstates, in a form of our own", ratePreferences),
		azKind(),
		muZeroKind(),
	}
})

// NeedsFile reports whether a spec of the kind has to name a file.
func (k Kind) NeedsFile() bool {
	return slices.ContainsFunc(k.Options, func(o Option) bool { return o.Required() || o.File && o.Default == noFile })
}

// entry describes a kind of bot. C holds the values of its options and the files that were opened for them.
type entry[C any] struct {
	name    string
	summary string
	// options lists the options in the order of a spec, each with the field that holds its value. Reading a spec sets
	// the defaults.
	options func(*C) []setting
	// open opens the files that the options name. It is nil for kinds without files.
	open func(*C) error
	// plays returns an error if the bot cannot play under the given rules on boards of the given size. It is nil for
	// kinds that play every game.
	plays func(C, rules.Ruleset, rules.Size) error
	// need returns the need of a player. It is nil for kinds that use hardly any memory.
	need func(C) Need
	// player returns the player for one game.
	player func(c C, g Game) Player
}

func (e entry[C]) kind() Kind {
	if e.open == nil {
		e.open = func(*C) error { return nil }
	}
	if e.plays == nil {
		e.plays = func(C, rules.Ruleset, rules.Size) error { return nil }
	}
	if e.need == nil {
		e.need = func(C) Need { return Need{Memory: leastMemory, Threads: 1} }
	}
	k := Kind{
		Name: e.name, Summary: e.summary,
		defaults: func() configuration { return &kindConfiguration[C]{entry: e} },
	}
	for _, s := range e.options(new(C)) {
		k.Options = append(k.Options, s.Option)
	}
	return k
}

// configuration is a bot with the options of a spec.
type configuration interface {
	// settings returns the options with the fields that hold their values.
	settings() []setting
	// open opens the files that the options name, once all options are set.
	open() error
	clone() configuration
	plays(r rules.Ruleset, size rules.Size) error
	need() Need
	player(g Game) Player
}

// kindConfiguration is the configuration of a bot of the kind that entry describes.
type kindConfiguration[C any] struct {
	entry  entry[C]
	values C
}

func (c *kindConfiguration[C]) settings() []setting { return c.entry.options(&c.values) }

func (c *kindConfiguration[C]) open() error { return c.entry.open(&c.values) }

func (c *kindConfiguration[C]) clone() configuration {
	copied := *c
	return &copied
}

func (c *kindConfiguration[C]) plays(r rules.Ruleset, size rules.Size) error {
	return c.entry.plays(c.values, r, size)
}

func (c *kindConfiguration[C]) need() Need { return c.entry.need(c.values) }

func (c *kindConfiguration[C]) player(g Game) Player { return c.entry.player(c.values, g) }
