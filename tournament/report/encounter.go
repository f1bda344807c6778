package report

import (
	"math/bits"
	"slices"

	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// encounter gathers all matches of two bots, in the order of their numbers. Its size does not grow
// with the matches, except for the memory that recognizes repeats.
type encounter struct {
	names             [2]string
	matches, forfeits tournament.Tally // of the first bot
	leftOut, repeated int
	seen              tournament.Repeats
	differences       differences // of the first bot's score and the second's
	trials            *Trials     // of the first bot
	defences          [2]defences
	faults            [2][2]map[record.Ending]int // of each bot on each side, by ending
}

func newEncounter(first, second string) *encounter {
	return &encounter{names: [2]string{first, second}, trials: NewTrials(first)}
}

func encounterOf(first, second string, matches []tournament.MatchResult) *encounter {
	e := newEncounter(first, second)
	for i := range matches {
		e.add(&matches[i])
	}
	return e
}

// place returns 0 for the first bot, 1 for the second. The named bot must be one of the two.
func (e *encounter) place(name string) int { return slices.Index(e.names[:], name) }

func (e *encounter) add(m *tournament.MatchResult) {
	first := e.names[0]
	e.matches.Add(*m, first)
	if m.By != tournament.ByScore {
		e.forfeits.Add(*m, first)
	}
	e.trials.Add(*m)
	for i, name := range e.names {
		game := m.Defence(name)
		e.defences[i].add(&game)
		e.blame(i, &game)
	}
	switch {
	case !m.Scored():
		e.leftOut++
	case e.seen.Add(*m):
		e.repeated++
	default:
		e.differences.add(float64(m.Defence(e.names[0]).Score - m.Defence(e.names[1]).Score))
	}
}

// blame counts the fault or resignation that ended a game, if any. The i-th bot defends in the game.
func (e *encounter) blame(i int, game *tournament.Summary) {
	side, lost := loser(*game)
	if !lost {
		return
	}
	if side == rules.Attacker {
		i = 1 - i
	}
	if e.faults[i][side] == nil {
		e.faults[i][side] = map[record.Ending]int{}
	}
	e.faults[i][side][game.Ending]++
}

func (e *encounter) stats(i int, times *timesheet) BotStats {
	name, opponent := e.names[i], e.names[1-i]
	conduct := func(side rules.Side) Conduct {
		return newConduct(e.faults[i][side], times.against(name, opponent, side))
	}
	return BotStats{Name: name, Scores: e.defences[i].scores(), Defending: conduct(rules.Defender), Attacking: conduct(rules.Attacker)}
}

func (e *encounter) headToHead(times *timesheet, seed uint64) HeadToHead {
	return HeadToHead{
		First:      e.stats(0, times),
		Second:     e.stats(1, times),
		Matches:    e.matches,
		Forfeits:   e.forfeits,
		Strength:   newStrength(e.trials.Result()),
		Difference: e.differences.estimate(seed),
		LeftOut:    e.leftOut,
		Repeated:   e.repeated,
	}
}

// defences gathers games by their defenders' results. Games that were cut short are only counted.
type defences struct {
	games   distribution // their scores
	turns   int          // of all games
	tiles   [18]int      // games by the exponent of their largest tile
	without int          // games that were cut short
}

func (d *defences) add(game *tournament.Summary) {
	if !game.Scored() {
		d.without++
		return
	}
	d.games.add(float64(game.Score))
	d.turns += game.Turns
	d.tiles[exponent(game.LargestTile)]++
}

// exponent returns the exponent of a tile, 0 for an empty board. A number that is no tile, from a damaged database,
// counts as the next smaller tile, or as an empty board if there is none.
func exponent(tile int) int {
	return min(bits.Len(uint(max(1, tile)))-1, len(defences{}.tiles)-1)
}

func (d *defences) merge(e *defences) {
	d.games.merge(&e.games)
	d.turns += e.turns
	d.without += e.without
	for i, n := range e.tiles {
		d.tiles[i] += n
	}
}

func (d *defences) scores() Scores {
	s := Scores{
		Games: d.games.n, CutShort: d.without,
		MeanScore: d.games.mean("game"), ScoreSD: d.games.deviation("game"),
		MinScore: d.games.smallest("game"), MaxScore: d.games.largest("game"),
		MeanTurns: share(d.turns, d.games.n),
	}
	for exponent, n := range d.tiles {
		if n == 0 {
			continue
		}
		s.LargestTile = 1 << exponent &^ 1 // 0 for an empty board
		if s.LargestTile >= GoalTile {
			s.Reached += n
		}
	}
	s.ReachShare = share(s.Reached, d.games.n)
	return s
}
