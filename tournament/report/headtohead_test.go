package report

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// smallGames are four matches of a and b, one of which is not over:
//
//	match 1: a 340, b 148: a wins
//	match 2: b 148, a 148: a draw
//	match 3: a 20500, b cut short by a's fault: b wins
//	match 4: a's game is over, b's goes on
func smallGames() []tournament.Game {
	one, two := tournament.Pairing{Match: 1, First: "a", Second: "b"}, tournament.Pairing{Match: 2, First: "b", Second: "a"}
	three, four := tournament.Pairing{Match: 3, First: "a", Second: "b"}, tournament.Pairing{Match: 4, First: "b", Second: "a"}
	open := mated(four, 1, 16)
	open.Record.Ending = record.Unfinished
	return []tournament.Game{
		mated(one, 1, 64), mated(one, 2, 32),
		mated(two, 1, 32), endedGame(two, 2, 32, record.Time, rules.Defender),
		mated(three, 1, 2048), endedGame(three, 2, 16, record.IllegalMove, rules.Attacker),
		open, mated(four, 2, 64),
		mated(tournament.Pairing{Match: 5, First: "a", Second: "c"}, 1, 64), mated(tournament.Pairing{Match: 5, First: "a", Second: "c"}, 2, 16),
	}
}

func near(f Figure, want float64) bool {
	return !f.Absent() && math.Abs(f.Value-want) < 1e-9
}

func TestHeadToHeadByHand(t *testing.T) {
	h := NewHeadToHead("a", "b", smallGames(), 42)
	if h.Matches != (tournament.Tally{Won: 1, Drawn: 1, Lost: 1}) || h.Forfeits != (tournament.Tally{Won: 0, Drawn: 0, Lost: 1}) || h.LeftOut != 1 {
		t.Errorf("matches %+v, forfeits %+v, left out %d", h.Matches, h.Forfeits, h.LeftOut)
	}
	// a's scores are 340, 148, 20500; b's are 148, 148.
	a, b := h.First, h.Second
	deviation := math.Sqrt((sq(340-20988.0/3) + sq(148-20988.0/3) + sq(20500-20988.0/3)) / 2)
	if a.Games != 3 || a.CutShort != 0 || !near(a.MeanScore, 20988.0/3) || !near(a.ScoreSD, deviation) || !near(a.MinScore, 148) || !near(a.MaxScore, 20500) {
		t.Errorf("a as defender: %+v", a)
	}
	if a.Reached != 1 || !near(a.ReachShare, 1.0/3) || a.LargestTile != 2048 || !near(a.MeanTurns, 2.0/3) {
		t.Errorf("a as defender: %+v", a)
	}
	if b.Games != 2 || b.CutShort != 1 || !near(b.MeanScore, 148) || !near(b.ScoreSD, 0) || b.Reached != 0 || !near(b.ReachShare, 0) || b.LargestTile != 32 || !near(b.MeanTurns, 1) {
		t.Errorf("b as defender: %+v", b)
	}
	// The differences are 340-148 and 148-148.
	if d := h.Difference; d.Matches != 2 || !near(d.Value, 96) || !near(d.Low, 0) || !near(d.High, 192) || d.Seed != 42 {
		t.Errorf("difference %+v", d)
	}
	if !reflect.DeepEqual(a.Defending.Faults, map[record.Ending]int{record.Time: 1}) || !reflect.DeepEqual(a.Attacking.Faults, map[record.Ending]int{record.IllegalMove: 1}) {
		t.Errorf("a's faults: %v and %v", a.Defending.Faults, a.Attacking.Faults)
	}
	// The moves of the match that is not over do not count.
	if a.Attacking.Moves != 2 || b.Attacking.Moves != 2 {
		t.Errorf("timed moves as attackers: %d and %d, want 2 and 2", a.Attacking.Moves, b.Attacking.Moves)
	}
	if len(b.Defending.Faults) != 0 || len(b.Attacking.Faults) != 0 {
		t.Errorf("b's faults: %v and %v", b.Defending.Faults, b.Attacking.Faults)
	}
}

func sq(x float64) float64 { return x * x }

func TestHeadToHeadFromTheOtherSide(t *testing.T) {
	h, back := NewHeadToHead("a", "b", smallGames(), 42), NewHeadToHead("b", "a", smallGames(), 42)
	if !reflect.DeepEqual(h.First, back.Second) || !reflect.DeepEqual(h.Second, back.First) {
		t.Error("a bot's figures depend on who is named first")
	}
	if h.Matches.Won != back.Matches.Lost || h.Forfeits.Lost != back.Forfeits.Won || h.Difference.Value.Value != -back.Difference.Value.Value {
		t.Errorf("%+v is not the mirror of %+v", back, h)
	}
	if h.Strength.Normalized.Low.Value != -back.Strength.Normalized.High.Value || h.Strength.Superiority.Value+back.Strength.Superiority.Value != 1 {
		t.Errorf("%+v is not the mirror of %+v", back.Strength, h.Strength)
	}
}

func TestTimesByRole(t *testing.T) {
	p := tournament.Pairing{Match: 1, First: "a", Second: "b"}
	timed := func(leg int, ms ...int) tournament.Game {
		g := tournament.Game{Pairing: p, Leg: leg, Record: record.Record{
			Start:  rules.NewPosition(rules.GPCC2015, rules.Size{Width: 3, Height: 3}),
			Ending: record.Time, // of the defender, who is to move after an odd number of plies
		}}
		position := g.Record.Start
		for _, n := range ms {
			move := position.AppendMoves(nil)[0]
			position = position.Next(move)
			g.Record.Moves = append(g.Record.Moves, move)
			g.Record.Times = append(g.Record.Times, time.Duration(n)*time.Millisecond)
			g.Record.Lags = append(g.Record.Lags, time.Duration(n)*time.Millisecond/10)
		}
		return g
	}
	// In leg 1 a defends: 20 and 80. In leg 2 it attacks: 100, 200 and 600.
	h := NewHeadToHead("a", "b", []tournament.Game{timed(1, 10, 20, 30, 80, 50), timed(2, 100, 1, 200, 3, 600)}, 1)
	defending := Conduct{
		Moves: 2, MeanMS: Figure{Value: 50}, MedianMS: Figure{Value: 50}, MaxMS: Figure{Value: 80},
		MeanLag: Figure{Value: 5}, MaxLag: Figure{Value: 8}, Faults: map[record.Ending]int{record.Time: 1},
	}
	attacking := Conduct{
		Moves: 3, MeanMS: Figure{Value: 300}, MedianMS: Figure{Value: 200}, MaxMS: Figure{Value: 600},
		MeanLag: Figure{Value: 30}, MaxLag: Figure{Value: 60}, Faults: map[record.Ending]int{},
	}
	if !reflect.DeepEqual(h.First.Defending, defending) || !reflect.DeepEqual(h.First.Attacking, attacking) {
		t.Errorf("a: %+v", h.First)
	}
	if !near(h.Second.Attacking.MedianMS, 30) || !near(h.Second.Defending.MeanMS, 2) {
		t.Errorf("b: %+v", h.Second)
	}
}

func TestNobodyAttacksUnderSolo(t *testing.T) {
	p := tournament.Pairing{Match: 1, First: "a", Second: "b"}
	start := rules.NewPosition(rules.Solo, rules.Size{Width: 2, Height: 2})
	first := start.AppendMoves(nil)[0]
	rec := record.Record{Start: start, Moves: []rules.Move{first}, Times: []time.Duration{time.Second}, Ending: record.Disconnect}
	h := NewHeadToHead("a", "b", []tournament.Game{{Pairing: p, Leg: 1, Record: rec}, {Pairing: p, Leg: 2, Record: rec}}, 1)
	for _, bot := range []BotStats{h.First, h.Second} {
		if bot.Attacking.Moves != 0 || !bot.Attacking.MeanMS.Absent() || len(bot.Attacking.Faults) != 0 {
			t.Errorf("%s attacks: %+v", bot.Name, bot.Attacking)
		}
		if bot.Defending.Faults[record.Disconnect] != 1 || bot.CutShort != 0 {
			t.Errorf("%s defends: %+v", bot.Name, bot)
		}
	}
	if h.Matches != (tournament.Tally{Drawn: 1}) || h.Forfeits != (tournament.Tally{}) {
		t.Errorf("matches %+v, forfeits %+v", h.Matches, h.Forfeits)
	}
}

// nulls lists the paths of what is null in a JSON value.
func nulls(path string, v any) []string {
	var found []string
	switch v := v.(type) {
	case nil:
		found = append(found, path)
	case map[string]any:
		for key, inner := range v {
			found = append(found, nulls(path+"."+key, inner)...)
		}
	case []any:
		for _, inner := range v {
			found = append(found, nulls(path, inner)...)
		}
	}
	return found
}

func TestTooFewGamesLeaveFiguresOut(t *testing.T) {
	for _, tc := range []struct {
		games []tournament.Game
		nulls int
		text  string
	}{
		// Of each bot 6 as defender and 5 a role, the difference's 3, and the
		// strength's 3 of Elo, 4 and the 3 still needed.
		{nil, 2*(6+2*5) + 3 + 10, "- [needs 2 matches]"},
		// The deviations, the interval's two ends, and of Elo all but the lower end.
		// Defenders make no move here.
		{smallGames()[:2], 2*(1+5) + 2 + 9, "192.0 [needs 2 matches]"},
		// Here Elo has no upper end.
		{smallGames()[:4], 2*5 + 1, "96.0 [0.0, 192.0]"},
	} {
		h := NewHeadToHead("a", "b", tc.games, 42)
		encoded, err := json.Marshal(h) // fails on a NaN or an infinity
		if err != nil {
			t.Fatal(err)
		}
		var decoded any
		if err := json.Unmarshal(encoded, &decoded); err != nil {
			t.Fatal(err)
		}
		if found := nulls("", decoded); len(found) != tc.nulls {
			t.Errorf("of %d games: %d figures are null, want %d: %v", len(tc.games), len(found), tc.nulls, found)
		}
		var text strings.Builder
		if err := WriteHeadToHeads(&text, []HeadToHead{h}); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(text.String(), tc.text) || strings.Contains(text.String(), "NaN") || strings.Contains(text.String(), "Inf") {
			t.Errorf("of %d games, want %q:\n%s", len(tc.games), tc.text, text.String())
		}
	}
}

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
