package tournament_test

import (
	"testing"

	"versus2048/tournament"
)

func TestBoundOf(t *testing.T) {
	for _, tc := range []struct {
		bound       tournament.Bound
		done, total int
		want        string
	}{
		{tournament.Exactly, 12, 30, "12 of 30"},
		{tournament.About, 12, 30, "12 of about 30"},
		{tournament.AtMost, 12, 30, "12 of at most 30"},
		{tournament.AtMost, 12, 0, "12"},
	} {
		if got := tc.bound.Of(tc.done, tc.total); got != tc.want {
			t.Errorf("%q, want %q", got, tc.want)
		}
	}
}
