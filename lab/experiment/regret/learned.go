package regret

import (
	"context"
	"fmt"
	"time"

	"versus2048/players"
	"versus2048/players/clock"
	"versus2048/players/exact"
	"versus2048/rules"
	"versus2048/tournament/report"
)

// LearnedBot is a player to be measured.
type LearnedBot struct {
	Name    string
	Spec    players.Spec
	Learned *Learned // nil for a bot that is no snapshot of a run
}

// Learned describes the run of training that made the weights of a bot.
type Learned struct {
	Run      string  `json:"run"`      // the name of the run, without its seed: runs of the same name form a curve
	Seed     int64   `json:"seed"`     // of the run
	Snapshot string  `json:"snapshot"` // equal for weights that were saved at the same point of equal runs
	Steps    int64   `json:"steps"`    // of training
	Seconds  float64 `json:"seconds"`  // that training took
}

// LearnedConfig holds the adjustable parameters of a measurement.
type LearnedConfig struct {
	Positions int    // of each role in each quarter of the game: see regret.Config
	Games     int    // that each bot plays in each role, at least 1
	Opening   int    // random plies before a game against perfect play
	Seed      uint64 // of all random choices
	Workers   int    // positions and games at once, at least 1
}

// Game is the game that bots are measured in: the rules and the size of the board.
type Game struct {
	Rules rules.Ruleset
	Size  rules.Size
	table *exact.Table // nil if the game is not solved
}

// Solved returns the game of a table.
func Solved(t *exact.Table) Game { return Game{t.Rules(), t.Size(), t} }

// Unsolved returns solo on a board without known exact values.
func Unsolved(s rules.Size) Game { return Game{Rules: rules.Solo, Size: s} }

func (g Game) String() string { return fmt.Sprintf("%v on %v", g.Rules, g.Size) }

// Roles returns the roles that bots are measured in.
func (g Game) Roles() []rules.Side {
	if g.Rules.Chance() {
		return []rules.Side{rules.Defender}
	}
	return []rules.Side{rules.Defender, rules.Attacker}
}

// LearnedBoard holds the measurements of all bots in one game.
type LearnedBoard struct {
	Rules rules.Ruleset `json:"rules"`
	Size  rules.Size    `json:"size"`
	// Optimum is the number of points that perfect play makes from the empty board. It is absent if not known.
	Optimum report.Figure `json:"optimum"`
	Opening int           `json:"opening"` // random plies before each game
	Moves   *Report       `json:"moves"`   // nil if no exact values are known
	Bots    []LearnedRow  `json:"bots"`
}

// LearnedRow holds the measurements of one bot.
type LearnedRow struct {
	Name    string   `json:"name"`
	Spec    string   `json:"spec"` // with all options
	Learned *Learned `json:"learned,omitempty"`
	// Milliseconds is the processor time of a move with a choice, over the positions of the sample, or, without
	// a sample, over the positions of its games. It is absent on systems that do not report processor time.
	Milliseconds report.Figure `json:"milliseconds"`
	Played       []Played      `json:"played"` // by role
}

// Measure measures the bots in a game, one after the other. It returns an error if a setting is out of range, if games
// end before the opening does, if a bot cannot play the game or fails, and when ctx ends. It calls report, unless
// report is nil, with the number of positions and games that are done, and with their total.
func Measure(ctx context.Context, g Game, bots []LearnedBot, s LearnedConfig, report func(done, total int)) (LearnedBoard, error) {
	if err := s.check(g, bots); err != nil {
		return LearnedBoard{}, err
	}
	m := measurement{game: g, settings: s, report: report, total: s.work(g, len(bots))}
	if err := m.prepare(ctx); err != nil {
		return LearnedBoard{}, err
	}
	board := LearnedBoard{Rules: g.Rules, Size: g.Size, Opening: m.opening(), Optimum: unknown}
	if g.table != nil {
		if err := m.draw(ctx, &board); err != nil {
			return LearnedBoard{}, err
		}
	}
	var asked []Bot
	for _, b := range bots {
		row, answers, err := m.bot(ctx, b)
		if err != nil {
			return LearnedBoard{}, fmt.Errorf("bot %q, %v: %w", b.Name, g, err)
		}
		board.Bots = append(board.Bots, row)
		asked = append(asked, Bot{Name: b.Name, Spec: b.Spec, Answers: answers})
	}
	if m.sample != nil {
		moves := NewReport(m.sample, asked)
		board.Moves = &moves
	}
	return board, nil
}

func (s LearnedConfig) check(g Game, bots []LearnedBot) error {
	switch {
	case s.Games < 1:
		return fmt.Errorf("%d games: want at least 1", s.Games)
	case s.Workers < 1:
		return fmt.Errorf("%d workers: want at least 1", s.Workers)
	case s.Opening < 0:
		return fmt.Errorf("an opening of %d plies: want at least 0", s.Opening)
	case g.table == nil && !g.Rules.Chance():
		return fmt.Errorf("%v is not solved: its bots have no perfect opponent", g)
	}
	for _, b := range bots {
		if err := b.Spec.Plays(g.Rules, g.Size); err != nil {
			return fmt.Errorf("bot %q: %w", b.Name, err)
		}
	}
	return nil
}

// unknown stands for a figure that needs exact values, where none are known.
var unknown = report.Figure{Needs: "is not known"}

// work returns the total number of tasks, at most: positions to draw, positions to ask the bots about, and games to
// play.
func (s LearnedConfig) work(g Game, bots int) int {
	n := bots * len(g.Roles()) * s.Games
	if g.table != nil {
		n += (1 + bots) * len(g.Roles()) * stages * s.Positions
	}
	return n
}

// measurement holds the settings and the draws that all bots share, and the progress.
type measurement struct {
	game     Game
	settings LearnedConfig
	setups   []setup // of the games
	sample   *Sample // nil if no exact values are known
	report   func(done, total int)
	done     int // positions and games of the parts that have begun
	total    int // positions and games of all parts
}

// part begins the next part of the work, with at most n positions or games. It returns a function that reports the
// part's progress.
func (m *measurement) part(n int) func(done, total int) {
	before := m.done
	m.done += n
	return func(done, total int) {
		if m.report != nil {
			m.report(before+done*n/total, m.total)
		}
	}
}

// positions begins a part that goes through all positions of the sample.
func (m *measurement) positions() func(done, total int) {
	return m.part(len(m.game.Roles()) * stages * m.settings.Positions)
}

// draw draws the sample and looks up the optimum.
func (m *measurement) draw(ctx context.Context, b *LearnedBoard) (err error) {
	settings := Config{Positions: m.settings.Positions, Seed: m.settings.Seed, Workers: m.settings.Workers}
	if m.sample, err = Draw(ctx, m.game.table, settings, m.positions()); err != nil {
		return err
	}
	value, err := m.game.table.Value(rules.NewPosition(m.game.Rules, m.game.Size))
	b.Optimum = report.Figure{Value: value.Gain}
	return err
}

// bot measures one bot. It returns no answers if there is no sample.
func (m *measurement) bot(ctx context.Context, b LearnedBot) (LearnedRow, []Answer, error) {
	row := LearnedRow{Name: b.Name, Spec: b.Spec.String(), Learned: b.Learned}
	var answers []Answer
	began, moves := clock.ProcessorTime(), 0
	if m.sample != nil {
		var err error
		if answers, err = m.sample.Ask(ctx, b.Spec, m.settings.Workers, m.positions()); err != nil {
			return row, nil, err
		}
		row.Milliseconds, moves = perMove(clock.ProcessorTime()-began, len(answers)), len(answers)
	}
	for _, role := range m.game.Roles() {
		games, err := m.play(ctx, b, role)
		if err != nil {
			return row, nil, err
		}
		row.Played = append(row.Played, newPlayed(role, games, m.game.table != nil))
		for _, g := range games {
			moves += g.choices
		}
	}
	if m.sample == nil {
		row.Milliseconds = perMove(clock.ProcessorTime()-began, moves)
	}
	return row, answers, nil
}

// perMove returns the mean number of milliseconds of a move.
func perMove(used time.Duration, moves int) report.Figure {
	if used == 0 || moves == 0 {
		return report.Figure{Needs: "needs processor times"}
	}
	return report.Figure{Value: float64(used) / float64(time.Millisecond) / float64(moves)}
}
