package tournament

import (
	"encoding/json"
	"fmt"
	"math"
	"time"
)

// Millis is a duration, a whole number of milliseconds in JSON.
type Millis time.Duration

// maxMillis is about 292 years, the longest time.Duration.
const maxMillis = math.MaxInt64 / int64(time.Millisecond)

// MarshalJSON writes whole milliseconds.
func (m Millis) MarshalJSON() ([]byte, error) {
	return json.Marshal(time.Duration(m).Milliseconds())
}

// UnmarshalJSON reads whole milliseconds.
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
