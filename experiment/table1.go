package experiment

import (
	"versus2048/tournament"
	"versus2048/tournament/report"
)

// Table1 is Table 1 of the paper beside ours.
type Table1 struct {
	Source string  `json:"source"` // of the paper's figures
	Level  float64 `json:"level"`  // of all intervals
	Rows   []Row   `json:"rows"`
}

// Scores are a bot's games as defender: their scores, and how many reached 2048.
type Scores struct {
	Sample
	Reached int `json:"reached_2048"`
}

// Row is one pairing.
type Row struct {
	Event      int64      `json:"event"`      // its number, 0 if it is not on record
	Name       string     `json:"name"`       // the event's
	Conditions string     `json:"conditions"` // see Conditions
	Matches    int        `json:"matches"`    // decided
	Of         int        `json:"of"`         // matches in all
	First      Contestant `json:"first"`
	Second     Contestant `json:"second"`
	Difference Comparison `json:"difference"` // first's mean score less second's
}

// Contestant is one bot of a pairing, as defender.
type Contestant struct {
	Name  string     `json:"name"`
	Spec  string     `json:"spec"`
	Ours  Scores     `json:"ours"`
	Paper Scores     `json:"paper"`
	Score Comparison `json:"score"`      // the mean
	Share Comparison `json:"share_2048"` // 0 to 1
}

// NewTable1 makes the table of what is played of the events of Table1Events,
// given in their order. Only decided matches count.
func NewTable1(played []Played) Table1 {
	t := Table1{Source: Table1Source, Level: Level}
	for i, p := range paperTable1() {
		t.Rows = append(t.Rows, newRow(p, played[i]))
	}
	return t
}

func newRow(paper pairing, played Played) Row {
	e := played.Event
	h := report.NewHeadToHead(paper.first, paper.second, played.Games, e.Seed)
	row := Row{
		Event:      e.ID,
		Name:       e.Name,
		Conditions: Conditions(e),
		Matches:    h.Matches.Played(),
		Of:         e.Matches,
		First:      newContestant(e.Entries[0], h.First, paper.firstScores),
		Second:     newContestant(e.Entries[1], h.Second, paper.secondScores),
	}
	row.Difference = compareDifferences(h.Difference, row.First, row.Second)
	return row
}

func newContestant(entry tournament.Entry, p report.BotStats, paper Scores) Contestant {
	ours := Scores{Sample{p.Games, p.MeanScore, p.ScoreSD}, p.Reached}
	return Contestant{
		Name:  entry.Name,
		Spec:  entry.Spec,
		Ours:  ours,
		Paper: paper,
		Score: compareMeans(ours.Sample, paper.Sample),
		Share: compareShares(ours, paper),
	}
}

// figures are the row's comparisons with what they are of, in the order in
// which they are written.
func (r Row) figures() []figure {
	return []figure{
		{"mean score of " + r.First.Name, r.First.Score, points},
		{"mean score of " + r.Second.Name, r.Second.Score, points},
		{"difference of the means", r.Difference, points},
		{"games of " + r.First.Name + " with a 2048", r.First.Share, percent},
		{"games of " + r.Second.Name + " with a 2048", r.Second.Share, percent},
	}
}

// figure is a comparison as it is written.
type figure struct {
	label string
	Comparison
	unit unit
}
