package record

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"versus2048/rules"
)

// SearchReport is a player's report on the search behind one of its moves. It is the player's own claim:
// nothing in the game depends on it. Unknown values are left at zero.
type SearchReport struct {
	Playouts      int64         // random games played
	Nodes         int64         // positions in the tree, or positions visited if no tree is kept
	Expanded      []int64       // positions that were expanded, by their depth in plies below the root, from 0
	Time          time.Duration // by the player's own clock
	CPU           time.Duration // processor time of the player's process during the search
	TokensRead    int64         // by a language model: its prompts, over all attempts at the move
	TokensWritten int64         // by a language model: its answers, over all attempts
	Source        Source        // how the player found the move
	// Variation is the principal variation: the moves that the search expects from
	// both sides, starting with the chosen one.
	Variation []rules.Move
	Moves     []RootMove // the moves at the root with their values, the best first
}

// Source tells how a player found a move, if the player has several ways to find one.
type Source string

// The sources of a move. The empty Source is unknown.
const (
	FromProof  Source = "proof"  // a certificate, which tells how to keep its claim about the score
	FromSearch Source = "search" // a search, since the proof does not cover the position
)

// ParseSource reads a source. It returns an error for any text but these sources and "".
func ParseSource(text string) (Source, error) {
	switch s := Source(text); s {
	case "", FromProof, FromSearch:
		return s, nil
	}
	return "", fmt.Errorf("source %.40q: want %s or %s", text, FromProof, FromSearch)
}

// RootMove is the result of a search for one move at its root.
type RootMove struct {
	Move   rules.Move
	Value  float64 // the expected final score, in points unless the player uses another unit
	Visits int64   // playouts or positions spent on it
	Mate   int     // plies until the game is over, including this move, if the search has seen the end; otherwise 0
	// Prior is the share of the move in the policy that guided the search, 0 to 1; 0 if there is none.
	Prior float64
}

// The limits of a report. Every position's root moves fit.
const (
	MaxSearchDepth = 64  // entries of Expanded, and of Variation
	MaxRootMoves   = 32  // entries of Moves
	MaxValue       = 1e9 // largest absolute value of a root move
	MaxMate        = 999 // plies until a mate
)

// Check returns an error if s cannot be the report of a search in p: a number is out of range, the source is unknown, a
// list is too long, a move is illegal, or a root move is listed twice.
func (s *SearchReport) Check(p rules.Position) error {
	switch {
	case s.Playouts < 0:
		return fmt.Errorf("search: playouts %d: want 0 or more", s.Playouts)
	case s.Nodes < 0:
		return fmt.Errorf("search: nodes %d: want 0 or more", s.Nodes)
	case s.Time < 0:
		return fmt.Errorf("search: time %v: want 0 or more", s.Time)
	case s.CPU < 0:
		return fmt.Errorf("search: processor time %v: want 0 or more", s.CPU)
	case s.TokensRead < 0:
		return fmt.Errorf("search: tokens read %d: want 0 or more", s.TokensRead)
	case s.TokensWritten < 0:
		return fmt.Errorf("search: tokens written %d: want 0 or more", s.TokensWritten)
	}
	if _, err := ParseSource(string(s.Source)); err != nil {
		return fmt.Errorf("search: %w", err)
	}
	if n := len(s.Expanded); n > MaxSearchDepth {
		return fmt.Errorf("search: positions expanded at %d depths: want at most %d", n, MaxSearchDepth)
	}
	if n := len(s.Variation); n > MaxSearchDepth {
		return fmt.Errorf("search: a principal variation of %d moves: want at most %d", n, MaxSearchDepth)
	}
	for depth, n := range s.Expanded {
		if n < 0 {
			return fmt.Errorf("search: %d positions expanded at depth %d: want 0 or more", n, depth)
		}
	}
	if err := s.checkMoves(p); err != nil {
		return err
	}
	for i, m := range s.Variation {
		var err error
		if p, err = p.Play(m); err != nil {
			return fmt.Errorf("search: move %d of the principal variation: %w", i+1, err)
		}
	}
	return nil
}

func (s *SearchReport) checkMoves(p rules.Position) error {
	if len(s.Moves) > MaxRootMoves {
		return fmt.Errorf("search: %d root moves: want at most %d", len(s.Moves), MaxRootMoves)
	}
	listed := map[rules.Move]bool{}
	for _, m := range s.Moves {
		switch _, err := p.Play(m.Move); {
		case err != nil:
			return fmt.Errorf("search: root move: %w", err)
		case listed[m.Move]:
			return fmt.Errorf("search: root move %v is listed twice", m.Move)
		case !(math.Abs(m.Value) <= MaxValue): // true for NaN as well
			return fmt.Errorf("search: root move %v has the value %v: want %g to %g", m.Move, m.Value, -MaxValue, MaxValue)
		case m.Visits < 0:
			return fmt.Errorf("search: root move %v has %d visits: want 0 or more", m.Move, m.Visits)
		case m.Mate < 0 || m.Mate > MaxMate:
			return fmt.Errorf("search: root move %v has mate in %d plies: want 0 to %d", m.Move, m.Mate, MaxMate)
		case !(m.Prior >= 0 && m.Prior <= 1):
			return fmt.Errorf("search: root move %v has the prior %v: want 0 to 1", m.Move, m.Prior)
		}
		listed[m.Move] = true
	}
	return nil
}

// Guided reports whether a policy guided the search: whether a move has a prior.
func (s *SearchReport) Guided() bool {
	return slices.ContainsFunc(s.Moves, func(m RootMove) bool { return m.Prior > 0 })
}

// MarshalJSON writes the report as one object with the keys playouts, nodes, expanded, time_us and cpu_us
// (whole microseconds), tokens_read, tokens_written, source, pv (the principal variation, in the notation) and
// moves. The moves are a list of objects with the keys move, value, visits, mate and prior; value and prior
// have six significant digits. Unknown values are left out. It returns an error for a value that is not finite.
func (s SearchReport) MarshalJSON() ([]byte, error) { return json.Marshal(newSearchForm(&s)) }

// UnmarshalJSON reads the form that MarshalJSON writes. It ignores unknown keys and does not check the report:
// see Check.
func (s *SearchReport) UnmarshalJSON(data []byte) error {
	var f searchForm
	if err := json.Unmarshal(data, &f); err != nil {
		return fmt.Errorf("search: %w", err)
	}
	read, err := f.report()
	if err != nil {
		return err
	}
	*s = *read
	return nil
}

// searchForm is a report as JSON writes it. Unknown values are left out. The moves are pointers, so that a
// missing or null move differs from the move (1,1), which is 0.
type searchForm struct {
	Playouts int64          `json:"playouts,omitempty"`
	Nodes    int64          `json:"nodes,omitempty"`
	Expanded []int64        `json:"expanded,omitempty"`
	TimeUS   int64          `json:"time_us,omitempty"`
	CPUUS    int64          `json:"cpu_us,omitempty"`
	Read     int64          `json:"tokens_read,omitempty"`
	Written  int64          `json:"tokens_written,omitempty"`
	Source   Source         `json:"source,omitempty"`
	PV       []*rules.Move  `json:"pv,omitempty"`
	Moves    []rootMoveForm `json:"moves,omitempty"`
}

type rootMoveForm struct {
	Move   *rules.Move `json:"move"`
	Value  sixDigits   `json:"value,omitempty"`
	Visits int64       `json:"visits,omitempty"`
	Mate   int         `json:"mate,omitempty"`
	Prior  sixDigits   `json:"prior,omitempty"`
}

// sixDigits is a number that JSON writes with six significant digits. More digits would be noise and take up
// more space than the rest of the report.
type sixDigits float64

// MarshalJSON writes the number.
func (v sixDigits) MarshalJSON() ([]byte, error) {
	return strconv.AppendFloat(nil, float64(v), 'g', 6, 64), nil
}

func newSearchForm(s *SearchReport) *searchForm {
	f := searchForm{
		Playouts: s.Playouts, Nodes: s.Nodes, Expanded: s.Expanded,
		TimeUS: s.Time.Microseconds(), CPUUS: s.CPU.Microseconds(), Read: s.TokensRead, Written: s.TokensWritten, Source: s.Source,
	}
	for i := range s.Variation {
		f.PV = append(f.PV, &s.Variation[i])
	}
	for i := range s.Moves {
		m := &s.Moves[i]
		f.Moves = append(f.Moves, rootMoveForm{&m.Move, sixDigits(m.Value), m.Visits, m.Mate, sixDigits(m.Prior)})
	}
	return &f
}

// searchForms returns the forms of the reports, nil for a move without a report.
func searchForms(searches []*SearchReport) []*searchForm {
	var forms []*searchForm
	for _, s := range searches {
		var f *searchForm
		if s != nil {
			f = newSearchForm(s)
		}
		forms = append(forms, f)
	}
	return forms
}

// report returns the report that the form describes. It returns an error for a missing move.
func (f *searchForm) report() (*SearchReport, error) {
	s := SearchReport{
		Playouts: f.Playouts, Nodes: f.Nodes, Expanded: f.Expanded,
		Time: fromMicroseconds(f.TimeUS), CPU: fromMicroseconds(f.CPUUS),
		TokensRead: f.Read, TokensWritten: f.Written, Source: f.Source,
	}
	for i, m := range f.PV {
		if m == nil {
			return nil, fmt.Errorf("search: move %d of the principal variation is null: want a move", i+1)
		}
		s.Variation = append(s.Variation, *m)
	}
	for i, m := range f.Moves {
		if m.Move == nil {
			return nil, fmt.Errorf("search: entry %d of the root moves has no move: want one under the key move", i+1)
		}
		s.Moves = append(s.Moves, RootMove{*m.Move, float64(m.Value), m.Visits, m.Mate, float64(m.Prior)})
	}
	return &s, nil
}

// fromMicroseconds returns n microseconds. It returns the longest possible time.Duration if n is too large, and
// -1 µs if n is negative.
func fromMicroseconds(n int64) time.Duration {
	return time.Duration(max(-1, min(n, longestUS))) * time.Microsecond
}
