package learning

import (
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"versus2048/players/ntuple"
	"versus2048/rules"
)

// Settings choose the game, the network and the method of learning. Make them with Defaults.
type Settings struct {
	Rules     rules.Ruleset `json:"rules"`
	Size      rules.Size    `json:"size"`
	Structure string        `json:"structure"` // a name of ntuple.Structures
	// Stages are tiles: each begins a further stage of the game, with weights of its own.
	Stages  []int  `json:"stages,omitempty"`
	Seed    uint64 `json:"seed"`    // of all random choices
	Threads int    `json:"threads"` // games at once, 1 to 64; with one, learning can be repeated

	// Lambda is the share of a board's error that also corrects the board before it, 0 to 1: the lambda of TD(lambda).
	Lambda float64 `json:"lambda"`
	// Rate is the share of an error, 1e-6 to 1, that is added to the value of a board.
	Rate float64 `json:"rate"`
	// Coherence multiplies the rate of each weight by how much its errors agree in sign: temporal coherence
	// learning.
	Coherence bool `json:"coherence"`
	// Average, 0 to 1, makes the network's weights a mean over the games, roughly over this share of them, the last
	// ones. Game t counts as t^(1/Average-1). With 0 the network has the weights after the last game.
	Average float64 `json:"average,omitzero"`
	// Optimism is the value of every board before learning, in points, 0 or more.
	Optimism float64 `json:"optimism"`
	// Coarse is a number of units, 0 to 1024: the weights of the written network are rounded to multiples of it, for a
	// smaller file. The largest weight has 32,767 units. With 0 and 1 nothing is rounded.
	Coarse int `json:"coarse,omitzero"`

	// Expected learns from the mean over all tiles that chance may place, instead of from the one that it
	// placed: an expected update (Sutton and Barto 2018, section 8.5). Only under solo.
	Expected bool `json:"expected,omitzero"`

	// Lookahead is the number of slides that the search for the best turn looks ahead, 1 to 3. Under solo it must be 1.
	Lookahead int `json:"lookahead"`
	// Strap learns every board within the lookahead, as TreeStrap does. The lookahead must be 2 or more.
	Strap bool `json:"strap,omitzero"`
	// Teacher is the path of a table of exact values, "" for none. Boards in the table are learned from its
	// values. A caller that makes a Trainer with a path has to call Teach.
	Teacher string `json:"teacher,omitzero"`

	// The following settings choose the games that are played under the rules for two. They have no effect under solo,
	// where chance makes the games differ.

	// Opening is the greatest number of random plies at the start of a game; the number is drawn evenly.
	Opening int `json:"opening"`
	// Noise is the share of random placements and slides, 0 to 1.
	Noise float64 `json:"noise"`
	// Strangers is the share of games, 0 to 1, with another bot or an earlier self on one side.
	Strangers float64 `json:"strangers"`
	// Restart is the share of games, 0 to 1, that begin from a board of an earlier game, with up to
	// restartTurns random turns, instead of an opening.
	Restart float64 `json:"restart,omitzero"`
}

// Defaults returns settings that were found to learn a game well, with seed 1 and one thread.
func Defaults(r rules.Ruleset, size rules.Size) Settings {
	s := Settings{
		Rules: r, Size: size, Seed: 1, Threads: 1, Lambda: 0.5, Rate: 1, Coherence: true, Lookahead: 1,
		Opening: size.Cells() * 4, Noise: 0.02, Strangers: 0.05,
	}
	if size.Cells() <= 9 {
		s.Noise = 0.1 // games are short; with less, 3x2 was not always learned
	}
	if r.Chance() {
		s.Opening, s.Noise, s.Strangers = 0, 0, 0
		if size.Cells() > 6 {
			s.Average = 0.25
		}
	}
	if r.Chance() && size.Cells() == 6 {
		// Each board has a weight of its own. As in real-time dynamic programming (Barto, Bradtke and Singh 1995),
		// boards are learned from the mean over chance, and a board that was not seen yet must not look worse than it
		// is. See docs/notes/2026-11-29-learning.md, "Small boards".
		s.Expected, s.Lambda, s.Coherence, s.Optimism = true, 0, false, 500
	}
	if all := ntuple.Structures(size); len(all) > 0 {
		s.Structure = all[0].Name
	}
	return s
}

// structure returns the structure of the network.
func (s Settings) structure() (ntuple.Structure, error) {
	structure, err := ntuple.Named(s.Structure, s.Size)
	if err != nil {
		return structure, err
	}
	structure.Stages = s.Stages
	return structure, structure.Validate()
}

// Validate returns an error if a setting is out of its range, or if settings do not go together.
func (s Settings) Validate() error {
	if _, err := s.structure(); err != nil {
		return err
	}
	for _, setting := range []struct {
		name        string
		value       float64
		least, most float64
	}{
		{"threads", float64(s.Threads), 1, 64},
		{"lambda", s.Lambda, 0, 1},
		{"rate", s.Rate, 1e-6, 1},
		{"average", s.Average, 0, 1},
		{"optimism", s.Optimism, 0, 1e7},
		{"coarse", float64(s.Coarse), 0, 1024},
		{"lookahead", float64(s.Lookahead), 1, 3},
		{"opening", float64(s.Opening), 0, 1000},
		{"noise", s.Noise, 0, 1},
		{"strangers", s.Strangers, 0, 1},
		{"restart", s.Restart, 0, 1},
	} {
		if !(setting.value >= setting.least && setting.value <= setting.most) { // NaN is not
			return fmt.Errorf("%s %v: want %v to %v", setting.name, setting.value, setting.least, setting.most)
		}
	}
	if s.Lookahead > 1 && s.Rules.Chance() {
		return fmt.Errorf("lookahead %d: not under %v, where chance places the tiles; want 1", s.Lookahead, s.Rules)
	}
	if s.Expected && !s.Rules.Chance() {
		return fmt.Errorf("expected: %v has no chance to take a mean over; only solo has", s.Rules)
	}
	if s.Strap && s.Lookahead < 2 {
		return fmt.Errorf("lookahead %d: TreeStrap needs 2 or 3", s.Lookahead)
	}
	return nil
}

// Command returns the command line that repeats the learning with that many games, and writes again.ntuple. With
// several threads its result is similar, not the same.
func (s Settings) Command(games uint64) string {
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	words := []string{
		"lab train ntuple --rules", s.Rules.String(), "--size", s.Size.String(), "--structure", s.Structure,
		"--games", strconv.FormatUint(games, 10), "--seed", strconv.FormatUint(s.Seed, 10), "--threads", strconv.Itoa(s.Threads),
		"--lambda", number(s.Lambda), "--rate", number(s.Rate), "--optimism", number(s.Optimism),
	}
	if len(s.Stages) > 0 {
		words = append(words, "--stages", strings.ReplaceAll(strings.Trim(fmt.Sprint(s.Stages), "[]"), " ", ","))
	}
	if !s.Coherence {
		words = append(words, "--no-coherence")
	} else if !Defaults(s.Rules, s.Size).Coherence {
		words = append(words, "--no-coherence=false")
	}
	if s.Rules.Chance() {
		words = append(words, "--expected="+strconv.FormatBool(s.Expected))
	} else {
		words = append(words, "--lookahead", strconv.Itoa(s.Lookahead), "--opening", strconv.Itoa(s.Opening), "--noise", number(s.Noise), "--strangers", number(s.Strangers))
	}
	if s.Average > 0 || Defaults(s.Rules, s.Size).Average > 0 {
		words = append(words, "--average", number(s.Average))
	}
	if s.Coarse > 1 {
		words = append(words, "--coarse", strconv.Itoa(s.Coarse))
	}
	if s.Restart > 0 && !s.Rules.Chance() {
		words = append(words, "--restart", number(s.Restart))
	}
	if s.Strap {
		words = append(words, "--treestrap")
	}
	if s.Teacher != "" {
		words = append(words, "--teacher", filepath.Base(s.Teacher))
	}
	return strings.Join(append(words, "--out again.ntuple"), " ")
}

// MostGames is the largest number of games that a trainer can learn from.
const MostGames = math.MaxInt32
