package tournament

// HeadToHead compares two bots by the matches that they finished against each
// other, seen from First's side.
type HeadToHead struct {
	First    Performance `json:"first"`
	Second   Performance `json:"second"`
	Matches  Tally       `json:"matches"`
	Forfeits Tally       `json:"forfeits"` // the part of Matches that a fault or a resignation decided
	Strength Strength    `json:"strength"`
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
func NewHeadToHead(first, second string, games []Game, seed uint64) HeadToHead {
	games = between(first, second, games)
	matches := Matches(games)
	games = decided(matches, games)
	h := HeadToHead{
		First:    newPerformance(first, matches, games),
		Second:   newPerformance(second, matches, games),
		Strength: newStrength(first, matches),
	}
	var differences []float64
	for _, m := range matches {
		h.Matches.add(m, first)
		if m.By != ByScore {
			h.Forfeits.add(m, first)
		}
		if !m.Scored() {
			h.LeftOut++
			continue
		}
		differences = append(differences, float64(m.defence(first).Score-m.defence(second).Score))
	}
	h.Difference = newEstimate(differences, seed)
	return h
}

// HeadToHeads compares every two bots of an event, in the order of its
// entries, by those of its games that count.
func HeadToHeads(e Event, games []Game) []HeadToHead {
	games = e.Counting(games)
	all := []HeadToHead{}
	for i, first := range e.Entries {
		for _, second := range e.Entries[i+1:] {
			all = append(all, NewHeadToHead(first.Name, second.Name, games, e.Seed))
		}
	}
	return all
}

// between are the games of two bots' matches, whoever is named first.
func between(a, b string, games []Game) []Game {
	var theirs []Game
	for _, g := range games {
		if g.First == a && g.Second == b || g.First == b && g.Second == a {
			theirs = append(theirs, g)
		}
	}
	return theirs
}

// decided are the games of the given matches.
func decided(matches []MatchResult, games []Game) []Game {
	numbers := make(map[int]bool, len(matches))
	for _, m := range matches {
		numbers[m.Match] = true
	}
	var played []Game
	for _, g := range games {
		if numbers[g.Match] {
			played = append(played, g)
		}
	}
	return played
}
