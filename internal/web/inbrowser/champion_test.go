package inbrowser_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"versus2048/internal/study"
	"versus2048/internal/web/inbrowser"
	"versus2048/internal/web/welcome"
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

// The simple bots are chance and all levels but the champion. They make the moves of package players for the same seed
// of a game, on both sides of all games.
func TestSameAsLevels(t *testing.T) {
	specs := []string{"chance"}
	for _, level := range welcome.Levels() {
		if level.Spec != "champion" { // see TestSameAsPlayer
			specs = append(specs, level.Spec)
		}
	}
	c, random := inbrowser.NewChampion(), rand.New(rand.NewPCG(5, 6))
	for _, bot := range specs {
		spec, err := players.Parse(bot)
		if err != nil {
			t.Fatal(err)
		}
		compared := 0
		for p := range searchtest.RandomPositions(random.IntN, 2) {
			if p.Over() {
				continue
			}
			compared++
			seed := uint64(random.Uint32())
			want, err := spec.New(players.Game{Seed: seed, Rules: p.Rules(), Size: p.Size()}).Choose(t.Context(), p)
			if err != nil {
				t.Fatal(err)
			}
			got, err := c.Ask(inbrowser.Asked{Bot: bot, Seed: seed, Rules: p.Rules(), Position: p.String()}, never)
			if err != nil || got.Move != want || got.Bot != bot {
				t.Errorf("%s in %v under %v: %+v (error %v), want %v", bot, p, p.Rules(), got, err, want)
			}
		}
		if compared < 200 {
			t.Errorf("%s: %d positions, want 200 at least", bot, compared)
		}
	}
}

// The costliest moves of a game are found, and a text that is no game is refused.
func TestJudge(t *testing.T) {
	const game = "[Attacker \"Ada\"]\n[Rules \"gpcc2016\"]\n[Start \"0,0,0,0/0,0,0,0/256,4,2,2/512,32,8,4 D 5224 301\"]\n\n1. ... N 2. (4,4) S\n"
	marks, err := inbrowser.Judge(game, never)
	if err != nil || len(marks) == 0 || marks[0].Kind != study.Mistake || !strings.Contains(marks[0].Why, " worse than ") {
		t.Errorf("%+v, error %v", marks, err)
	}
	if marks, err := inbrowser.Judge(game, func() bool { return true }); err != nil || marks == nil || len(marks) > 0 {
		t.Errorf("stopped at once, Judge finds %+v, error %v", marks, err)
	}
	if _, err := inbrowser.Judge("1. N", never); err == nil || !strings.Contains(err.Error(), "a game to judge") {
		t.Errorf("an illegal move: error %v", err)
	}
}

// A negative number of nodes sets no limit: the search goes on until its time is over or it is stopped.
func TestNegativeNodes(t *testing.T) {
	looks := 0
	asked := inbrowser.Asked{Rules: rules.GPCC2015, Position: "0,2,0,2/16,8,4,0/64,32,2,8/256,128,16,4 A", MS: 3_600_000, Nodes: -1}
	_, err := loaded(t).Ask(asked, func() bool {
		looks++
		return looks >= 10
	})
	if err != nil || looks < 10 {
		t.Errorf("the search ends after %d looks at the clock, error %v", looks, err)
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
		rules rules.Ruleset
		text  string
		needs inbrowser.Needed
		ms    int
		want  string // of the error
	}{
		{rules.GPCC2015, "2,0,0,0/0,0,0,0/0,0,0,0/0,0,0,2 D", inbrowser.Needed{File: "v1.ntuple", Search: true}, 5, "cannot be loaded"},
		{rules.GPCC2016, "2,0,0,0/0,0,0,0/0,0,0,0/0,0,0,2 D", inbrowser.Needed{File: "v1-gpcc2016.ntuple", Search: true}, 5, "cannot be loaded"},
		{rules.Solo, "2,0,0,0/0,0,0,0/0,0,0,0/0,0,0,2 D", inbrowser.Needed{File: "v1-solo.ntuple"}, 5, ""},
		{rules.GPCC2016, "2,0/0,2 D", inbrowser.Needed{}, 5, ""},
		{rules.GPCC2016, "2,0/0,2 D", inbrowser.Needed{}, 0, "without an end"},
		{rules.GPCC2015, "2,4/4,2 D", inbrowser.Needed{}, 5, "the game is over"},
		{rules.GPCC2015, "2,4/4 D", inbrowser.Needed{}, 5, "position"},
	} {
		asked := inbrowser.Asked{Rules: q.rules, Position: q.text, MS: q.ms}
		if needs, _ := c.Needs(asked); needs != q.needs {
			t.Errorf("%+v needs %+v", q, needs)
		}
		if _, err := c.Ask(asked, never); (err == nil) != (q.want == "") || err != nil && !strings.Contains(err.Error(), q.want) {
			t.Errorf("%+v: error %v", q, err)
		}
	}
	if _, err := c.Ask(inbrowser.Asked{Bot: "deepblue", Position: "2,0/0,2 D", MS: 5}, never); err == nil || !strings.Contains(err.Error(), `no bot "deepblue"`) {
		t.Errorf("an unknown bot: error %v", err)
	}
	if err := c.Load([]byte("no network")); err == nil {
		t.Error("loaded what is no network")
	}
}

// Simple bots need no network for their moves. Once the one of the game is loaded, they tell the advantage, too.
func TestAdvantage(t *testing.T) {
	for r, bot := range map[rules.Ruleset]string{rules.GPCC2015: "greedy", rules.GPCC2016: "evminimax:depth=1", rules.Solo: "chance"} {
		c, asked := inbrowser.NewChampion(), inbrowser.Asked{Bot: bot, Rules: r, Position: "0,2,0,2/16,8,4,0/64,32,2,8/256,128,16,4 A"}
		if needed, err := c.Needs(asked); err != nil || needed != (inbrowser.Needed{File: ntuple.OwnName(r)}) {
			t.Errorf("%s needs %+v, error %v", bot, needed, err)
		}
		if got, err := c.Ask(asked, never); err != nil || got.Advantage != nil {
			t.Errorf("%s without a network: %+v, error %v", bot, got, err)
		}
		if err := c.Load(ntuple.OwnFile(r)); err != nil {
			t.Fatal(err)
		}
		p, err := rules.ParsePosition(r, asked.Position)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := c.Ask(asked, never); err != nil || !reflect.DeepEqual(got.Advantage, study.ByNetwork(ntuple.Own(r), p)) {
			t.Errorf("%s: %+v, error %v", bot, got, err)
		}
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
