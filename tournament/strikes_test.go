package tournament_test

import (
	"context"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"versus2048/players"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
	"versus2048/tournament/report"
)

// failing plays like drawing, but fails after the fourth ply of every other game.
type failing struct{ drawing }

func (f failing) Choose(ctx context.Context, p rules.Position) (rules.Move, error) {
	if f.seed%2 == 0 && p.Ply() > 3 {
		return 0, &rules.NotationError{Text: "nonsense"}
	}
	return f.drawing.Choose(ctx, p)
}

// breaking makes a runner's bots of these names fail.
func breaking(names ...string) func(*tournament.Runner) {
	return func(r *tournament.Runner) {
		for _, b := range r.Bots {
			if b := b.(*counting); slices.Contains(names, b.ID.Name) {
				b.New = func(g players.Game) players.Player { return failing{drawing{g.Seed}} }
			}
		}
	}
}

func TestStrikesAreReproducible(t *testing.T) {
	for _, games := range []tournament.StruckGames{"", tournament.VoidGames} {
		for _, bad := range [][]string{{"bot1"}, {"bot0", "bot3"}, {"bot0", "bot1", "bot2", "bot3"}} {
			e := smallEvent(4, 6, 1)
			e.Settings.Strikes = tournament.Strikes{Faults: 3, Games: games}
			all := runs(t, e, breaking(bad...))
			want := asJSON(t, crosstableOf(e, all[0]))
			for i, played := range all {
				if got := asJSON(t, crosstableOf(e, played)); got != want {
					t.Errorf("%v fail, games %q: run %d has the standings\n%s\nwant\n%s", bad, games, i, got, want)
				}
				if counting, want := e.Counting(tournament.Matches(played)), e.Counting(tournament.Matches(all[0])); !reflect.DeepEqual(counting, want) {
					t.Errorf("%v fail, games %q: in run %d other games count", bad, games, i)
				}
			}
			aside := e.SetAside(tournament.Matches(all[0]))
			for _, name := range bad {
				if aside[name] == 0 && len(bad) < 4 {
					t.Errorf("%s is not set aside", name)
				}
			}
			if len(aside) > len(bad) || len(all[0]) >= 6*6*2 {
				t.Errorf("%v are set aside after %d games, want only %v and not all games", aside, len(all[0]), bad)
			}
		}
	}
}

func TestStruckGamesInTheStandings(t *testing.T) {
	e := smallEvent(3, 4, 1)
	e.Settings.Strikes = tournament.Strikes{Faults: 2}
	games := runs(t, e, breaking("bot1"))[0]
	for _, s := range crosstableOf(e, games).Standings {
		if s.Played != 8 || (s.SetAside > 0) != (s.Name == "bot1") {
			t.Errorf("%s has played %d matches, set aside after %d", s.Name, s.Played, s.SetAside)
		}
	}
	if text := crosstableText(t, crosstableOf(e, games)); !strings.Contains(text, "is set aside for its faults, the last in match") {
		t.Errorf("the standings don't say who is set aside:\n%s", text)
	}
	e.Settings.Strikes.Games = tournament.VoidGames
	for _, s := range crosstableOf(e, games).Standings {
		if want := map[string]int{"bot0": 4, "bot1": 0, "bot2": 4}[s.Name]; s.Played != want {
			t.Errorf("%s has played %d matches that count, want %d", s.Name, s.Played, want)
		}
	}
	for _, h := range report.CollectorOf(e, games).HeadToHeads() {
		if involved := h.First.Name == "bot1" || h.Second.Name == "bot1"; involved != (h.Matches.Played() == 0) {
			t.Errorf("%s and %s: %d matches", h.First.Name, h.Second.Name, h.Matches.Played())
		}
	}
}

// fault returns a match with n faults of the named bot, the first one as the attacker.
func fault(number int, first, second, name string, n int) tournament.MatchResult {
	m := tournament.MatchResult{Pairing: tournament.Pairing{Match: number, First: first, Second: second}}
	for leg := range m.Legs {
		m.Legs[leg].Ending = record.Mate
		if attacker, _ := m.Roles(leg + 1); n > 0 && attacker == name || n > 1 {
			m.Legs[leg].Ending, m.Legs[leg].Forfeited = record.Time, attacker == name
		}
	}
	return m
}

func TestFaultsAreCountedByNumber(t *testing.T) {
	done := []tournament.MatchResult{
		fault(1, "a", "b", "b", 1), fault(2, "b", "c", "c", 2), fault(3, "c", "a", "a", 1),
		fault(4, "b", "a", "b", 1), fault(5, "a", "d", "d", 2), fault(6, "b", "d", "d", 1),
	}
	// If one fault is enough, b is set aside after match 1, so that the faults of match
	// 2 do not count. If it takes two, c is set aside after match 2, so that a's fault in
	// match 3 does not count.
	for faults, want := range map[int]tournament.SetAside{
		0: {},
		1: {"b": 1, "a": 3},
		2: {"c": 2, "b": 4, "d": 5},
		3: {"d": 6},
		4: {},
	} {
		e := tournament.Event{Settings: tournament.Settings{Strikes: tournament.Strikes{Faults: faults}}}
		random, shuffled := rand.New(rand.NewPCG(1, uint64(faults))), slices.Clone(done)
		for range 5 {
			random.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
			if got := e.SetAside(shuffled); !reflect.DeepEqual(got, want) {
				t.Errorf("after %d faults %v are set aside, want %v", faults, got, want)
			}
		}
	}
}

func crosstableText(t *testing.T, c report.Crosstable) string {
	t.Helper()
	var b strings.Builder
	if err := c.WriteText(&b, 0); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func crosstableOf(e tournament.Event, games []tournament.Game) report.Crosstable {
	return report.CollectorOf(e, games).Crosstable()
}
