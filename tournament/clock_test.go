package tournament_test

import (
	"testing"
	"time"

	"versus2048/tournament"
)

// The advice to add a unit is for numbers that are durations with one.
func TestDurationAdvice(t *testing.T) {
	const example = ": want a duration such as 5s, 500ms or 1m30s"
	for text, want := range map[string]string{
		"5": ": it has no unit: write 5s for seconds or 5ms for milliseconds", "-.5": ": it has no unit: write -.5s for seconds or -.5ms for milliseconds",
		"1e3": example, "inf": example, "NaN": example, "9999999999": example, "5n": example, "5 s": example, "": example,
	} {
		if _, err := tournament.ParseDuration(text); err == nil || err.Error() != text+want {
			t.Errorf("%q: error %v, want %s%s", text, err, text, want)
		}
	}
}

// Durations are written without the zeros that fmt adds.
func TestDurationText(t *testing.T) {
	for d, want := range map[time.Duration]string{
		500 * time.Millisecond: "500ms", 5 * time.Second: "5s", time.Minute: "1m", 90 * time.Second: "1m30s", time.Hour: "1h",
		10 * time.Minute: "10m", time.Hour + time.Minute: "1h1m", time.Hour + 5*time.Second: "1h0m5s", 0: "0s",
	} {
		if got := tournament.ShortDuration(d); got != want {
			t.Errorf("ShortDuration(%v) = %q, want %q", d, got, want)
		}
	}
}
