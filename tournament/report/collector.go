package report

import (
	"iter"
	"maps"
	"slices"
	"time"

	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
	"versus2048/tournament/format"
)

// Collector gathers an event's decided matches, and the times of their moves, one by one. It
// computes the statistics from sums and counts; it keeps no match and no game.
type Collector struct {
	event      tournament.Event
	format     tournament.Format // has received all matches
	aside      tournament.SetAside
	matches    int                     // all of them
	counting   int                     // the matches that count
	numbers    map[string]int          // of the entries, by name
	encounters map[[2]int]*encounter   // by the numbers of two entries, the smaller one first
	met        map[string][]*encounter // each entry's encounters, by name; a search in all encounters takes too long
	times      *timesheet              // of the matches that count
}

// NewCollector returns a collector of an event's matches. aside are the bots that are set aside
// after all its decided matches.
func NewCollector(e tournament.Event, aside tournament.SetAside) *Collector {
	c := gathered(e, nil)
	c.format, c.aside = format.New(e), aside
	return c
}

// Add adds a decided match. Matches must be added in the order of their numbers.
func (c *Collector) Add(m tournament.MatchResult) {
	c.matches++
	c.format.Add(m)
	m = c.event.Settings.Adjudication.Judge(m)
	if c.event.Counts(&m, c.aside) {
		c.gather(&m)
	}
}

// Scored reports for each game of a decided match whether its score is collected.
func (c *Collector) Scored(m tournament.MatchResult) [2]bool { return c.event.Scored(m, c.aside) }

// AddTimes adds the time and the lag of each ply of a game in a decided match, if the match counts.
// Without times, the statistics that need them are absent.
func (c *Collector) AddTimes(p tournament.Pairing, leg int, start rules.Position, plies iter.Seq2[time.Duration, time.Duration]) {
	if c.event.Counts(&tournament.MatchResult{Pairing: p}, c.aside) {
		c.times.add(p, leg, start, plies)
	}
}

// AddPauses adds the pauses of the clock in a game of a decided match, if the match counts.
func (c *Collector) AddPauses(p tournament.Pairing, leg int, start rules.Position, pauses []record.Pause) {
	if c.event.Counts(&tournament.MatchResult{Pairing: p}, c.aside) {
		c.times.addPauses(p, leg, start, pauses)
	}
}

// CollectorOf returns a collector with the matches and times of an event, from all of its games.
func CollectorOf(e tournament.Event, games []tournament.Game) *Collector {
	done := tournament.Matches(games)
	c := collected(e, done)
	c.times = timesheetOf(games, e.Counting(done))
	return c
}

// collected returns a collector with all decided matches of an event.
func collected(e tournament.Event, done []tournament.MatchResult) *Collector {
	c := NewCollector(e, e.SetAside(done))
	for _, m := range done {
		c.Add(m)
	}
	return c
}

// gather adds a match that counts.
func (c *Collector) gather(m *tournament.MatchResult) {
	c.counting++
	a, isA := c.numbers[m.First]
	b, isB := c.numbers[m.Second]
	if !isA || !isB {
		return
	}
	key := [2]int{min(a, b), max(a, b)}
	if c.encounters[key] == nil {
		c.meet(key)
	}
	c.encounters[key].add(m)
}

func (c *Collector) meet(key [2]int) {
	e := newEncounter(c.event.Entries[key[0]].Name, c.event.Entries[key[1]].Name)
	c.encounters[key] = e
	for _, name := range e.names {
		c.met[name] = append(c.met[name], e)
	}
}

// gathered returns a collector of matches that all count.
func gathered(e tournament.Event, counting []tournament.MatchResult) *Collector {
	c := &Collector{event: e, numbers: map[string]int{}, encounters: map[[2]int]*encounter{}, met: map[string][]*encounter{}, times: newTimesheet()}
	for i, entry := range e.Entries {
		c.numbers[entry.Name] = i
	}
	for _, m := range counting {
		m = e.Settings.Adjudication.Judge(m)
		c.gather(&m)
	}
	return c
}

// each calls do with every two entries that have met, in the order of the entries.
func (c *Collector) each(do func(a, b int, e *encounter)) {
	order := slices.SortedFunc(maps.Keys(c.encounters), func(p, q [2]int) int { return slices.Compare(p[:], q[:]) })
	for _, key := range order {
		do(key[0], key[1], c.encounters[key])
	}
}

// repeated counts the matches that are left out of strengths because they repeat earlier ones.
func (c *Collector) repeated() (n int) {
	c.each(func(_, _ int, e *encounter) { n += e.trials.Repeated() })
	return n
}

// gamesOf gathers all games with the named entry in a role.
func (c *Collector) gamesOf(name string, side rules.Side) defences {
	var all defences
	for _, e := range c.met[name] {
		i := e.place(name)
		if side == rules.Attacker {
			i = 1 - i
		}
		all.merge(&e.defences[i])
	}
	return all
}

// faults counts the games that a fault or resignation of the named entry on one side ended, by ending.
func (c *Collector) faults(name string, side rules.Side) map[record.Ending]int {
	all := map[record.Ending]int{}
	for _, e := range c.met[name] {
		for ending, n := range e.faults[e.place(name)][side] {
			all[ending] += n
		}
	}
	return all
}

func (c *Collector) total(name string) (t tournament.Tally) {
	for _, e := range c.met[name] {
		if e.place(name) == 0 {
			t = t.Plus(e.matches)
		} else {
			t = t.Plus(e.matches.Reversed())
		}
	}
	return t
}
