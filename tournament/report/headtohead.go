package report

import "versus2048/tournament"

// HeadToHead compares two bots by the matches that they finished against each
// other, seen from First's side.
type HeadToHead struct {
	First    BotStats         `json:"first"`
	Second   BotStats         `json:"second"`
	Matches  tournament.Tally `json:"matches"`
	Forfeits tournament.Tally `json:"forfeits"` // the part of Matches that a fault or a resignation decided
	Strength Strength         `json:"strength"`
	// Difference is First's score less Second's, by match.
	Difference Estimate `json:"difference"`
	// LeftOut counts the matches that Difference leaves out, because a game of
	// theirs was cut short: see Summary.Scored.
	LeftOut int `json:"matches_left_out"`
}

// NewHeadToHead compares two bots by the games of one event. Games of matches
// that are not decided yet do not count, so that both bots have played the
// same games. The interval's resamples are drawn from seed, below 2^53, which
// is the event's.
func NewHeadToHead(first, second string, games []tournament.Game, seed uint64) HeadToHead {
	theirs := byPair(tournament.Matches(games))[pairOf(first, second)]
	return newHeadToHead(first, second, theirs, TimesheetOf(games, theirs), seed)
}

// newHeadToHead compares two bots by all their matches.
func newHeadToHead(first, second string, matches []tournament.MatchResult, times *Timesheet, seed uint64) HeadToHead {
	h := HeadToHead{
		First:    newPerformance(first, second, matches, times),
		Second:   newPerformance(second, first, matches, times),
		Strength: newStrength(first, matches),
	}
	var differences []float64
	for _, m := range matches {
		h.Matches.Add(m, first)
		if m.By != tournament.ByScore {
			h.Forfeits.Add(m, first)
		}
		if !m.Scored() {
			h.LeftOut++
			continue
		}
		differences = append(differences, float64(m.Defence(first).Score-m.Defence(second).Score))
	}
	h.Difference = newEstimate(differences, seed)
	return h
}

// HeadToHeads compares every two bots of an event, in the order of its
// entries, by those of its games that count.
func HeadToHeads(e tournament.Event, games []tournament.Game) []HeadToHead {
	done := tournament.Matches(games)
	return headToHeads(e, done, TimesheetOf(games, e.Counting(done)))
}

// headToHeads compares them by the event's decided matches.
func headToHeads(e tournament.Event, done []tournament.MatchResult, times *Timesheet) []HeadToHead {
	met := byPair(e.Counting(done))
	all := []HeadToHead{}
	for i, first := range e.Entries {
		for _, second := range e.Entries[i+1:] {
			theirs := met[pairOf(first.Name, second.Name)]
			all = append(all, newHeadToHead(first.Name, second.Name, theirs, times, e.Seed))
		}
	}
	return all
}

// pairOf is two bots, whoever is named first.
func pairOf(a, b string) [2]string { return [2]string{min(a, b), max(a, b)} }

// byPair are the matches of every two bots that met.
func byPair(matches []tournament.MatchResult) map[[2]string][]tournament.MatchResult {
	met := map[[2]string][]tournament.MatchResult{}
	for _, m := range matches {
		pair := pairOf(m.First, m.Second)
		met[pair] = append(met[pair], m)
	}
	return met
}
