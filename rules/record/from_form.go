package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"versus2048/rules"
)

// record is the game that the form describes, played through. Its errors are
// of type *formError.
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
	for _, read := range []func(*Record) error{f.readDate, f.readSeeds, f.readStart, f.readMoves, f.readTimes, f.readEnd, f.readSearches} {
		if err := read(&r); err != nil {
			return Record{}, err
		}
	}
	return r, nil
}

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

func durations(us []int64, moves int) ([]time.Duration, error) {
	if us != nil && len(us) != moves {
		return nil, fmt.Errorf("%d entries for %d moves: want one a move", len(us), moves)
	}
	var times []time.Duration
	for _, t := range us {
		times = append(times, time.Duration(t)*time.Microsecond)
	}
	return times, nil
}

// readEnd plays the game, finds out how it ended if that was left out, and
// holds the results given against those of the moves.
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
	return f.check(newResult(r, last))
}

// check holds the results given, if any, against the right ones.
func (f *recordForm) check(want recordResult) error {
	for _, fact := range []struct{ tag, name, given, want string }{
		{"Result", "score", string(f.Score), string(want.Score)},
		{"LargestTile", "largest tile", string(f.LargestTile), string(want.LargestTile)},
		{"Winner", "winner", f.Winner, want.Winner},
	} {
		if fact.given != "" && fact.given != fact.want {
			return &formError{tag: fact.tag, err: fmt.Errorf("%s %q: want %q, which follows from the moves and the ending", fact.name, fact.given, fact.want)}
		}
	}
	return nil
}
