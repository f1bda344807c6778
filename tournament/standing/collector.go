package standing

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"versus2048/players"
	"versus2048/rules"
	"versus2048/tournament"
	"versus2048/tournament/report"
)

// Collector gathers the matches of many events, one by one, and rates their bots: a list for each
// set of conditions. It keeps sums, and a number for each different match to recognize repeats, but
// no match and no game. The lists depend only on the events and their order.
type Collector struct {
	lists map[Conditions]*sums
}

// sums are the gathered results of the matches under the same conditions.
type sums struct {
	events, matches int
	split           int // matches during which a bot changed its version
	last            string
	bots            []Bot // in the order of their first matches
	numbers         map[Bot]int
	played          []string                  // by bot, the date of the last match
	pairs           map[[2]int]*report.Trials // by the numbers of two bots, the smaller one first, from that bot's side
}

// NewCollector returns a collector without an event.
func NewCollector() *Collector { return &Collector{map[Conditions]*sums{}} }

// Cast has the players of a match, as far as recorded, and its date.
type Cast struct {
	// Legs are the bots' descriptions of themselves, by leg and side. An unknown description is zero.
	Legs [2][2]tournament.Identity
	Date string // the date of the end of its last game, such as 2026-11-22
}

// Event gathers the matches of one event.
type Event struct {
	sums   *sums
	event  *tournament.Event
	aside  tournament.SetAside
	hosted map[string]Bot   // the entries with a spec
	known  map[string][]Bot // the other entries' descriptions of themselves in the whole event
	met    map[*report.Trials]bool
}

// Event begins to gather an event. identities are its bots' descriptions of themselves, and aside
// are the bots that are set aside after all its decided matches.
func (c *Collector) Event(e tournament.Event, identities []tournament.Identity, aside tournament.SetAside) *Event {
	conditions := ConditionsOf(&e)
	if c.lists[conditions] == nil {
		c.lists[conditions] = &sums{numbers: map[Bot]int{}, pairs: map[[2]int]*report.Trials{}}
	}
	v := &Event{
		sums: c.lists[conditions], event: &e, aside: aside,
		hosted: map[string]Bot{}, known: map[string][]Bot{}, met: map[*report.Trials]bool{},
	}
	for _, entry := range e.Entries {
		if entry.Spec != "" {
			v.hosted[entry.Name] = HostedBot(entry.Spec)
		}
	}
	for _, id := range identities {
		v.known[id.Name] = append(v.known[id.Name], ConnectedBot(id))
	}
	return v
}

// Add adds a decided match. Matches must be added in the order of their numbers. Add leaves out
// matches that do not count in the event's statistics, matches during which a bot changed its
// version, and matches of a bot against itself.
func (v *Event) Add(m tournament.MatchResult, cast Cast) {
	if !v.event.Counts(&m, v.aside) {
		return
	}
	first, sure := v.player(&m, m.First, &cast)
	second, alsoSure := v.player(&m, m.Second, &cast)
	switch {
	case !sure || !alsoSure:
		v.sums.split++
		return
	case first == second:
		return
	}
	if len(v.met) == 0 {
		v.sums.events++
	}
	v.sums.matches++
	v.sums.last = max(v.sums.last, cast.Date)
	a, b := v.sums.number(first, cast.Date), v.sums.number(second, cast.Date)
	m.First, m.Second = first.key(), second.key()
	trials := v.sums.trials(a, b)
	trials.Add(m)
	v.met[trials] = true
}

// Close ends the event.
func (v *Event) Close() {
	for trials := range v.met {
		trials.Close()
	}
}

// player returns the bot that played a match under a name. sure is false if two bots played under it.
func (v *Event) player(m *tournament.MatchResult, name string, cast *Cast) (b Bot, sure bool) {
	if b, hosted := v.hosted[name]; hosted {
		return b, true
	}
	var played [2]Bot
	for i, leg := range cast.Legs {
		side := rules.Defender
		if attacker, _ := m.Roles(i + 1); attacker == name {
			side = rules.Attacker
		}
		if side == rules.Attacker && v.event.Rules.Chance() {
			side = rules.Defender // from the other leg: in this leg the bot only watched
			leg = cast.Legs[1-i]
		}
		played[i] = v.described(name, leg[side])
	}
	return played[0], played[0] == played[1]
}

// described returns the bot with a description. If the description was not recorded, described returns the only bot
// that is known under the name. If none or several are known, it returns a Bot with the name alone, which is Mixed if
// several are.
func (v *Event) described(name string, id tournament.Identity) Bot {
	known := v.known[name]
	switch {
	case id.Name == name:
		return ConnectedBot(id)
	case len(known) == 1:
		return known[0]
	}
	return Bot{Name: name, Mixed: len(known) > 1}
}

// number returns the number of a bot that has played on that date. A new bot gets the next number.
func (s *sums) number(b Bot, date string) int {
	n, known := s.numbers[b]
	if !known {
		n = len(s.bots)
		s.numbers[b], s.bots, s.played = n, append(s.bots, b), append(s.played, date)
	}
	s.played[n] = max(s.played[n], date)
	return n
}

func (s *sums) trials(a, b int) *report.Trials {
	key := [2]int{min(a, b), max(a, b)}
	if s.pairs[key] == nil {
		s.pairs[key] = report.NewTrials(s.bots[key[0]].key())
	}
	return s.pairs[key]
}

// Summary describes the list for some conditions.
type Summary struct {
	Conditions string `json:"conditions"`
	Events     int    `json:"events"`
	Matches    int    `json:"matches"`
	Bots       int    `json:"bots"`
	Last       string `json:"last_played"` // a date
}

// Summaries returns the summaries of all lists, the lists with the most matches first.
func (c *Collector) Summaries() []Summary {
	all := []Summary{}
	for conditions, s := range c.lists {
		if s.matches > 0 {
			all = append(all, Summary{conditions.String(), s.events, s.matches, len(s.bots), s.last})
		}
	}
	slices.SortFunc(all, func(a, b Summary) int {
		return cmp.Or(cmp.Compare(b.Matches, a.Matches), cmp.Compare(a.Conditions, b.Conditions))
	})
	return all
}

// Conditions are the settings that change the bots' relative strengths: matches under different conditions are
// rated in different lists. docs/adr/0025-standing-lists.md gives the reasons for this choice.
type Conditions struct {
	Rules    rules.Ruleset
	Size     rules.Size
	Clock    tournament.Clock
	Budget   players.Effort // of bots that count playouts or positions
	Openings bool           // games start from openings, of any source
	MaxTurns int            // games end after this many turns; 0 means no limit
	MaxTile  int            // games end at this tile; 0 means no limit
}

// ConditionsOf returns the conditions of an event.
func ConditionsOf(e *tournament.Event) Conditions {
	s := &e.Settings
	return Conditions{
		Rules: e.Rules, Size: e.Size, Clock: e.Clock, Budget: s.Budget, Openings: len(s.Openings.Starts) > 0,
		MaxTurns: s.Adjudication.MaxTurns, MaxTile: s.Adjudication.MaxTile,
	}
}

// String describes the conditions, such as "gpcc2015 4x4 5s/move" or "gpcc2016 3x3 1m+500ms openings". Different
// conditions have different descriptions.
func (c Conditions) String() string {
	words := []string{c.Rules.String(), c.Size.String()}
	add := func(set bool, format string, values ...any) {
		if set {
			words = append(words, fmt.Sprintf(format, values...))
		}
	}
	add(c.Clock == tournament.Clock{}, "untimed")
	add(c.Clock.PerMove > 0, "%v/move", tournament.ShortDuration(c.Clock.PerMove))
	add(c.Clock.Base > 0, "%v+%v", tournament.ShortDuration(c.Clock.Base), tournament.ShortDuration(c.Clock.Increment))
	add(c.Budget.Playouts > 0, "playouts=%d", c.Budget.Playouts)
	add(c.Budget.Nodes > 0, "nodes=%d", c.Budget.Nodes)
	add(c.Openings, "openings")
	add(c.MaxTurns > 0, "max-turns=%d", c.MaxTurns)
	add(c.MaxTile > 0, "max-tile=%d", c.MaxTile)
	return strings.Join(words, " ")
}
