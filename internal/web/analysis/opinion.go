package analysis

import (
	"fmt"

	"versus2048/internal/study"
	"versus2048/internal/web/inbrowser"
	"versus2048/internal/web/templates"
	"versus2048/rules"
	"versus2048/rules/record"
)

// Visitors is the opinion of a search in a visitor's browser about a position.
type Visitors struct {
	Rules    rules.Ruleset     `json:"rules"`
	Position string            `json:"position"`
	Opinion  inbrowser.Opinion `json:"opinion"`
}

// Part returns the opinion as parts of the page. It returns an error if the opinion cannot be about its position.
func (v *Visitors) Part(pages templates.Pages) (part OpinionPart, err error) {
	p, err := v.position()
	if err != nil {
		return part, err
	}
	return NewOpinionPart(pages, p, v.Opinion)
}

// Hint returns the opinion as a hint of the named bot. It returns an error if the opinion cannot be about its position.
func (v *Visitors) Hint(t Tables, bot string) (*Hint, error) {
	p, err := v.position()
	if err != nil {
		return nil, err
	}
	return NewHint(t, p, bot, v.Opinion.Move, v.Opinion.Search), nil
}

// position returns the position, or an error if the opinion cannot be about it.
func (v *Visitors) position() (rules.Position, error) {
	p, err := PositionOf(v.Rules, v.Position)
	if err != nil {
		return p, err
	}
	_, err = p.Play(v.Opinion.Move)
	if err == nil && v.Opinion.Search != nil {
		err = v.Opinion.Search.Check(p)
	}
	if err != nil {
		return p, wrong("This is no opinion about the position", err.Error())
	}
	return p, nil
}

// OpinionPart is an opinion for the page.
type OpinionPart struct {
	Says string `json:"says"` // a sentence without its full stop
	HTML string `json:"html"` // "" for a bot that does not search
}

// NewOpinionPart returns an opinion as parts of the page.
func NewOpinionPart(pages templates.Pages, p rules.Position, said inbrowser.Opinion) (OpinionPart, error) {
	view := NewSearch(p, said.Search)
	if view == nil {
		return OpinionPart{Says: fmt.Sprintf("Chooses %v without a search", said.Move)}, nil
	}
	view.Linked, view.Advantage = true, said.Advantage
	part, err := pages.Make("analysis", "opinion", view)
	says := fmt.Sprintf("Chooses %v", said.Move)
	if view.Effort != "" {
		says += " after " + view.Effort
	}
	return OpinionPart{says, string(part)}, err
}

// Search is a search report on a page.
type Search struct {
	Effort    string // number of playouts, nodes or tokens, or "from a proof"; "" if the report has none
	Time      string // of the search, "" if the report has none
	Variation []LegalMove
	Moves     []Row
	Played    string           // the move to mark as played, "" for none
	Guided    bool             // whether a policy guided the search
	Counted   bool             // whether the visits have a meaning: a network without a search sees each move once
	Linked    bool             // whether the moves lead to the positions after them
	Advantage *study.Advantage // by the same bot, nil if it has none
}

// Row is the result of a search for a move.
type Row struct {
	LegalMove
	Value  string
	Visits int64
	Prior  string // the probability in the policy that guided the search
	Share  int64  // relative to the visits of the most visited move, in percent
}

// NewSearch returns the view of a report on a search in a position, nil if there is none.
func NewSearch(p rules.Position, report *record.SearchReport) *Search {
	if report == nil {
		return nil
	}
	view := &Search{Effort: effortText(report), Guided: report.Guided()}
	if report.Time > 0 {
		view.Time = templates.Milliseconds(report.Time)
	}
	most := int64(1)
	for _, m := range report.Moves {
		most = max(most, m.Visits)
	}
	view.Counted = most > 1
	for _, m := range report.Moves {
		view.Moves = append(view.Moves, Row{NewLegalMove(p, m.Move), valueText(m), m.Visits, fmt.Sprintf("%.1f %%", 100*m.Prior), int64(100 * float64(m.Visits) / float64(most))})
	}
	for _, m := range report.Variation {
		next, err := p.Play(m)
		if err != nil {
			break // not every report is checked
		}
		view.Variation = append(view.Variation, NewLegalMove(p, m))
		p = next
	}
	return view
}

// valueText writes the value of a move in a search.
func valueText(m record.RootMove) string {
	if m.Mate > 0 {
		return "mate in " + templates.Count(m.Mate, "ply", "plies")
	}
	return templates.Number(fmt.Sprintf("%.1f", m.Value))
}

// effortText writes Search.Effort of a report.
func effortText(report *record.SearchReport) string {
	switch {
	case report.Source == record.FromProof:
		return "from a proof"
	case report.Playouts > 0:
		return templates.Count(int(report.Playouts), "playout")
	case report.Nodes > 0:
		return templates.Count(int(report.Nodes), "node")
	case report.TokensRead > 0 || report.TokensWritten > 0:
		return templates.Count(int(report.TokensRead), "token") + " read, " + templates.Number(report.TokensWritten) + " written"
	}
	return ""
}
