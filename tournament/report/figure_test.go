package report

import (
	"encoding/json"
	"testing"
)

func TestFigureRoundTrip(t *testing.T) {
	for _, f := range []Figure{{Value: 0}, {Value: -2.5}, {Needs: "needs 2 games"}} {
		encoded, err := json.Marshal(f)
		if err != nil {
			t.Fatal(err)
		}
		var back Figure
		if err := json.Unmarshal(encoded, &back); err != nil || back.Value != f.Value || back.Absent() != f.Absent() {
			t.Errorf("%+v came back as %+v: %v", f, back, err)
		}
	}
}

func TestPercent(t *testing.T) {
	for _, tc := range []struct {
		share Figure
		want  string
	}{
		{Figure{Value: 51.0 / 80}, "63.8%"}, // 63.75, which is rounded to even
		{Figure{Value: 25.0 / 80}, "31.2%"},
		{Figure{Value: 1.0 / 3}, "33.3%"},
		{Figure{Value: -0.125}, "-12.5%"},
		{Figure{}, "0.0%"},
		{Figure{Needs: "needs 1 game"}, "-"},
	} {
		if got := tc.share.Percent(); got != tc.want {
			t.Errorf("%+v: %s, want %s", tc.share, got, tc.want)
		}
	}
}

func TestWithin(t *testing.T) {
	absent := Figure{Needs: "needs 2 games"}
	figure := func(v float64) Figure { return Figure{Value: v} }
	tests := []struct{ from, want Interval }{
		{Interval{figure(0.5), figure(0.25), figure(0.75)}, Interval{figure(0.5), figure(0.25), figure(0.75)}},
		{Interval{figure(0.5), figure(-0.25), figure(1.25)}, Interval{figure(0.5), figure(0), figure(1)}},
		{Interval{figure(1), absent, absent}, Interval{figure(1), absent, absent}},
	}
	for _, test := range tests {
		if got := test.from.Within(0, 1); got != test.want {
			t.Errorf("%+v within 0 and 1: %+v, want %+v", test.from, got, test.want)
		}
	}
}
