package record

import (
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"versus2048/rules"
)

// recordForm is a game as the text form and the JSON form write it. An empty
// string is a fact left out.
type recordForm struct {
	Event        string      `json:"event,omitempty"`
	Game         string      `json:"game,omitempty"`
	Date         string      `json:"date,omitempty"`
	Attacker     string      `json:"attacker,omitempty"`
	Defender     string      `json:"defender,omitempty"`
	AttackerSeed json.Number `json:"attacker_seed,omitempty"`
	DefenderSeed json.Number `json:"defender_seed,omitempty"`
	Rules        string      `json:"rules"`
	Size         string      `json:"size"`
	Start        string      `json:"start,omitempty"` // left out for the empty board
	Moves        []string    `json:"moves"`
	recordResult
	Ending  string  `json:"ending"`
	Detail  string  `json:"detail,omitempty"`
	TimesUS []int64 `json:"times_us,omitempty"`
	LagsUS  []int64 `json:"lags_us,omitempty"`

	Searches []*searchForm `json:"searches,omitempty"`
}

// recordResult are the facts that follow from the others.
type recordResult struct {
	Score       json.Number `json:"score"`
	LargestTile json.Number `json:"largest_tile"`
	Winner      string      `json:"winner,omitempty"`
}

// formError is what is wrong with one fact of a recordForm.
type formError struct {
	tag  string // the fact's name in the text form, "" for a move
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

// newForm is the form of r. It returns an error if r could not be read back
// from it.
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
	f.recordResult = newResult(r, last)
	return f, err
}

func newResult(r *Record, last rules.Position) recordResult {
	result := recordResult{
		Score:       json.Number(strconv.Itoa(last.Score())),
		LargestTile: json.Number(strconv.Itoa(last.LargestTile())),
	}
	if winner, ok := r.Winner(); ok {
		result.Winner = winner.String()
	}
	return result
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
