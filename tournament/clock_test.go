package tournament_test

import (
	"testing"
	"time"

	"versus2048/tournament"
)

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
