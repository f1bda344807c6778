package tournament

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"versus2048/players"
	"versus2048/rules/record"
)

// Clock is a time control.
type Clock = players.Clock

// stopwatch holds the time that each side has used, and the number of its moves.
type stopwatch struct {
	used  [2]time.Duration
	moves [2]int
}

// replayed returns the stopwatch after the plies of a record.
func replayed(r *record.Record) stopwatch {
	var w stopwatch
	side := r.Start.SideToMove()
	for _, t := range r.Times {
		w.used[side] += t
		w.moves[side]++
		side = side.Other()
	}
	return w
}

// Lenience is the referee's tolerance of late answers. The zero Lenience tolerates none.
type Lenience struct {
	// Margin is the greatest delay of an answer, after its limit, that the referee accepts. The bot has used that
	// time nevertheless: a side can exceed its total by at most Margin in a whole game, because its next moves have
	// less time.
	Margin Millis `json:"margin_ms,omitzero" toml:"margin"`
	// Lag is the most of each move's time that the clock gives back for the network delay, as measured by the arena.
	Lag Millis `json:"lag_ms,omitzero" toml:"lag"`
}

// maxLenience keeps interruptions short: an interrupted event waits for late answers.
const maxLenience = Millis(10 * time.Second)

func (l Lenience) validate() error {
	if l.Margin < 0 || l.Margin > maxLenience || l.Lag < 0 || l.Lag > maxLenience {
		return fmt.Errorf("margin %v and lag %v: want 0 to %v each", time.Duration(l.Margin), time.Duration(l.Lag), time.Duration(maxLenience))
	}
	return nil
}

// Patience returns the time that the referee still waits for an answer after its limit.
func (l Lenience) Patience() time.Duration { return time.Duration(l.Margin + l.Lag) }

// credit returns the time that the clock gives back for a move. roundTrip is the time for a message
// to the bot and its answer; took is the time of the whole move.
func (l Lenience) credit(roundTrip, took time.Duration) time.Duration {
	return max(0, min(roundTrip, time.Duration(l.Lag), took))
}

// Millis is a duration that is a whole number of milliseconds in JSON.
type Millis time.Duration

// maxMillis is the longest time.Duration in milliseconds, about 292 years.
const maxMillis = math.MaxInt64 / int64(time.Millisecond)

// MarshalJSON writes whole milliseconds.
func (m Millis) MarshalJSON() ([]byte, error) {
	return json.Marshal(time.Duration(m).Milliseconds())
}

// UnmarshalJSON reads whole milliseconds. It returns an error for more than 292 years.
func (m *Millis) UnmarshalJSON(data []byte) error {
	var ms int64
	if err := json.Unmarshal(data, &ms); err != nil {
		return err
	}
	if ms > maxMillis || ms < -maxMillis {
		return fmt.Errorf("%d ms: want at most %d", ms, maxMillis)
	}
	*m = Millis(time.Duration(ms) * time.Millisecond)
	return nil
}

// ParseDuration parses a duration such as "1m30s". Its error has the text, and says how to write a duration.
func ParseDuration(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	if err == nil {
		return d, nil
	}
	_, noNumber := strconv.ParseFloat(text, 64)
	if _, err := time.ParseDuration(text + "s"); err == nil && noNumber == nil {
		return 0, fmt.Errorf("%[1]s: it has no unit: write %[1]ss for seconds or %[1]sms for milliseconds", text)
	}
	return 0, fmt.Errorf("%s: want a duration such as 5s, 500ms or 1m30s", text)
}

// ShortDuration writes a duration without zero units at its end: 1m instead of 1m0s.
func ShortDuration(d time.Duration) string {
	text := d.String()
	for _, zero := range []string{"m0s", "h0m"} {
		if short, cut := strings.CutSuffix(text, zero); cut {
			text = short + zero[:1]
		}
	}
	return text
}
