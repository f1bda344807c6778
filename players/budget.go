package players

import (
	"fmt"
	"time"

	"versus2048/players/searching"
)

// Effort is the budget for each move that an event sets for all bots, in place of the options of their specs. A zero
// field sets nothing. Bots without such an option ignore it.
type Effort struct {
	Playouts uint64 `json:"playouts,omitzero"` // random games for each move, at most 100,000,000
	Nodes    uint64 `json:"nodes,omitzero"`    // largest number of positions that a search keeps, 64 to 100,000,000
}

// Validate returns an error if a field is out of its range.
func (e Effort) Validate() error {
	for _, limit := range []struct {
		Option
		value uint64
	}{{playoutsOption, e.Playouts}, {nodesOption, e.Nodes}} {
		if limit.value != 0 && !limit.contains(limit.value) {
			return fmt.Errorf("a budget of %d %s: want %s, or 0 for none", limit.value, limit.Name, limit.Allowed())
		}
	}
	return nil
}

// Within returns the spec of the same bot with the budget e, which must be valid. For a bot with the option playouts, a
// number of playouts also replaces its own time limit.
func (s Spec) Within(e Effort) Spec {
	s.bot = s.bot.clone()
	replace := func(o Option, value uint64) {
		if option, has := s.setting(o.Name); has {
			option.set(value)
		}
	}
	if _, counts := s.setting(playoutsOption.Name); counts && e.Playouts != 0 {
		replace(playoutsOption, e.Playouts)
		replace(timeOption, 0)
	}
	if e.Nodes != 0 {
		replace(nodesOption, e.Nodes)
	}
	return s
}

// The options that limit a tree search.
var (
	playoutsOption = Option{
		Name: "playouts", Default: "10000", Least: 1, Most: 100_000_000,
		Meaning: "random games for each move",
	}
	timeOption = Option{
		Name: "time", Default: "0", Most: 3_600_000,
		Meaning: "milliseconds for each move, instead of a number of playouts; 0 for no limit",
	}
	nodesOption = Option{
		Name: "nodes", Default: "2000000", Least: 64, Most: 100_000_000,
		Meaning: "positions kept at most, about 250 bytes each; at this limit no more leaves are expanded",
	}
)

// budget is the effort that a search may spend on each move. A field is 0 if the search has no such option.
type budget struct {
	depth        int
	playouts     int
	milliseconds int // 0 for no limit
}

func (b budget) pace(g Game) *pace {
	return newPace(g.Clock, time.Duration(b.milliseconds)*time.Millisecond)
}

// timeSetting returns the option time of a search. meaning completes the help: it tells how the search uses the time.
func (b *budget) timeSetting(byDefault, meaning string) setting {
	return number(&b.milliseconds, Option{
		Name: timeOption.Name, Default: byDefault, Most: timeOption.Most, Meaning: "milliseconds for each move" + meaning + "; 0 for no limit",
	})
}

// threadsSetting returns the option threads of a search. meaning completes the help: it tells how the threads work.
func threadsSetting(field *int, meaning string) setting {
	return number(field, Option{
		Name: "threads", Default: "1", Least: 1, Most: 256,
		Meaning: "threads that search together" + meaning + "; with more than one a game cannot be repeated exactly",
	})
}

// chooser returns the chooser of a new game.
func (b budget) chooser(g Game, s search) *pacedChooser { return b.chooserWith(b.pace(g), s) }

// chooserWith returns a chooser with the pace p, which it may share with others. A time limit replaces the number of
// playouts.
func (b budget) chooserWith(p *pace, s search) *pacedChooser {
	if b.milliseconds > 0 {
		b.playouts = 0
	}
	return &pacedChooser{search: s, budget: searching.Budget{Depth: b.depth, Playouts: b.playouts}, pace: p}
}

// Repeatable reports whether the bot plays the same moves whenever the seed and the opponent's moves are the same: on
// every processor, and after every interruption of the game. It assumes that no clock ends a search. See Varies.
func (s Spec) Repeatable() bool { return s.Varies() == "" }

// Varies returns the reason why the bot may play other moves although the seed and the opponent's moves are the same.
// It returns "" if there is no reason but a clock that ends a search.
func (s Spec) Varies() string {
	switch s.kind.Name {
	case "champion":
		return "it keeps its table from move to move"
	case "td", "dqn", "cnn", "ppo", "az", "muzero":
		return "the values of its neural network depend on the processor"
	}
	for _, fixed := range []struct{ option, value, otherwise string }{
		{timeOption.Name, "0", "its search has a limit of time"},
		{"threads", "1", "its search has several threads"},
		{"reuse", "false", "it keeps its search from move to move"},
		{"keep", "false", "it keeps its table from move to move"},
	} {
		if option, has := s.setting(fixed.option); has && option.text() != fixed.value {
			return fixed.otherwise
		}
	}
	return ""
}

// Paced reports whether the bot distributes the total time of a game over its moves.
func (s Spec) Paced() bool {
	_, has := s.setting(timeOption.Name)
	return has
}

// Slowed returns the spec of the same bot for a machine that is slower by a factor. It multiplies the bot's own time
// limit by the factor, to at least 1 ms and at most 1 h. Without a time limit it returns the spec as it is.
func (s Spec) Slowed(factor float64) Spec {
	option, has := s.setting(timeOption.Name)
	if !has || option.get() == 0 || factor == 1 {
		return s
	}
	s.bot = s.bot.clone()
	option, _ = s.setting(timeOption.Name)
	option.set(max(1, min(option.Most, uint64(float64(option.get())*factor+0.5))))
	return s
}

// Timed reports whether the bot has its own time limit for each move.
func (s Spec) Timed() bool {
	option, has := s.setting(timeOption.Name)
	return has && option.get() > 0
}
