package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"

	"versus2048/rules"
)

// MarshalJSON writes the game as one object. The keys event, game, date, attacker, defender, attacker_seed,
// defender_seed, rules, size, start, moves (in the notation), score, winner, ending and detail correspond to
// the text form. The object also has largest_tile, pauses (see Pause), and three lists with one entry per ply:
// times_us and lags_us in whole microseconds, and searches (see SearchReport; null without a report). Empty values
// are left out, except moves. MarshalJSON returns an error if the game does not replay or a value is out of range.
func (r Record) MarshalJSON() ([]byte, error) {
	f, err := newForm(&r)
	if err != nil {
		return nil, fmt.Errorf("record of game %q: %w", r.Game, err)
	}
	return json.Marshal(f)
}

// UnmarshalJSON reads the form that MarshalJSON writes, replays the game, and checks score, largest tile and
// winner against the moves. Missing values have the defaults that Reader describes. It returns an error for
// unknown keys, for values out of range and for a game that does not replay.
func (r *Record) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		return errors.New("record: null is no game") // a caller would take an unchanged Record for a game
	}
	var f recordForm
	if err := unmarshalStrictly(data, &f); err != nil {
		return fmt.Errorf("record: %w", err)
	}
	read, err := f.record()
	if err != nil {
		return fmt.Errorf("record: %w", err)
	}
	*r = read
	return nil
}

// unmarshalStrictly is json.Unmarshal, but rejects unknown keys and ignores any text after the first value.
func unmarshalStrictly(data []byte, into any) error {
	in := json.NewDecoder(bytes.NewReader(data))
	in.DisallowUnknownFields()
	return in.Decode(into)
}

// recordForm is a game with its values as the text form and the JSON form write them. An empty string stands
// for a value that is left out.
type recordForm struct {
	Event        string        `json:"event,omitempty"`
	Game         string        `json:"game,omitempty"`
	Date         string        `json:"date,omitempty"`
	Attacker     string        `json:"attacker,omitempty"`
	Defender     string        `json:"defender,omitempty"`
	AttackerSeed json.Number   `json:"attacker_seed,omitempty"`
	DefenderSeed json.Number   `json:"defender_seed,omitempty"`
	Rules        string        `json:"rules"`
	Size         string        `json:"size"`
	Start        string        `json:"start,omitempty"` // left out for the empty board
	Moves        plies[string] `json:"moves"`

	// These three follow from the start, the moves and the ending.
	Score       json.Number `json:"score"`
	LargestTile json.Number `json:"largest_tile"`
	Winner      string      `json:"winner,omitempty"`

	Ending  string       `json:"ending"`
	Detail  string       `json:"detail,omitempty"`
	TimesUS plies[int64] `json:"times_us,omitempty"`
	LagsUS  plies[int64] `json:"lags_us,omitempty"`

	Pauses plies[Pause] `json:"pauses,omitempty"`

	Searches plies[*searchForm] `json:"searches,omitempty"`
}

// pauseForm is a Pause in whole microseconds.
type pauseForm struct {
	Ply     int   `json:"ply"`
	StallUS int64 `json:"stall_us,omitempty"`
	AwayUS  int64 `json:"away_us,omitempty"`
}

// MarshalJSON writes ply, stall_us and away_us, in whole microseconds; a time of 0 is left out.
func (p Pause) MarshalJSON() ([]byte, error) {
	return json.Marshal(pauseForm{p.Ply, p.Stall.Microseconds(), p.Away.Microseconds()})
}

// UnmarshalJSON reads the form that MarshalJSON writes. It returns an error for unknown keys, for null and for
// times out of range.
func (p *Pause) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		return errors.New("pause: null is no pause") // a caller would take an unchanged Pause for one at ply 0
	}
	var f pauseForm
	if err := unmarshalStrictly(data, &f); err != nil {
		return fmt.Errorf("pause: %w", err)
	}
	stall, err := pauseTime("stall_us", f.StallUS)
	if err != nil {
		return err
	}
	away, err := pauseTime("away_us", f.AwayUS)
	if err != nil {
		return err
	}
	*p = Pause{f.Ply, stall, away}
	return nil
}

// pauseTime returns the time under a key of a pause. CheckPauses refuses a negative time.
func pauseTime(key string, us int64) (time.Duration, error) {
	if us < -longestUS || us > longestUS {
		return 0, fmt.Errorf("pause: %s %d: want at most %d", key, us, longestUS)
	}
	return time.Duration(us) * time.Microsecond, nil
}

// newForm returns the form of r. It returns an error if r could not be read back from that form.
func newForm(r *Record) (recordForm, error) {
	f := recordForm{
		Event:        r.Event,
		Game:         r.Game,
		Date:         r.Date,
		Attacker:     r.Attacker,
		Defender:     r.Defender,
		AttackerSeed: seedNumber(r.AttackerSeed),
		DefenderSeed: seedNumber(r.DefenderSeed),
		Rules:        r.Start.Rules().String(),
		Size:         r.Start.Size().String(),
		Moves:        make([]string, len(r.Moves)),
		Ending:       string(r.Ending),
		Detail:       r.Detail,
		TimesUS:      microseconds(r.Times),
		LagsUS:       microseconds(r.Lags),
		Pauses:       r.Pauses,
		Searches:     searchForms(r.Searches),
	}
	if r.Start != rules.NewPosition(r.Start.Rules(), r.Start.Size()) {
		f.Start = r.Start.String()
	}
	for i, m := range r.Moves {
		f.Moves[i] = m.String()
	}
	if _, err := ParseEnding(f.Ending); err != nil {
		return f, err
	}
	if _, err := f.record(); err != nil {
		return f, err
	}
	last, err := r.Replay()
	f.setResult(r, last)
	return f, err
}

// setResult sets score, largest tile and winner, which follow from the rest of the record and its last position.
func (f *recordForm) setResult(r *Record, last rules.Position) {
	f.Score = json.Number(strconv.Itoa(last.Score()))
	f.LargestTile = json.Number(strconv.Itoa(last.LargestTile()))
	if winner, ok := r.Winner(); ok {
		f.Winner = winner.String()
	}
}

func seedNumber(seed uint64) json.Number {
	if seed == 0 {
		return ""
	}
	return json.Number(strconv.FormatUint(seed, 10))
}

func microseconds(times []time.Duration) []int64 {
	var us []int64
	for _, t := range times {
		us = append(us, t.Microseconds())
	}
	return us
}

// record returns the game that the form describes, after replaying it. Its errors are of type *formError.
func (f *recordForm) record() (Record, error) {
	r := Record{
		Event:    f.Event,
		Game:     f.Game,
		Date:     f.Date,
		Attacker: f.Attacker,
		Defender: f.Defender,
		Ending:   Ending(f.Ending),
		Detail:   f.Detail,
	}
	for _, read := range []func(*Record) error{f.readDate, f.readSeeds, f.readStart, f.readMoves, f.readTimes, f.readPauses, f.readEnd, f.readSearches} {
		if err := read(&r); err != nil {
			return Record{}, err
		}
	}
	return r, nil
}

// formError is the error for one value of a recordForm.
type formError struct {
	tag  string // the value's tag in the text form, "" for a move
	move int    // the move's index
	err  error
}

func (e *formError) Error() string {
	if e.tag == "" {
		return fmt.Sprintf("moves[%d]: %v", e.move, e.err)
	}
	return e.err.Error()
}

func (e *formError) Unwrap() error { return e.err }

func (f *recordForm) readDate(*Record) error {
	if f.Date == "" {
		return nil
	}
	if _, err := time.Parse(time.DateOnly, f.Date); err != nil {
		return &formError{tag: "Date", err: fmt.Errorf("date %q: want YYYY-MM-DD", f.Date)}
	}
	return nil
}

func (f *recordForm) readSeeds(r *Record) (err error) {
	if r.AttackerSeed, err = parseSeed(f.AttackerSeed); err != nil {
		return &formError{tag: "AttackerSeed", err: err}
	}
	if r.DefenderSeed, err = parseSeed(f.DefenderSeed); err != nil {
		return &formError{tag: "DefenderSeed", err: err}
	}
	return nil
}

func parseSeed(n json.Number) (uint64, error) {
	if n == "" {
		return 0, nil
	}
	seed, err := strconv.ParseUint(string(n), 10, 53)
	if err != nil {
		return 0, fmt.Errorf("seed %q: want a whole number from 0 to 2^53-1", string(n))
	}
	return seed, nil
}

func (f *recordForm) readStart(r *Record) (err error) {
	ruleset, size := rules.GPCC2015, rules.Full
	if f.Rules != "" {
		if ruleset, err = rules.ParseRuleset(f.Rules); err != nil {
			return &formError{tag: "Rules", err: err}
		}
	}
	if f.Size != "" {
		if size, err = rules.ParseSize(f.Size); err != nil {
			return &formError{tag: "Size", err: err}
		}
	}
	r.Start = rules.NewPosition(ruleset, size)
	if f.Start == "" {
		return nil
	}
	if r.Start, err = rules.ParsePosition(ruleset, f.Start); err != nil {
		return &formError{tag: "Start", err: err}
	}
	if f.Size != "" && r.Start.Size() != size {
		return &formError{tag: "Start", err: fmt.Errorf("position %q is %v: want %v, the size given", f.Start, r.Start.Size(), size)}
	}
	return nil
}

func (f *recordForm) readMoves(r *Record) error {
	for i, text := range f.Moves {
		m, err := rules.ParseMove(text)
		if err != nil {
			return &formError{move: i, err: err}
		}
		r.Moves = append(r.Moves, m)
	}
	return nil
}

func (f *recordForm) readTimes(r *Record) (err error) {
	if r.Times, err = durations(f.TimesUS, len(f.Moves)); err != nil {
		return &formError{tag: "Times", err: fmt.Errorf("times_us: %w", err)}
	}
	if r.Lags, err = durations(f.LagsUS, len(f.Moves)); err != nil {
		return &formError{tag: "Lags", err: fmt.Errorf("lags_us: %w", err)}
	}
	return nil
}

func (f *recordForm) readPauses(r *Record) error {
	r.Pauses = f.Pauses
	if err := r.CheckPauses(); err != nil {
		return &formError{tag: "Pauses", err: err}
	}
	return nil
}

// longestUS is the longest time.Duration in whole microseconds, 292 years.
const longestUS = math.MaxInt64 / int64(time.Microsecond)

func durations(us []int64, moves int) ([]time.Duration, error) {
	if us != nil && len(us) != moves {
		return nil, fmt.Errorf("%d entries for %d moves: want one per move", len(us), moves)
	}
	var times []time.Duration
	rest := longestUS
	for i, t := range us {
		if t < 0 {
			return nil, fmt.Errorf("entry %d is %d: want 0 or more", i+1, t)
		}
		if t > rest {
			return nil, fmt.Errorf("entry %d is %d: want at most %d in all entries together", i+1, t, longestUS)
		}
		rest -= t
		times = append(times, time.Duration(t)*time.Microsecond)
	}
	return times, nil
}

// readEnd replays the game, determines the ending if the form has none, and checks
// that the results in the form follow from the moves.
func (f *recordForm) readEnd(r *Record) error {
	if r.Ending == "" {
		r.Ending = Unfinished
	}
	if _, err := ParseEnding(string(r.Ending)); err != nil {
		return &formError{tag: "Ending", err: err}
	}
	last, err := r.Replay()
	var illegal *rules.IllegalMoveError
	if errors.As(err, &illegal) {
		legal := illegal.Position.AppendMoves(nil)
		return &formError{move: illegal.Position.Ply() - r.Start.Ply(), err: fmt.Errorf("%w: want one of %v", err, legal)}
	}
	if err != nil {
		return &formError{tag: "Ending", err: err}
	}
	if f.Ending == "" && last.Over() {
		r.Ending = Mate
	}
	var want recordForm
	want.setResult(r, last)
	return f.checkResult(&want)
}

// checkResult compares the results in the form with the correct ones.
func (f *recordForm) checkResult(want *recordForm) error {
	for _, result := range []struct{ tag, name, given, want string }{
		{"Result", "score", string(f.Score), string(want.Score)},
		{"LargestTile", "largest tile", string(f.LargestTile), string(want.LargestTile)},
		{"Winner", "winner", f.Winner, want.Winner},
	} {
		if result.given != "" && result.given != result.want {
			correct := "none"
			if result.want != "" {
				correct = strconv.Quote(result.want)
			}
			err := fmt.Errorf("%s %q: want %s, which follows from the moves and the ending", result.name, result.given, correct)
			return &formError{tag: result.tag, err: err}
		}
	}
	return nil
}

// readSearches reads the reports and checks each against the position that was
// searched. It must be called last, because it relies on all moves being legal.
func (f *recordForm) readSearches(r *Record) error {
	if f.Searches == nil {
		return nil
	}
	r.Searches = make([]*SearchReport, len(f.Searches))
	for i, form := range f.Searches {
		if form == nil {
			continue
		}
		read, err := form.report()
		if err != nil {
			return &formError{tag: "Searches", err: fmt.Errorf("searches[%d]: %w", i, err)}
		}
		r.Searches[i] = read
	}
	if err := r.CheckSearches(); err != nil {
		return &formError{tag: "Searches", err: err}
	}
	return nil
}
