package report

import (
	"versus2048/tournament"
	"versus2048/tournament/format"
)

// Crosstable lists what each bot of an event has made against every other bot, in the
// order of the standings.
type Crosstable struct {
	Standings []Standing `json:"standings"`
}

// Standing is one bot's row of a crosstable.
type Standing struct {
	Rank      int              `json:"rank"` // the bot's place in the standings, from 1; equal bots share one
	Name      string           `json:"name"`
	Points    float64          `json:"points"` // 1 for each match won, 1/2 for each one drawn
	Played    int              `json:"played"` // matches
	Total     tournament.Tally `json:"total"`
	MeanScore Figure           `json:"mean_score"` // as defender, without games that were cut short
	Against   []Cell           `json:"against"`    // in the order of the rows; the bot's own cell is empty
	// SetAside is the number of the last match of a bot that strikes have set aside,
	// 0 for other bots.
	SetAside int `json:"set_aside_after,omitempty"`
}

// Cell is what a bot has made against another.
type Cell struct {
	Points float64 `json:"points"`
	tournament.Tally
}

// NewCrosstable returns the crosstable of an event's decided matches. The bots' order
// and ranks are those of the standings, which are the format's for the same matches:
// see docs/adr/0013-one-ranking.md.
func NewCrosstable(e tournament.Event, standings tournament.Standings, done []tournament.MatchResult) Crosstable {
	results, aside := newResults(format.Results(e, done)), e.SetAside(done)
	t := Crosstable{Standings: make([]Standing, len(standings.Places))}
	for i, p := range standings.Places {
		s := results.standing(p.Name, standings.Places)
		s.Rank = p.Place
		s.SetAside = aside[p.Name]
		t.Standings[i] = s
	}
	return t
}

// results are matches gathered by who played them.
type results struct {
	tallies map[[2]string]tournament.Tally // of the first bot against the second
	scores  map[string][]float64           // of the bot as defender, where they count
}

func newResults(matches []tournament.MatchResult) results {
	r := results{map[[2]string]tournament.Tally{}, map[string][]float64{}}
	for _, m := range matches {
		r.add(m, m.First, m.Second)
		r.add(m, m.Second, m.First)
	}
	return r
}

// add gathers a match from one bot's side.
func (r *results) add(m tournament.MatchResult, name, opponent string) {
	pair := [2]string{name, opponent}
	tally := r.tallies[pair]
	tally.Add(m, name)
	r.tallies[pair] = tally
	if game := m.Defence(name); game.Scored() {
		r.scores[name] = append(r.scores[name], float64(game.Score))
	}
}

// standing returns a bot's row, without its rank.
func (r *results) standing(name string, places []tournament.Place) Standing {
	s := Standing{Name: name, MeanScore: meanOf(r.scores[name], "game"), Against: make([]Cell, len(places))}
	for i, opponent := range places {
		tally := r.tallies[[2]string{name, opponent.Name}]
		s.Against[i] = Cell{tally.Points(), tally}
		s.Total = s.Total.Plus(tally)
	}
	s.Points, s.Played = s.Total.Points(), s.Total.Played()
	return s
}
