package report

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
	"versus2048/tournament/format"
)

// The crosstable has the standings' order and places at every point of an event, in
// every format, with and without strikes.
func TestCrosstableRanksLikeTheStandings(t *testing.T) {
	for _, kind := range format.Names() {
		for _, strikes := range []tournament.Strikes{{}, {Faults: 2}, {Faults: 2, Games: tournament.VoidGames}} {
			for seed := range uint64(20) {
				e := tournament.Event{Matches: 2, Entries: entries("c", "a", "e", "b", "d")}
				e.Settings.Plan.Kind = kind
				e.Settings.Strikes = strikes
				if kind == format.SPRT {
					e.Entries = e.Entries[:2]
					e.Settings.Plan.SPRT.Elo1 = 100
				}
				name := fmt.Sprintf("%s, strikes %+v, seed %d", kind, strikes, seed)
				for _, done := range playAtRandom(e, rand.New(rand.NewPCG(seed, 13))) {
					wantOneRanking(t, name, e, done)
				}
			}
		}
	}
}

func wantOneRanking(t *testing.T, name string, e tournament.Event, done []tournament.MatchResult) {
	t.Helper()
	standings := format.New(e).Standings(done)
	table := NewCrosstable(e, standings, done)
	if len(table.Standings) != len(e.Entries) || len(standings.Places) != len(e.Entries) {
		t.Fatalf("%s: %d rows and %d places of %d bots", name, len(table.Standings), len(standings.Places), len(e.Entries))
	}
	for i, p := range standings.Places {
		s := table.Standings[i]
		if s.Name != p.Name || s.Rank != p.Place {
			t.Fatalf("%s after %d matches: row %d is %d. %s, want %d. %s", name, len(done), i+1, s.Rank, s.Name, p.Place, p.Name)
		}
		if e.Settings.Plan.Kind == format.RoundRobin && (s.Points != p.Values[0] || s.Played != p.Played) {
			t.Fatalf("%s after %d matches: %s has %v points of %d matches, in the standings %v of %d",
				name, len(done), s.Name, s.Points, s.Played, p.Values[0], p.Played)
		}
	}
}

// playAtRandom plays up to 60 matches with random results, some of them draws and
// faults, and returns the decided matches at the start and after each match.
func playAtRandom(e tournament.Event, random *rand.Rand) [][]tournament.MatchResult {
	f := format.New(e)
	var done []tournament.MatchResult
	all := [][]tournament.MatchResult{nil}
	for next := f.Next(nil); len(next) > 0 && len(done) < 60; next = f.Next(done) {
		var book tournament.Scorebook
		p := next[random.IntN(len(next))]
		for leg := 1; leg <= 2; leg++ {
			game := tournament.Summary{Score: random.IntN(3), Ending: record.Mate}
			if random.IntN(10) == 0 {
				game.Ending, game.Forfeited = record.IllegalMove, random.IntN(2) == 0
			}
			book.Add(p, leg, rules.Position{}, game)
		}
		done = append(done, book.Matches()...)
		all = append(all, done[:len(done):len(done)])
	}
	return all
}
