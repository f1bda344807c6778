package chore_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"versus2048/lab/chore"
	"versus2048/players/neural"
	"versus2048/players/puct"
	"versus2048/players/searchtest"
	"versus2048/rules"
)

var threeByTwo = rules.Size{Width: 3, Height: 2}

// evaluators returns a function that makes evaluators of a small network.
func evaluators(s chore.SelfPlaySettings) func() (puct.Evaluator, error) {
	network := searchtest.Network("az", s.Rules, s.Size, 5)
	return func() (puct.Evaluator, error) { return puct.NewNetwork(network, s.Together) }
}

func play(t *testing.T, s chore.SelfPlaySettings) []chore.Game {
	t.Helper()
	games, err := chore.PlayGames(t.Context(), s, evaluators(s))
	if err != nil {
		t.Fatal(err)
	}
	return games
}

// small returns settings for a few short games.
func small() chore.SelfPlaySettings {
	s := chore.SelfPlayDefaults(rules.GPCC2016, threeByTwo)
	s.Games, s.Simulations, s.Together, s.Seed = 6, 10, 1, 3
	return s
}

// A game is the same however many games are played at once, and whichever game is the first one.
func TestGroupingChangesNothing(t *testing.T) {
	want := play(t, small())
	for _, group := range [][2]int{{4, 1}, {64, 1}, {2, 3}} {
		s := small()
		s.Together, s.Threads = group[0], group[1]
		if got := play(t, s); !reflect.DeepEqual(got, want) {
			t.Errorf("%d games at once in %d threads are other games", s.Together, s.Threads)
		}
	}
	s := small()
	s.First, s.Games = 4, 2
	if got := play(t, s); !reflect.DeepEqual(got, want[4:]) {
		t.Error("the games from number 4 on are others if they are the first ones")
	}
	s.Seed++
	if reflect.DeepEqual(play(t, s), want[4:]) {
		t.Error("another seed gives the same games")
	}
}

// Every turn is a choice: only legal moves have visits, and all simulations are counted.
func TestTurns(t *testing.T) {
	turns := 0
	for _, g := range play(t, small()) {
		turns += len(g.Turns)
		before := -1
		for _, turn := range g.Turns {
			p := turn.Position
			moves := p.AppendMoves(nil)
			sum, legal := 0, 0
			for _, n := range turn.Visits {
				sum += int(n)
			}
			for _, m := range moves {
				legal += int(turn.Visits[puct.Index(m, threeByTwo)])
			}
			if len(moves) < 2 || sum != 10 || legal != 10 || p.Ply() <= before || p.Score() > g.Score {
				t.Errorf("game %d of %d points: %v has the visits %v, after ply %d", g.Number, g.Score, p, turn.Visits, before)
			}
			before = p.Ply()
		}
	}
	if turns == 0 {
		t.Error("no game has a turn")
	}
}

// Without noise, temperature and openings all games are the same one.
func TestColdGames(t *testing.T) {
	s := small()
	s.Opening, s.Search.Noise, s.Games = 0, 0, 2
	for _, cold := range []func(){
		func() { s.Warm = 0 },
		func() { s.Warm, s.Search.Temperature = 1000, 0 },
	} {
		cold()
		games := play(t, s)
		if len(games[0].Turns) == 0 || !reflect.DeepEqual(games[0].Turns, games[1].Turns) {
			t.Errorf("two games of %d and %d turns", len(games[0].Turns), len(games[1].Turns))
		}
	}
}

// An interrupted run returns the games that were over.
func TestInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := small()
	s.Games, s.Together = 100_000, 2
	network, err := puct.NewNetwork(searchtest.Network("az", s.Rules, s.Size, 5), 2)
	if err != nil {
		t.Fatal(err)
	}
	calls := 0
	games, err := chore.PlayGames(ctx, s, func() (puct.Evaluator, error) {
		return counting{network, func() {
			if calls++; calls == 2000 {
				cancel()
			}
		}}, nil
	})
	if err != nil || len(games) == 0 || len(games) > 2000 {
		t.Errorf("%d games, %v", len(games), err)
	}
	cancel()
}

// counting calls a function before each batch.
type counting struct {
	puct.Evaluator
	batch func()
}

func (c counting) Evaluate(p []rules.Position) []puct.Rating {
	c.batch()
	return c.Evaluator.Evaluate(p)
}

// The file has all that was played, where its header says.
func TestWrite(t *testing.T) {
	s := small()
	games := play(t, s)
	var out bytes.Buffer
	if err := chore.WriteGames(&out, s, "lab train az-games", games); err != nil {
		t.Fatal(err)
	}
	content := out.Bytes()
	length := binary.LittleEndian.Uint64(content)
	var header map[string]json.RawMessage
	if err := json.Unmarshal(content[8:8+length], &header); err != nil || length%8 != 0 {
		t.Fatalf("%v, a header of %d bytes", err, length)
	}
	data := content[8+length:]
	read := func(name string, into any) {
		var e struct {
			Shape   []int `json:"shape"`
			Offsets []int `json:"data_offsets"`
		}
		if err := json.Unmarshal(header[name], &e); err != nil {
			t.Fatal(err)
		}
		if _, err := binary.Decode(data[e.Offsets[0]:e.Offsets[1]], binary.LittleEndian, into); err != nil {
			t.Fatal(err)
		}
	}
	var turns []chore.Turn
	var finals []int32
	for _, g := range games {
		for _, turn := range g.Turns {
			turns, finals = append(turns, turn), append(finals, int32(g.Score))
		}
	}
	boards, visits, attackers := make([]uint64, len(turns)), make([]uint16, 16*len(turns)), make([]uint8, len(turns))
	final, further, score := make([]int32, len(turns)), make([]int32, len(turns)), make([]int32, len(turns))
	for name, into := range map[string]any{"boards": boards, "visits": visits, "attacker": attackers, "final": final, "further": further, "score": score} {
		read(name, into)
	}
	for i, turn := range turns {
		p := turn.Position
		if boards[i] != uint64(p.Board()) || !reflect.DeepEqual(visits[16*i:16*i+16], turn.Visits) ||
			(attackers[i] == 1) != (p.SideToMove() == rules.Attacker) ||
			final[i] != finals[i] || score[i] != int32(p.Score()) || further[i] != final[i]-score[i] {
			t.Errorf("turn %d, %v, is not what was written", i, p)
		}
	}
	for _, want := range []string{`"format":"versus2048 self-play 1"`, `"rules":"gpcc2016"`, `"size":"3x2"`, `"command":"lab train az-games"`} {
		if !strings.Contains(string(header["__metadata__"]), want) {
			t.Errorf("the metadata %s have no %s", header["__metadata__"], want)
		}
	}
}

func TestValidate(t *testing.T) {
	for want, spoil := range map[string]func(*chore.SelfPlaySettings){
		"rules solo":            func(s *chore.SelfPlaySettings) { s.Rules = rules.Solo },
		"0 games":               func(s *chore.SelfPlaySettings) { s.Games = 0 },
		"first game -1":         func(s *chore.SelfPlaySettings) { s.First = -1 },
		"first game 2147483648": func(s *chore.SelfPlaySettings) { s.First = 1 << 31 },
		"65536 simulations":     func(s *chore.SelfPlaySettings) { s.Simulations = 65536 },
		"0 games together":      func(s *chore.SelfPlaySettings) { s.Together = 0 },
		"0 threads":             func(s *chore.SelfPlaySettings) { s.Threads = 0 },
		"noise 2":               func(s *chore.SelfPlaySettings) { s.Search.Noise = 2 },
		"alpha 0":               func(s *chore.SelfPlaySettings) { s.Search.Alpha = 0 },
		"temperature -1":        func(s *chore.SelfPlaySettings) { s.Search.Temperature = -1 },
	} {
		s := small()
		spoil(&s)
		_, err := chore.PlayGames(t.Context(), s, evaluators(small()))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want it to say %s", err, want)
		}
	}
}

// BenchmarkPlay measures the simulations of self-play in a second, by games at once, with a network of two
// hidden layers of 128.
func BenchmarkPlay(b *testing.B) {
	for _, size := range []rules.Size{threeByTwo, {Width: 3, Height: 3}} {
		network := mlp(b, size, 128)
		for _, together := range []int{1, 8, 64, 256} {
			b.Run(fmt.Sprintf("%v/%d", size, together), func(b *testing.B) {
				s := chore.SelfPlayDefaults(rules.GPCC2016, size)
				s.Games, s.Together = 1<<20, together
				ctx, cancel := context.WithCancel(b.Context())
				simulations := 0
				_, err := chore.PlayGames(ctx, s, func() (puct.Evaluator, error) {
					n, err := puct.NewNetwork(network, together)
					return counting{n, func() {
						if simulations += together; simulations >= b.N {
							cancel()
						}
					}}, err
				})
				cancel()
				if err != nil {
					b.Fatal(err)
				}
			})
		}
	}
}

// mlp returns a network of two hidden layers with random weights.
func mlp(t testing.TB, s rules.Size, hidden int) *neural.Network {
	t.Helper()
	dense := func(in, out int) neural.Layer { return neural.Layer{Kind: neural.Dense, In: in, Out: out} }
	relu := neural.Layer{Kind: neural.ReLU}
	d := neural.Description{
		Planes: 12, Side: true, Value: neural.Value{Transform: neural.Sqrt, Scale: 10},
		Functions: map[string]neural.Function{
			"trunk":  {From: neural.Source{Function: "board"}, Layers: []neural.Layer{dense(13*s.Cells(), hidden), relu, dense(hidden, hidden), relu}},
			"policy": {From: neural.Source{Function: "trunk"}, Layers: []neural.Layer{dense(hidden, puct.Outputs(s))}},
			"value":  {From: neural.Source{Function: "trunk"}, Layers: []neural.Layer{dense(hidden, 1)}},
		},
	}
	n, err := neural.New(neural.Header{Method: "az", Rules: rules.GPCC2016, Size: s, Description: d}, searchtest.Weights(d, s, 1))
	if err != nil {
		t.Fatal(err)
	}
	return n
}
