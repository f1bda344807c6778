package record

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// MarshalJSON writes the game as one object: what the text form says under
// the keys event, game, date, attacker, defender, attacker_seed,
// defender_seed, rules, size, start, moves (in the notation), score, winner,
// ending and detail, besides them largest_tile, and per ply times_us and
// lags_us in whole microseconds and searches (see SearchReport, null without a
// report). Facts without a value are left out. It returns an error if the game
// does not replay or a fact is out of its range.
func (r Record) MarshalJSON() ([]byte, error) {
	f, err := newForm(&r)
	if err != nil {
		return nil, fmt.Errorf("record of game %q: %w", r.Game, err)
	}
	return json.Marshal(f)
}

// UnmarshalJSON reads what MarshalJSON writes, plays it through and holds
// score, largest tile and winner against the moves. What is left out has the
// defaults of RecordReader. It returns an error for a key that it does not
// know.
func (r *Record) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		return nil // as encoding/json asks for
	}
	in := json.NewDecoder(bytes.NewReader(data))
	in.DisallowUnknownFields()
	var f recordForm
	if err := in.Decode(&f); err != nil {
		return fmt.Errorf("record: %w", err)
	}
	read, err := f.record()
	if err != nil {
		return fmt.Errorf("record: %w", err)
	}
	*r = read
	return nil
}
