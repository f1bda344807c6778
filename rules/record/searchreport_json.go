package record

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"time"

	"versus2048/rules"
)

// searchForm is a report as JSON writes it; what is unknown is left out.
type searchForm struct {
	Playouts int64          `json:"playouts,omitempty"`
	Nodes    int64          `json:"nodes,omitempty"`
	Expanded []int64        `json:"expanded,omitempty"`
	TimeUS   int64          `json:"time_us,omitempty"`
	PV       []rules.Move   `json:"pv,omitempty"`
	Moves    []rootMoveForm `json:"moves,omitempty"`
}

type rootMoveForm struct {
	Move   rules.Move `json:"move"`
	Value  sixDigits  `json:"value,omitempty"`
	Visits int64      `json:"visits,omitempty"`
}

// sixDigits is written with so many: more is noise, and would take more room
// than all the rest of a report.
type sixDigits float64

// MarshalJSON writes the number.
func (v sixDigits) MarshalJSON() ([]byte, error) {
	return strconv.AppendFloat(nil, float64(v), 'g', 6, 64), nil
}

// MarshalJSON writes the report as one object with the keys playouts, nodes,
// expanded, time_us (whole microseconds), pv (the principal variation, in the
// notation) and moves, a list of objects with the keys move, value (six
// digits) and visits. What is unknown is left out. It returns an error for a
// value that is not finite.
func (s SearchReport) MarshalJSON() ([]byte, error) { return json.Marshal(newSearchForm(&s)) }

// UnmarshalJSON reads what MarshalJSON writes. It ignores keys that it does not
// know. What it reads is not checked: see Check.
func (s *SearchReport) UnmarshalJSON(data []byte) error {
	var f searchForm
	if err := json.Unmarshal(data, &f); err != nil {
		return fmt.Errorf("search: %w", err)
	}
	*s = *f.report()
	return nil
}

func newSearchForm(s *SearchReport) *searchForm {
	f := searchForm{Playouts: s.Playouts, Nodes: s.Nodes, Expanded: s.Expanded, TimeUS: s.Time.Microseconds(), PV: s.Variation}
	for _, m := range s.Moves {
		f.Moves = append(f.Moves, rootMoveForm{m.Move, sixDigits(m.Value), m.Visits})
	}
	return &f
}

// report is the report that the form describes. A time that is too long for a
// time.Duration becomes the longest.
func (f *searchForm) report() *SearchReport {
	const longest = math.MaxInt64 / int64(time.Microsecond)
	s := SearchReport{
		Playouts:  f.Playouts,
		Nodes:     f.Nodes,
		Expanded:  f.Expanded,
		Time:      time.Duration(max(-1, min(f.TimeUS, longest))) * time.Microsecond,
		Variation: f.PV,
	}
	for _, m := range f.Moves {
		s.Moves = append(s.Moves, RootMove{m.Move, float64(m.Value), m.Visits})
	}
	return &s
}
