package playout

import (
	"slices"
	"testing"

	"versus2048/players/searchtest"
	"versus2048/rules"
)

// form is a way to play in lanes.
type form struct {
	name     string
	portable bool
}

// forms are the ways to play in lanes that this processor has.
func forms() []form {
	if vectorsSupported() {
		return []form{{"vectors", false}, {"portable", true}}
	}
	return []form{{"portable", true}}
}

// laneTexts are positions on several sizes of boards. Their games end soon, late or at once.
var laneTexts = []string{
	searchtest.Midgame, "0,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0 A", "2,4,2,4/4,2,4,2/2,4,2,4/4,2,4,4 D", "2,0,0/4,0,8/0,2,0 A",
	"2,4,2,4/4,2,4,2/2,4,2,4/4,2,4,8 D", "16384,8192,8,16/2,4,2,8/4096,2,4,2/2,1024,4,8 D", "32768,32768/2,4 D",
	"2,4,8,2/4,0,2,4/8,2,0,8/2,4,8,16 A",
}

// TestLanesPlayTheSameGames compares games in lanes with the same games alone: their scores, and the final
// states of their generators. Games begin whenever others have ended, beside changing neighbours.
func TestLanesPlayTheSameGames(t *testing.T) {
	const games = 3000
	for _, form := range forms() {
		var positions []rules.Position
		for _, text := range laneTexts {
			positions = append(positions, searchtest.Position(t, rules.GPCC2015, text))
		}
		g := NewGenerator(21)
		for p := range searchtest.RandomPositions(g.Below, 1) {
			positions = append(positions, p)
		}
		for _, lanes := range []int{1, 2, 5, 32} {
			checkLanes(t, form, positions, lanes, games/lanes)
		}
	}
}

// checkLanes plays games from the positions in some lanes.
func checkLanes(t *testing.T, form form, positions []rules.Position, lanes, rounds int) {
	t.Helper()
	l := Lanes{portable: form.portable}
	var from [Width]rules.Position
	var began, random [Width]Generator
	seed := uint64(0)
	begin := func(lane int) {
		from[lane], began[lane] = positions[seed%uint64(len(positions))], NewGenerator(seed)
		random[lane] = began[lane]
		seed++
		l.Begin(lane, from[lane], &random[lane])
	}
	for lane := range lanes {
		begin(lane)
	}
	for range rounds {
		ended := l.Play()
		for lane := range lanesOf(ended) {
			score := Play(from[lane], &began[lane])
			if got := l.Score(lane); got != score || random[lane] != began[lane] {
				t.Fatalf("%s, %d lanes, %v: score %d, want %d; generator %v, want %v",
					form.name, lanes, from[lane], got, score, random[lane], began[lane])
			}
			begin(lane)
		}
		if ended == 0 {
			t.Fatalf("%s: no game of %d has ended", form.name, lanes)
		}
	}
}

// TestNoLanes checks that nothing ends if nothing is played.
func TestNoLanes(t *testing.T) {
	if ended := new(Lanes).Play(); ended != 0 {
		t.Errorf("games have ended in the lanes %b", ended)
	}
}

// TestBatchIsTheSame checks that the form makes no difference to a batch.
func TestBatchIsTheSame(t *testing.T) {
	p := searchtest.Position(t, rules.GPCC2015, searchtest.Midgame)
	for _, n := range []int{1, 2, 3, 16, 33, 200} {
		var want []int
		for i, form := range forms() {
			g := NewGenerator(22)
			b := Batch{lanes: Lanes{portable: form.portable}}
			got := append(slices.Clone(b.Play(p, n, &g)), int(g.Next()>>1))
			if i == 0 {
				want = got
			}
			if !slices.Equal(got, want) {
				t.Errorf("%d games: %s plays others", n, form.name)
			}
		}
	}
}

// TestVectorTurns compares turns with the turns of fullGame.draw, on boards with every possible row. Rows with
// two 32768s are left out, since they may not merge.
func TestVectorTurns(t *testing.T) {
	if !vectorsSupported() {
		return // nothing uses vectors
	}
	g := NewGenerator(23)
	var games [Width]fullGame
	var random [Width]Generator
	for row := range rules.Board(1 << 16) {
		lane := int(row % Width)
		others := g.Next()
		others &= g.Next()
		games[lane] = fullGame{board: row | rules.Board(others)<<16, moved: -(g.Next() & 1)}
		if emptyCells(games[lane].board) == 0 {
			games[lane].moved = 0
		}
		random[lane] = NewGenerator(g.Next())
		if lane == Width-1 {
			checkTurnsOf(t, games, random)
		}
	}
}

func checkTurnsOf(t *testing.T, games [Width]fullGame, random [Width]Generator) {
	t.Helper()
	var v vectors
	for lane := range games {
		v.load(lane, games[lane], random[lane])
	}
	playTurns(&v)
	for lane, begin := range games {
		want, fits := begin, true
		for range turns {
			want = want.draw(emptyCells(want.board), random[lane].Next())
			fits = fits && countLargest(want.board) < 2
		}
		if got, g := v.unload(lane); fits && countLargest(begin.board) < 2 && (got != want || g != random[lane]) {
			t.Fatalf("lane %d, %016x: %016x after %d turns, want %016x", lane, begin, got, turns, want)
		}
	}
}
