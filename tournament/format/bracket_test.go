package format

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"versus2048/tournament"
)

// lost counts the ties that each bot has lost.
func lost(t *testing.T, s tournament.Standings) map[string]int {
	t.Helper()
	lost := map[string]int{}
	for _, tie := range s.Ties {
		if tie.Second == "" {
			continue
		}
		switch tie.Winner {
		case tie.First:
			lost[tie.Second]++
		case tie.Second:
			lost[tie.First]++
		default:
			t.Fatalf("the event is over, but %+v is not", tie)
		}
	}
	return lost
}

// Every bot except the winner loses exactly as many ties as eliminate a bot.
func TestBracketElimination(t *testing.T) {
	for n := 2; n <= 17; n++ {
		for seed := range uint64(10) {
			for most, f := range map[int]tournament.Event{1: planned(n, 1, tournament.Plan{Kind: tournament.Knockout}), 2: planned(n, 2, tournament.Plan{Kind: tournament.DoubleElimination})} {
				s := After(f, sweep(f, chancy(seed))).Standings()
				all := lost(t, s)
				for _, p := range s.Places {
					k := all[p.Name]
					if p.Place == 1 && k >= most || p.Place > 1 && k != most {
						t.Errorf("%s of %d, seed %d: %s in place %d has lost %d ties", s.Format, n, seed, p.Name, p.Place, k)
					}
				}
				if s.Places[0].Place != 1 || s.Places[1].Place != 2 || n > 2 && s.Places[2].Place != 3 {
					t.Errorf("%s of %d: places %+v", s.Format, n, s.Places)
				}
			}
		}
	}
}

// The winner of the losers' bracket must win the grand final twice.
func TestSecondGrandFinal(t *testing.T) {
	for _, upset := range []bool{false, true} {
		e := planned(4, 1, tournament.Plan{Kind: tournament.DoubleElimination})
		s := After(e, sweep(e, func(p tournament.Pairing) tournament.MatchResult {
			m := byStrength(p)
			if final := p.Round >= 5; final && upset {
				m.Outcome = tournament.SecondWins
				if m.Second == "bot0" {
					m.Outcome = tournament.FirstWins
				}
			}
			return m
		})).Standings()
		last := s.Ties[len(s.Ties)-1]
		winner, title := "bot0", "grand final"
		if upset {
			winner, title = "bot1", "second grand final"
		}
		if last.Title != title || last.Winner != winner || s.Places[0].Name != winner {
			t.Errorf("upset %v: the last tie is %+v, places %+v", upset, last, s.Places)
		}
	}
}

// A bot that drops into the losers' bracket does not at once meet a bot that it has
// just sent there.
func TestDoubleEliminationKeepsRematchesLate(t *testing.T) {
	var met [][2]string
	for _, m := range sweep(planned(16, 1, tournament.Plan{Kind: tournament.DoubleElimination}), byStrength) {
		pair := [2]string{min(m.First, m.Second), max(m.First, m.Second)}
		if slices.Contains(met, pair) && m.Round < 10 {
			t.Errorf("%v meet again in round %d", pair, m.Round)
		}
		met = append(met, pair)
	}
}

// The matches of a contest: + if the first bot wins, - if the second does, = for a
// draw, F or S for a drawn match with a margin for the first or the second.
func TestContest(t *testing.T) {
	for _, tc := range []struct {
		best    int
		matches string
		next    []int
		winner  int // -1 while it is open
	}{
		{3, "", []int{1, 2}, -1},
		{3, "+", []int{2}, -1},
		{3, "+-", []int{3}, -1},
		{3, "++", nil, 0},
		{3, "--", nil, 1},
		{3, "=+", []int{3}, -1},
		{3, "+-=", []int{4}, -1},
		{3, "+-S", nil, 1},
		{3, "==+", nil, 0},
		{3, "+-==", []int{5}, -1},
		{3, "+-=F", nil, 0},
		{3, "+-=-", nil, 1},
		{3, "+-=" + strings.Repeat("=", extraMatches-1), []int{3 + extraMatches}, -1},
		{3, "+-=" + strings.Repeat("=", extraMatches), nil, 0},
		{4, "", []int{1, 2, 3}, -1},
		{4, "+", []int{2, 3}, -1},
		{4, "++", []int{3}, -1},
		{4, "++=", nil, 0},
		{4, "++--", []int{5}, -1},
		{1, "", []int{1}, -1},
		{1, "-", nil, 1},
	} {
		f := New(planned(2, tc.best, tournament.Plan{Kind: tournament.Knockout})).(*bracket)
		for i, letter := range tc.matches {
			f.Add(contestMatch(1+i, letter))
		}
		var next []int
		for _, p := range drain(f) {
			next = append(next, p.Match)
		}
		if winner := max(f.ties[0].winner, -1); winner != tc.winner || !slices.Equal(next, tc.next) {
			t.Errorf("best of %d after %q: next %v, winner %d; want %v, %d", tc.best, tc.matches, next, f.ties[0].winner, tc.next, tc.winner)
		}
	}
}

// contestMatch returns a match. A won match has the margin 0, so that only points count.
func contestMatch(number int, letter rune) tournament.MatchResult {
	m := tournament.MatchResult{Pairing: tournament.Pairing{Match: number, First: "bot0", Second: "bot1"}, Outcome: tournament.Drawn, By: tournament.ByScore}
	switch letter {
	case '+':
		m.Outcome, m.By = tournament.FirstWins, tournament.ByForfeit
	case '-':
		m.Outcome, m.By = tournament.SecondWins, tournament.ByForfeit
	case 'F':
		m.Legs[0].Score = 4
	case 'S':
		m.Legs[1].Score = 4
	case '=':
	default:
		panic(fmt.Sprintf("%c", letter))
	}
	return m
}
