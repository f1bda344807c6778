package chore_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"versus2048/internal/farm"
	"versus2048/lab/chore"
	"versus2048/lab/experiment/regret"
	"versus2048/lab/retrograde"
	"versus2048/players"
	"versus2048/players/neural"
	"versus2048/players/puct"
	"versus2048/players/searchtest"
	"versus2048/rules"
)

// do does a batch as an arena and its worker would, and checks the result.
func do[R any](t *testing.T, kind farm.Kind, spec string, settings any) (result R) {
	t.Helper()
	bot, err := players.Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	text := marshal(t, settings)
	c := chore.All()[kind]
	answer, err := c.Do(t.Context(), bot, text)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Check(text, answer); err != nil {
		t.Errorf("a right result is refused: %v", err)
	}
	if err := json.Unmarshal(answer, &result); err != nil {
		t.Fatal(err)
	}
	return result
}

func marshal(t *testing.T, value any) json.RawMessage {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func sample(t *testing.T, r rules.Ruleset) *regret.Sample {
	t.Helper()
	solution, err := retrograde.Solve(t.Context(), r, rules.Size{Width: 2, Height: 2}, nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := regret.Draw(t.Context(), solution.Table, regret.Config{Positions: 5, Seed: 7, Workers: 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The moves of all batches are the moves that the bot chooses in one process, under all rules.
func TestMovesAreThoseOfOneProcess(t *testing.T) {
	for _, r := range rules.Rulesets() {
		s := sample(t, r)
		const spec = "mcts:playouts=30"
		bot, err := players.Parse(spec)
		if err != nil {
			t.Fatal(err)
		}
		want, err := s.Ask(t.Context(), bot, 1, nil)
		if err != nil {
			t.Fatal(err)
		}
		var moves []rules.Move
		for _, settings := range chore.SplitMoves(s) {
			moves = append(moves, do[chore.MovesResult](t, chore.Regret, spec, settings).Moves...)
		}
		if got, err := s.Judge(moves); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%v: %v, error %v, want %v", r, got, err, want)
		}
	}
}

func TestWrongMovesAreRefused(t *testing.T) {
	settings := marshal(t, chore.MovesSettings{
		Rules: rules.GPCC2015, Size: rules.Size{Width: 2, Height: 2}, Positions: []chore.Question{{Position: "2,0/0,0 D 0 1", Seed: 1}},
	})
	for result, why := range map[string]string{
		`{"moves":["S"]}`:         "",
		`{"moves":["N"]}`:         "N",
		`{"moves":["(0,0)=2"]}`:   "",
		`{"moves":[]}`:            "0 moves for 1 positions",
		`{"moves":["S","S"]}`:     "2 moves",
		`{"moves":["S"],"x":1}`:   "unknown field",
		`{"moves":["elsewhere"]}`: "elsewhere",
	} {
		err := chore.All()[chore.Regret].Check(settings, json.RawMessage(result))
		if right := result == `{"moves":["S"]}`; right != (err == nil) || err != nil && !strings.Contains(err.Error(), why) {
			t.Errorf("%s: error %v, want %q", result, err, why)
		}
	}
}

func TestMovesThatNobodyCanMake(t *testing.T) {
	two := rules.Size{Width: 2, Height: 2}
	greedy, err := players.Parse("greedy")
	if err != nil {
		t.Fatal(err)
	}
	asked := func(r rules.Ruleset, positions ...string) chore.MovesSettings {
		s := chore.MovesSettings{Rules: r, Size: two}
		for _, p := range positions {
			s.Positions = append(s.Positions, chore.Question{Position: p})
		}
		return s
	}
	for why, s := range map[string]chore.MovesSettings{
		"want 1 to 1000":     asked(rules.GPCC2015),
		"want 1 to 1000 ":    asked(rules.GPCC2015, make([]string, chore.MostPositions+1)...),
		"want one of 2x2":    asked(rules.GPCC2015, "2,0,0/0,0,0 D 0 1"),
		"the game is over":   asked(rules.GPCC2015, "2,4/4,2 D 8 5"),
		"chance moves next":  asked(rules.Solo, "2,0/0,0 A 0 1"),
		"want the tiles by ": asked(rules.GPCC2015, "x"),
	} {
		_, err := chore.All()[chore.Regret].Do(t.Context(), greedy, marshal(t, s))
		if err == nil || !strings.Contains(err.Error(), strings.TrimSpace(why)) {
			t.Errorf("error %v, want %q", err, why)
		}
	}
}

// network writes a network and returns its path, its checksum, and settings of 20 games with it.
func network(t *testing.T) (path, sum string, s chore.SelfPlaySettings) {
	t.Helper()
	size := rules.Size{Width: 3, Height: 2}
	path = searchtest.WriteNetwork(t, "az", rules.GPCC2016, size, 5)
	sum, err := chore.Checksum(path)
	if err != nil {
		t.Fatal(err)
	}
	s = chore.SelfPlayDefaults(rules.GPCC2016, size)
	s.First, s.Games, s.Seed, s.Simulations = 3, 20, 9, 8
	return path, sum, s
}

// The games of all batches are the games that one process plays.
func TestGamesAreThoseOfOneProcess(t *testing.T) {
	path, sum, s := network(t)
	n, err := neural.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	want, err := chore.PlayGames(t.Context(), s, func() (puct.Evaluator, error) { return puct.NewNetwork(n, s.Together) })
	if err != nil {
		t.Fatal(err)
	}
	var got []chore.Game
	batches := chore.SplitGames(s, sum)
	for _, settings := range batches {
		games, err := do[chore.GamesResult](t, chore.SelfPlay, "az:weights="+path, settings).List(s.Rules)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, games...)
	}
	if len(batches) != 2 || !reflect.DeepEqual(got, want) {
		t.Errorf("%d games in %d batches are not the %d of one process", len(got), len(batches), len(want))
	}
}

func TestWrongGamesAreRefused(t *testing.T) {
	path, sum, s := network(t)
	s.Games = 2
	settings := chore.SplitGames(s, sum)[0]
	for why, change := range map[string]func(*chore.GamesResult){
		"1 games, want 2":        func(g *chore.GamesResult) { g.Games = g.Games[1:] },
		"in this place":          func(g *chore.GamesResult) { g.Games[0].Number++ },
		"want 1 to 8":            func(g *chore.GamesResult) { g.Games[0].Turns[0].Visits[0] += 9 },
		"1 visit counts: want":   func(g *chore.GamesResult) { g.Games[0].Turns[0].Visits = []uint16{8} },
		"does not come after":    func(g *chore.GamesResult) { g.Games[0].Turns[1] = g.Games[0].Turns[0] },
		"the final score 0":      func(g *chore.GamesResult) { g.Games[1].Score = 0 },
		"score 2147483648: want": func(g *chore.GamesResult) { g.Games[1].Score = 1 << 31 },
		"the value -1e+39: want": func(g *chore.GamesResult) { g.Games[0].Turns[0].Value = -1e39 },
		"want the tiles by row":  func(g *chore.GamesResult) { g.Games[0].Turns[0].Position = "?" },
	} {
		games := do[chore.GamesResult](t, chore.SelfPlay, "az:weights="+path, settings)
		change(&games)
		err := chore.All()[chore.SelfPlay].Check(marshal(t, settings), marshal(t, games))
		if err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("error %v, want %q", err, why)
		}
	}
}

func TestGamesThatNobodyCanPlay(t *testing.T) {
	path, sum, s := network(t)
	for why, change := range map[string]func(*chore.GamesSettings, *string){
		"give the worker":         func(s *chore.GamesSettings, _ *string) { s.Network = "0" },
		"want az:weights=FILE":    func(_ *chore.GamesSettings, bot *string) { *bot = "greedy" },
		"want at most 1000":       func(s *chore.GamesSettings, _ *string) { s.Count = chore.MostGames + 1 },
		"0 simulations":           func(s *chore.GamesSettings, _ *string) { s.Simulations = 0 },
		"where both sides choose": func(s *chore.GamesSettings, _ *string) { s.Rules = rules.Solo },
		"3x2":                     func(s *chore.GamesSettings, _ *string) { s.Size = rules.Size{Width: 2, Height: 2} },
	} {
		settings, spec := chore.SplitGames(s, sum)[0], "az:weights="+path
		change(&settings, &spec)
		bot, err := players.Parse(spec)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := chore.All()[chore.SelfPlay].Do(t.Context(), bot, marshal(t, settings)); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("error %v, want %q", err, why)
		}
	}
}
