package inbrowser_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"versus2048/internal/web/inbrowser"
	"versus2048/players"
	"versus2048/players/ntuple"
	"versus2048/players/searching"
	"versus2048/players/searchtest"
	"versus2048/rules"
)

func never() bool { return false }

// loaded returns a champion with its networks.
func loaded(t testing.TB) *inbrowser.Champion {
	t.Helper()
	c := inbrowser.NewChampion()
	for _, r := range []rules.Ruleset{rules.GPCC2015, rules.GPCC2016} {
		if err := c.Load(ntuple.OwnFile(r)); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// looks is a context that ends when it has been looked at some times.
type looks struct {
	context.Context
	left int
}

func (l *looks) Err() error {
	if l.left--; l.left < 0 {
		return context.Canceled
	}
	return nil
}

// With the same number of nodes the champion is the bot of package players: in each game, on each size of board.
func TestSameAsPlayer(t *testing.T) {
	spec, err := players.Parse("champion:time=3600000")
	if err != nil {
		t.Fatal(err)
	}
	const nodes = 20_000
	c, searched := loaded(t), 0
	for p := range searchtest.RandomPositions(rand.New(rand.NewPCG(1, 2)).IntN, 1) {
		player := spec.New(players.Game{Rules: p.Rules(), Size: p.Size()})
		move, err := player.Choose(&looks{t.Context(), nodes / searching.Period}, p)
		if err != nil {
			t.Fatal(err)
		}
		got, err := c.Ask(inbrowser.Asked{Rules: p.Rules(), Position: p.String(), Nodes: nodes}, never)
		if err != nil {
			t.Fatal(err)
		}
		want := player.(players.Searcher).LastSearch()
		if got.Move != move || (got.Search == nil) != (want == nil) {
			t.Fatalf("%v under %v: %v, the player %v", p, p.Rules(), got.Move, move)
		}
		if want == nil {
			continue
		}
		searched++
		if got.Search.Nodes != want.Nodes || !reflect.DeepEqual(got.Search.Moves, want.Moves) || !reflect.DeepEqual(got.Search.Variation, want.Variation) {
			t.Errorf("%v under %v: %+v, the player %+v", p, p.Rules(), got.Search, want)
		}
	}
	if searched < 100 {
		t.Errorf("%d positions were searched: want 100 at least", searched)
	}
}

// Several best moves come with their values, the best first.
func TestBestMoves(t *testing.T) {
	c := loaded(t)
	for _, side := range []string{"A", "D"} {
		asked := inbrowser.Asked{Rules: rules.GPCC2015, Position: "0,2,0,2/16,8,4,0/64,32,2,8/256,128,16,4 " + side, Nodes: 60_000, Best: 3}
		got, err := c.Ask(asked, never)
		if err != nil {
			t.Fatal(err)
		}
		moves := got.Search.Moves
		if len(moves) != 3 || moves[0].Move != got.Move || got.Search.Variation[0] != got.Move {
			t.Fatalf("%s: %v, %+v", side, got.Move, got.Search)
		}
		seen := map[rules.Move]bool{}
		for _, m := range moves {
			seen[m.Move] = true
		}
		if len(seen) != 3 {
			t.Errorf("%s: %+v, want three moves", side, moves)
		}
	}
}

// A search ends when it is told to.
func TestStop(t *testing.T) {
	asked := inbrowser.Asked{Rules: rules.GPCC2016, Position: "64,32,16,8/0,0,0,4/0,0,0,2/0,0,0,0 D", MS: 3_600_000}
	calls := 0
	got, err := loaded(t).Ask(asked, func() bool { calls++; return calls > 20 })
	if err != nil || got.Search.Nodes < 20*searching.Period/2 || got.Bot != "champion:time=3600000,threads=1,seed=0" {
		t.Errorf("%+v after %d calls, error %v", got, calls, err)
	}
}

// The champion tells which network it needs, and what is wrong with a question.
func TestQuestions(t *testing.T) {
	c := inbrowser.NewChampion()
	for _, q := range []struct {
		rules       rules.Ruleset
		text, needs string
		ms          int
		want        string // of the error
	}{
		{rules.GPCC2015, "2,0,0,0/0,0,0,0/0,0,0,0/0,0,0,2 D", "v1.ntuple", 5, "load it first"},
		{rules.GPCC2016, "2,0,0,0/0,0,0,0/0,0,0,0/0,0,0,2 D", "v1-gpcc2016.ntuple", 5, "load it first"},
		{rules.Solo, "2,0,0,0/0,0,0,0/0,0,0,0/0,0,0,2 D", "", 5, ""},
		{rules.GPCC2016, "2,0/0,2 D", "", 5, ""},
		{rules.GPCC2016, "2,0/0,2 D", "", 0, "without an end"},
		{rules.GPCC2015, "2,4/4,2 D", "", 5, "the game is over"},
		{rules.GPCC2015, "2,4/4 D", "", 5, "position"},
	} {
		asked := inbrowser.Asked{Rules: q.rules, Position: q.text, MS: q.ms}
		if needs, _ := c.Needs(asked); needs != q.needs {
			t.Errorf("%+v needs %q", q, needs)
		}
		if _, err := c.Ask(asked, never); (err == nil) != (q.want == "") || err != nil && !strings.Contains(err.Error(), q.want) {
			t.Errorf("%+v: error %v", q, err)
		}
	}
	if err := c.Load([]byte("no network")); err == nil {
		t.Error("loaded what is no network")
	}
}

// BenchmarkChampion measures nodes a second. Its profile guides the compiler of the program for browsers: see the
// Makefile.
func BenchmarkChampion(b *testing.B) {
	c := loaded(b)
	for _, game := range []struct {
		rules rules.Ruleset
		text  string
	}{
		{rules.GPCC2015, searchtest.Midgame},
		{rules.GPCC2015, "4,2,0,2/16,8,4,0/64,32,2,8/256,128,16,4 A"},
		{rules.GPCC2016, searchtest.Midgame},
		{rules.GPCC2016, "4,2,0,2/16,8,4,0/64,32,2,8/256,128,16,4 A"},
		{rules.Solo, searchtest.Midgame},
	} {
		b.Run(fmt.Sprintf("%v/%s", game.rules, game.text[len(game.text)-1:]), func(b *testing.B) {
			var nodes int64
			for b.Loop() {
				got, err := c.Ask(inbrowser.Asked{Rules: game.rules, Position: game.text, Nodes: 2_000_000}, never)
				if err != nil {
					b.Fatal(err)
				}
				nodes += got.Search.Nodes
			}
			b.ReportMetric(float64(nodes)/b.Elapsed().Seconds(), "nodes/s")
		})
	}
}
