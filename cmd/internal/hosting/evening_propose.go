package hosting

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"versus2048/cmd/internal/cmdline"
	"versus2048/rules"
	"versus2048/tournament"
	"versus2048/tournament/format"
	"versus2048/tournament/report"
)

// The bounds of an evening.
const (
	mostBots    = 500
	fewestHours = 0.1
	mostHours   = 100
)

// timeReserve is the share of the hours that is left for late bots, breaks and talk.
const timeReserve = 0.2

// comfort is a board with a time for a move.
type comfort struct {
	size rules.Size
	time time.Duration
}

// comforts lists the comforts that an evening may have, the best first: a large board with little time for a move is
// better than a small board with much time.
func comforts(wanted tournament.Event, fixed func(setting string) bool) (all []comfort) {
	sizes := []rules.Size{rules.Full, {Width: 3, Height: 3}, {Width: 3, Height: 2}}
	if fixed("size") {
		sizes = []rules.Size{wanted.Size}
	}
	for i, size := range sizes {
		if fixed("time-per-move") {
			all = append(all, comfort{size, wanted.Clock.PerMove})
			continue
		}
		milliseconds := []int{2000, 1000, 700, 500, 400, 300, 200, 150, 100}
		if i == 0 && !fixed("size") {
			milliseconds = milliseconds[1:] // a second for each move of a long game is enough
		}
		for _, ms := range milliseconds {
			all = append(all, comfort{size, time.Duration(ms) * time.Millisecond})
		}
	}
	return all
}

// usualComfort returns the least comfort on a board of at least nine cells, or else the least of all. An evening has
// the usual number of rounds only if they fit at this comfort.
func usualComfort(all []comfort) comfort {
	for i := len(all) - 1; i >= 0; i-- {
		if all[i].size.Cells() >= 9 {
			return all[i]
		}
	}
	return all[len(all)-1]
}

// generousComfort returns the best comfort with at most 200 ms for a move, or else the best of all. An evening has more
// rounds than usual only if they fit at this comfort.
func generousComfort(all []comfort) comfort {
	for _, c := range all {
		if c.time <= 200*time.Millisecond {
			return c
		}
	}
	return all[0]
}

// proposal proposes the settings of an evening that the function proposals returns.
type proposal struct {
	wanted tournament.Event // with the settings that the host has chosen
	bots   int              // with the arena's own
	time   time.Duration    // that the games may take
	fixed  func(setting string) bool
}

// propose returns the event of an evening, and the event's forecast. bots is the number of expected bots besides the
// arena's own. fixed reports whether the host has chosen a setting of the wanted event. The longest time of the
// forecast fits into the hours without the share timeReserve. If the host has chosen the time for a move, only the
// expected time fits. propose returns a usage error if no event fits, or if an evening cannot have the settings.
func propose(wanted tournament.Event, bots int, hours float64, fixed func(setting string) bool) (tournament.Event, report.Forecast, error) {
	if err := errors.Join(checkBots(bots), checkHours(hours)); err != nil {
		return wanted, report.Forecast{}, cmdline.WrongUsage(err)
	}
	p := proposal{wanted, bots + len(wanted.Bots), time.Duration(hours * (1 - timeReserve) * float64(time.Hour)), fixed}
	if err := p.check(); err != nil {
		return wanted, report.Forecast{}, cmdline.WrongUsage(err)
	}
	e, ok := p.best()
	if !ok {
		return wanted, report.Forecast{}, cmdline.Usagef("%d bots in %s have no time for one round, even at %s a move on %v: give more hours%s",
			p.bots, report.Span(time.Duration(hours*float64(time.Hour))), tournament.ShortDuration(e.Clock.PerMove), e.Size, p.freed())
	}
	return e, p.forecast(e), nil
}

// freed returns advice to leave out the settings that the host has chosen, "" if there are none.
func (p proposal) freed() string {
	chosen := slices.DeleteFunc(proposals(), func(name string) bool { return !p.fixed(name) })
	if len(chosen) == 0 {
		return ""
	}
	return ", or leave out " + strings.Join(chosen, ", ")
}

func checkBots(bots int) error {
	if bots < 2 || bots > mostBots {
		return fmt.Errorf("%d bots: want 2 to %d", bots, mostBots)
	}
	return nil
}

func checkHours(hours float64) error {
	if !(hours >= fewestHours && hours <= mostHours) {
		return fmt.Errorf("%g hours: want %g to %d", hours, fewestHours, mostHours)
	}
	return nil
}

// checkFormat returns an error for a format that an evening cannot have.
func checkFormat(name string) error {
	possible := []string{tournament.Swiss, tournament.RoundRobin, tournament.Gauntlet, tournament.Knockout, tournament.DoubleElimination}
	if !slices.Contains(possible, name) {
		return fmt.Errorf("format %q: an evening has one of %s", name, strings.Join(possible, ", "))
	}
	return nil
}

// check returns an error for a format that an evening cannot have, and for settings that no event can have.
func (p *proposal) check() error {
	if err := checkFormat(format.Name(p.wanted.Settings.Plan)); err != nil {
		return err
	}
	all := comforts(p.wanted, p.fixed)
	return format.Validate(p.withBots(p.at(1, all[len(all)-1])))
}

// best returns the best event that fits into the time. If none does, it returns the shortest one and false.
func (p *proposal) best() (tournament.Event, bool) {
	all := comforts(p.wanted, p.fixed)
	level, enough := 1, p.usualLevel()
	for level < enough && p.fits(p.at(level+1, usualComfort(all))) {
		level++
	}
	for p.isLevel(level+1) && level >= enough && p.fits(p.at(level+1, generousComfort(all))) {
		level++
	}
	for _, c := range all {
		if e := p.at(level, c); p.fits(e) {
			return e, true
		}
	}
	return p.at(1, all[len(all)-1]), false
}

// at returns the event at a level and a comfort. In a Swiss event the level is the number of rounds. In other formats
// the level sets the number of matches of each pairing.
func (p *proposal) at(level int, c comfort) tournament.Event {
	e := p.wanted
	e.Size, e.Clock.PerMove = c.size, c.time
	plan := &e.Settings.Plan
	switch {
	case plan.Kind == tournament.Swiss && !p.fixed("rounds"):
		plan.Rounds = level
	case plan.Kind != tournament.Swiss && !p.fixed("matches"):
		e.Matches = level
		if plan.Kind == tournament.Knockout || plan.Kind == tournament.DoubleElimination {
			e.Matches = 2*level - 1 // so that one bot wins more of them
		}
	}
	if plan.Kind == tournament.Swiss && !p.fixed("matches") {
		e.Matches = format.DefaultMatches(*plan)
	}
	if !p.fixed("concurrency") {
		e.Concurrency = p.bots // more bots may come than are expected
	}
	if !p.fixed("max-turns") {
		e.Settings.Adjudication.MaxTurns = mostTurns(e)
	}
	return e
}

// isLevel reports whether an event can have that level: the host's settings allow it, and so does the format.
func (p *proposal) isLevel(level int) bool {
	c := comfort{p.wanted.Size, p.wanted.Clock.PerMove}
	now, before := p.withBots(p.at(level, c)), p.at(level-1, c)
	changes := now.Matches != before.Matches || now.Settings.Plan.Rounds != before.Settings.Plan.Rounds
	return changes && level <= mostLevel(now) && format.Validate(now) == nil
}

// mostLevel returns the highest level that is proposed.
func mostLevel(e tournament.Event) int {
	switch e.Settings.Plan.Kind {
	case tournament.Swiss:
		return mostBots
	case tournament.Knockout, tournament.DoubleElimination:
		return 4 // seven matches
	}
	return 10
}

// usualLevel returns the level that an evening has if there is time for it.
func (p *proposal) usualLevel() int {
	e := p.withBots(p.wanted)
	switch {
	case e.Settings.Plan.Kind == tournament.Swiss && !p.fixed("rounds"):
		e.Settings.Plan.Rounds, e.Matches = 0, 1
		return format.New(e).Total().Matches / (p.bots / 2) // the format's own number of rounds
	case p.isLevel(2):
		return 2
	}
	return 1
}

// fits reports whether an event is over in time. If the host has chosen the time for a move, bots are not expected to
// need all of it.
func (p *proposal) fits(e tournament.Event) bool {
	f := p.forecast(e)
	if p.fixed("time-per-move") {
		return f.About <= p.time
	}
	return longestTime(f) <= p.time
}

// longestTime is the longest time that a forecast allows for.
func longestTime(f report.Forecast) time.Duration {
	if f.Most > 0 {
		return f.Most
	}
	return max(f.Full, f.About)
}

func (p *proposal) forecast(e tournament.Event) report.Forecast {
	return report.NewForecaster(p.withBots(e)).Forecast()
}

// withBots returns the event with as many bots as are expected.
func (p *proposal) withBots(e tournament.Event) tournament.Event {
	e.Bots = nil
	e.Entries = make([]tournament.Entry, p.bots)
	for i := range e.Entries {
		e.Entries[i].Name = fmt.Sprintf("bot-%d", i+1)
	}
	return e
}

// enoughTurns is the largest limit that is proposed: two thousand turns are enough for more than one 2048.
const enoughTurns = 2000

// mostTurns returns the limit of the turns of a game: twice the turns of usual games, rounded up to one digit, and at
// most enoughTurns. So two strong bots do not hold up an evening.
func mostTurns(e tournament.Event) int {
	e.Settings.Adjudication.MaxTurns = 0
	turns := report.UsualPlies(e)
	digit := math.Pow(10, math.Floor(math.Log10(turns)))
	return min(enoughTurns, int(math.Ceil(turns/digit)*digit))
}
