package stdio

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"time"

	"versus2048/rules"
	"versus2048/rules/record"
)

// Info is a part of the bot's report on its search, sent before its move. It is about one move at
// the root if Move is set, and about the whole search otherwise. Unknown values are zero.
type Info struct {
	Move   *rules.Move // the move at the root that Visits, Value, Mate and Prior are about; nil for the whole search
	Depth  int64       // plies that were looked ahead; it is not recorded
	Nodes  int64       // positions in the tree, or visited
	Visits int64       // playouts, of the whole search or of Move
	// Value is the expected final score, in points unless the bot says otherwise.
	Value         *float64 // of Move, or else of the first move in PV; nil if unknown
	Mate          int64    // of Move: plies until the game is over, if the search has seen that; 0 if unknown
	Prior         float64  // of Move: its share in the policy that guided the search, 0 to 1; 0 if unknown
	Expanded      []int64  // positions that were expanded, by depth in plies below the root
	Time          time.Duration
	CPU           time.Duration // processor time
	TokensRead    int64         // by a language model
	TokensWritten int64         // by a language model
	Source        record.Source // the basis of the chosen move
	PV            []rules.Move  // the principal variation
}

func parseInfo(a arguments) (Answer, error) {
	var i Info
	var errs [14]error
	if text, ok := a.values["move"]; ok {
		i.Move = new(rules.Move)
		*i.Move, errs[0] = rules.ParseMove(text)
	}
	i.Depth, errs[1] = a.number("depth", 0, math.MaxInt64)
	i.Nodes, errs[2] = a.number("nodes", 0, math.MaxInt64)
	i.Visits, errs[3] = a.number("visits", 0, math.MaxInt64)
	i.Value, errs[4] = a.decimal("value", -record.MaxValue, record.MaxValue)
	i.Mate, errs[5] = a.number("mate", 0, record.MaxMate)
	prior, err := a.decimal("prior", 0, 1)
	if errs[6] = err; prior != nil {
		i.Prior = *prior
	}
	i.Time, errs[7] = a.decimalMillis("time_ms")
	i.CPU, errs[8] = a.decimalMillis("cpu_ms")
	i.Source, errs[9] = record.ParseSource(a.values["source"])
	i.Expanded, errs[10] = a.numbers("expanded", record.MaxSearchDepth)
	i.PV, errs[11] = parseMoves(a.values["pv"])
	i.TokensRead, errs[12] = a.number("tokens_read", 0, math.MaxInt64)
	i.TokensWritten, errs[13] = a.number("tokens_written", 0, math.MaxInt64)
	return i, cmp.Or(errs[:]...)
}

// String writes the line.
func (i Info) String() string {
	l := newLine("info")
	if i.Move != nil {
		l.add("move", i.Move.String())
	}
	l.number("depth", i.Depth).number("nodes", i.Nodes).number("visits", i.Visits)
	if i.Value != nil {
		l.add("value", strconv.FormatFloat(*i.Value, 'g', -1, 64))
	}
	l.number("mate", i.Mate)
	if i.Prior > 0 {
		l.add("prior", strconv.FormatFloat(i.Prior, 'g', -1, 64))
	}
	l.add("expanded", joined(i.Expanded))
	l.add("time_ms", formatMillis(i.Time)).add("cpu_ms", formatMillis(i.CPU))
	l.number("tokens_read", i.TokensRead).number("tokens_written", i.TokensWritten).add("source", string(i.Source))
	return l.add("pv", joined(i.PV)).String()
}

// Search collects the Info lines of one search.
type Search struct {
	added  bool // whether there was a line
	report record.SearchReport
	best   *record.RootMove // the value of the variation's first move, with no Move set; nil if unknown
}

// Add adds a line. Facts that the line omits stay as they were, but a new PV without a Value removes the Value of the
// old PV. A Value before the first PV is the Value of that PV. A line about a move replaces an earlier line about the
// same move.
func (s *Search) Add(i Info) {
	s.added = true
	if i.Move != nil {
		s.addMove(i)
		return
	}
	r := &s.report
	r.Nodes, r.Playouts = cmp.Or(i.Nodes, r.Nodes), cmp.Or(i.Visits, r.Playouts)
	r.Time, r.CPU = cmp.Or(i.Time, r.Time), cmp.Or(i.CPU, r.CPU)
	r.TokensRead, r.TokensWritten = cmp.Or(i.TokensRead, r.TokensRead), cmp.Or(i.TokensWritten, r.TokensWritten)
	r.Source = cmp.Or(i.Source, r.Source)
	if i.Expanded != nil {
		r.Expanded = i.Expanded
	}
	if i.PV != nil {
		if len(r.Variation) > 0 {
			s.best = nil
		}
		r.Variation = i.PV[:min(len(i.PV), record.MaxSearchDepth)]
	}
	if i.Value != nil {
		s.best = &record.RootMove{Value: *i.Value, Visits: i.Visits}
	}
}

func (s *Search) addMove(i Info) {
	r := &s.report
	r.Moves = slices.DeleteFunc(r.Moves, func(m record.RootMove) bool { return m.Move == *i.Move })
	if len(r.Moves) == record.MaxRootMoves {
		return // no position has more moves: some of these are illegal
	}
	m := record.RootMove{Move: *i.Move, Visits: i.Visits, Mate: int(i.Mate), Prior: i.Prior}
	if i.Value != nil {
		m.Value = *i.Value
	}
	r.Moves = append(r.Moves, m)
}

// Report returns the report on the search, or nil if there was no line. Lines about moves are in the order of
// their latest versions. Without such lines, the variation's first move gets the value of the search.
func (s *Search) Report() *record.SearchReport {
	if !s.added {
		return nil
	}
	r := s.report
	r.Moves = slices.Clone(r.Moves)
	if len(r.Moves) == 0 && s.best != nil && len(r.Variation) > 0 {
		best := *s.best
		best.Move = r.Variation[0]
		r.Moves = []record.RootMove{best}
	}
	return &r
}

// Infos returns the lines for a report. Search turns them into the same report again.
func Infos(r *record.SearchReport) (all []Info) {
	if r == nil {
		return nil
	}
	all = append(all, Info{
		Nodes: r.Nodes, Visits: r.Playouts, Expanded: r.Expanded, Time: r.Time, CPU: r.CPU,
		TokensRead: r.TokensRead, TokensWritten: r.TokensWritten, Source: r.Source, PV: r.Variation,
	})
	for _, m := range r.Moves {
		all = append(all, Info{Move: &m.Move, Visits: m.Visits, Value: &m.Value, Mate: int64(m.Mate), Prior: m.Prior})
	}
	return all
}
