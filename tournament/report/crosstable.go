package report

import (
	"cmp"
	"slices"

	"versus2048/tournament"
	"versus2048/tournament/format"
)

// Crosstable is the standings of an event, best first.
type Crosstable struct {
	Standings []Standing `json:"standings"`
}

// Standing is one bot's row of a crosstable.
type Standing struct {
	Rank      int              `json:"rank"` // from 1, no two alike
	Name      string           `json:"name"`
	Points    float64          `json:"points"` // 1 for a match won, 1/2 for one drawn
	Played    int              `json:"played"` // matches
	Total     tournament.Tally `json:"total"`
	MeanScore Figure           `json:"mean_score"` // as defender, without the games that were cut short
	Against   []Cell           `json:"against"`    // by the other's rank; the bot's own cell is empty
	// SetAside is the number of the last match of a bot that strikes have set
	// aside, 0 for the others.
	SetAside int `json:"set_aside_after,omitempty"`
}

// Cell is what a bot has made against another.
type Cell struct {
	Points float64 `json:"points"`
	tournament.Tally
}

// NewCrosstable orders an event's entries by their points in its decided
// matches. Ties go to the higher mean score as defender, then to the name that
// comes first.
func NewCrosstable(e tournament.Event, f tournament.Format, done []tournament.MatchResult) Crosstable {
	results, aside := newResults(format.Results(f, done)), e.SetAside(done)
	standings := make([]Standing, len(e.Entries))
	for i, entry := range e.Entries {
		standings[i] = results.standing(entry.Name, e.Entries)
		standings[i].SetAside = aside[entry.Name]
	}
	slices.SortFunc(standings, byPlace)
	for i := range standings {
		s := &standings[i]
		s.Rank = i + 1
		s.Against = make([]Cell, len(standings))
		for j, other := range standings {
			tally := results.tallies[[2]string{s.Name, other.Name}]
			s.Against[j] = Cell{tally.Points(), tally}
		}
	}
	return Crosstable{standings}
}

// byPlace orders the better standing first.
func byPlace(a, b Standing) int {
	return cmp.Or(
		cmp.Compare(b.Points, a.Points),
		cmp.Compare(b.MeanScore.Value, a.MeanScore.Value),
		cmp.Compare(a.Name, b.Name),
	)
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

// standing is a bot's row, without its rank and its cells.
func (r *results) standing(name string, entries []tournament.Entry) Standing {
	var total tournament.Tally
	for _, e := range entries {
		total = total.Plus(r.tallies[[2]string{name, e.Name}])
	}
	return Standing{
		Name:      name,
		Points:    total.Points(),
		Played:    total.Played(),
		Total:     total,
		MeanScore: meanOf(r.scores[name], "game"),
	}
}
