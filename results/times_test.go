package results

import (
	"slices"
	"testing"
	"time"

	"versus2048/rules"
	"versus2048/rules/record"
)

func TestTimes(t *testing.T) {
	r := record.Record{
		Moves: make([]rules.Move, 4),
		Times: []time.Duration{0, time.Microsecond, 1999 * time.Nanosecond, 100 * time.Hour},
		Lags:  []time.Duration{0, 0, -time.Second, time.Millisecond},
	}
	packed, err := packTimes(&r)
	if err != nil {
		t.Fatal(err)
	}
	times, lags, err := unpackTimes(packed)
	wantTimes := []time.Duration{0, time.Microsecond, time.Microsecond, 100 * time.Hour}
	wantLags := []time.Duration{0, 0, 0, time.Millisecond}
	if err != nil || !slices.Equal(times, wantTimes) || !slices.Equal(lags, wantLags) {
		t.Errorf("times %v and lags %v (error %v), want %v and %v", times, lags, err, wantTimes, wantLags)
	}
	for _, cut := range [][]byte{packed[:len(packed)-1], {1}, {0x80}, {1, 0x80}} {
		if times, lags, err := unpackTimes(cut); err != errTimes {
			t.Errorf("%v unpacks to %v and %v, error %v: want %v", cut, times, lags, err, errTimes)
		}
	}
}
