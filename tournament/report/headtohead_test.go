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
	"versus2048/tournament/rating"
)

// smallGames returns four matches of a and b, one of them not over, and one of a and c:
//
//	match 1: a 340, b 148: a wins
//	match 2: b 148, a 148: a draw
//	match 3: a 20500, b cut short by a's fault: b wins
//	match 4: a's game is over, b's is in progress
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
			Ending: record.Time, // of the defender, to move after an odd number of plies
		}}
		position := g.Record.Start
		for _, n := range ms {
			move := position.AppendMoves(nil)[0]
			position = position.Next(move)
			g.Record.Moves = append(g.Record.Moves, move)
			g.Record.Times = append(g.Record.Times, time.Duration(n)*time.Millisecond)
			g.Record.Lags = append(g.Record.Lags, time.Duration(n)*time.Millisecond/10)
		}
		// The first move, the attacker's, and the last one, the defender's, which never came.
		g.Record.Pauses = []record.Pause{{Ply: 0, Stall: 20 * time.Second}, {Ply: len(ms), Stall: time.Second, Away: 7500 * time.Millisecond}}
		return g
	}
	// In leg 1 a defends: 20 and 80. In leg 2 it attacks: 100, 200 and 600.
	h := NewHeadToHead("a", "b", []tournament.Game{timed(1, 10, 20, 30, 80, 50), timed(2, 100, 1, 200, 3, 600)}, 1)
	defending := Conduct{
		Moves: 2, MeanMS: Figure{Value: 50}, MedianMS: Figure{Value: 50}, MaxMS: Figure{Value: 80},
		MeanLag: Figure{Value: 5}, MaxLag: Figure{Value: 8}, Faults: map[record.Ending]int{record.Time: 1},
		Pauses: 1, StallMS: 1000, AwayMS: 7500,
	}
	attacking := Conduct{
		Moves: 3, MeanMS: Figure{Value: 300}, MedianMS: Figure{Value: 200}, MaxMS: Figure{Value: 600},
		MeanLag: Figure{Value: 30}, MaxLag: Figure{Value: 60}, Faults: map[record.Ending]int{},
		Pauses: 1, StallMS: 20000,
	}
	if !reflect.DeepEqual(h.First.Defending, defending) || !reflect.DeepEqual(h.First.Attacking, attacking) {
		t.Errorf("a: %+v", h.First)
	}
	var text strings.Builder
	if err := WriteHeadToHeads(&text, []HeadToHead{h}, 0); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"clock stood still as defender, s: stalls / away (moves)  1.0 / 7.5 (1)", "clock stood still as attacker, s: stalls / away (moves)  20.0 / 0.0 (1)"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no line %q:\n%s", want, text.String())
		}
	}
	if !near(h.Second.Attacking.MedianMS, 30) || !near(h.Second.Defending.MeanMS, 2) {
		t.Errorf("b: %+v", h.Second)
	}
}

func TestHeadToHeadUnderSolo(t *testing.T) {
	p := tournament.Pairing{Match: 1, First: "a", Second: "b"}
	start := rules.NewPosition(rules.Solo, rules.Size{Width: 2, Height: 2})
	first := start.AppendMoves(nil)[0]
	rec := record.Record{
		Start: start, Moves: []rules.Move{first}, Times: []time.Duration{time.Second}, Ending: record.Disconnect,
		Pauses: []record.Pause{{Ply: 0, Stall: time.Second}, {Ply: 1, Away: time.Second}},
	}
	h := NewHeadToHead("a", "b", []tournament.Game{{Pairing: p, Leg: 1, Record: rec}, {Pairing: p, Leg: 2, Record: rec}}, 1)
	for _, bot := range []BotStats{h.First, h.Second} {
		if bot.Attacking.Moves != 0 || !bot.Attacking.MeanMS.Absent() || len(bot.Attacking.Faults) != 0 {
			t.Errorf("%s attacks: %+v", bot.Name, bot.Attacking)
		}
		if bot.Attacking.Pauses != 0 || bot.Defending.Pauses != 1 || bot.Defending.AwayMS != 1000 {
			t.Errorf("%s paused: %+v", bot.Name, bot)
		}
		if bot.Defending.Faults[record.Disconnect] != 1 || bot.CutShort != 0 {
			t.Errorf("%s defends: %+v", bot.Name, bot)
		}
	}
	if h.Matches != (tournament.Tally{Drawn: 1}) || h.Forfeits != (tournament.Tally{}) {
		t.Errorf("matches %+v, forfeits %+v", h.Matches, h.Forfeits)
	}
}

// nulls lists the paths of the nulls in a JSON value.
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

func TestFiguresWithoutEnoughGames(t *testing.T) {
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
		if err := WriteHeadToHeads(&text, []HeadToHead{h}, 0); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(text.String(), tc.text) || strings.Contains(text.String(), "NaN") || strings.Contains(text.String(), "Inf") {
			t.Errorf("of %d games, want %q:\n%s", len(tc.games), tc.text, text.String())
		}
	}
}

func TestHeadToHeadText(t *testing.T) {
	var got strings.Builder
	event := tournament.Event{Entries: entries("a", "b"), Seed: 42}
	if err := WriteHeadToHeads(&got, CollectorOf(event, smallGames()).HeadToHeads(), 0); err != nil {
		t.Fatal(err)
	}
	if got.String() != headToHeadGolden {
		t.Errorf("got:\n%s\nwant:\n%s", got.String(), headToHeadGolden)
	}
}

const headToHeadGolden = `first  second  mean first (SD)   mean second (SD)  difference [95% CI]  2048 first / second
a      b       6996.0 (11695.2)  148.0 (0.0)       96.0 [0.0, 192.0]    33.3% / 0.0%

a / b: 3 matches, 1 won, 1 drawn, 1 lost (by forfeit 0, 0, 1)
  of a, by 3 matches: Elo 0.00 +/- 561.20, nElo 0.00 +/- 393.15, LOS 50.0%
  matches still needed for an Elo +/- 50: 123, +/- 20: 772, +/- 10: 3091
  difference over 2 matches; interval: bootstrap by match, 10000 resamples, seed 42; left out: 1, where a game was cut short or might have been
                                              a                   b
  games as defender (left out)                3 (0)               2 (1)
  score min to max                            148 to 20500        148 to 148
  games with a 2048                           1                   0
  largest tile                                2048                32
  mean length, turns                          0.7                 1.0
  ms a move as defender, mean / median / max  - / - / -           - / - / -
  ms a move as attacker, mean / median / max  10.0 / 10.0 / 10.0  10.0 / 10.0 / 10.0
  lag ms as defender, mean / max              - / -               - / -
  lag ms as attacker, mean / max              1.0 / 1.0           1.0 / 1.0
  faults as defender                          1 time              none
  faults as attacker                          1 illegal-move      none
`

// A score that is a lower bound enters no mean, and no difference.
func TestDecidedGamesHaveNoScore(t *testing.T) {
	p := tournament.Pairing{Match: 1, First: "a", Second: "b"}
	decided := endedGame(p, 2, 64, record.Decided, rules.Attacker)
	h := NewHeadToHead("a", "b", []tournament.Game{mated(p, 1, 32), decided}, 1)
	if h.Matches != (tournament.Tally{Lost: 1}) || h.Forfeits != (tournament.Tally{}) || h.LeftOut != 1 || h.Difference.Matches != 0 {
		t.Errorf("%+v", h)
	}
	if h.Second.Games != 0 || h.Second.CutShort != 1 || !h.Second.MeanScore.Absent() || h.First.Games != 1 || len(h.Second.Defending.Faults) != 0 {
		t.Errorf("first %+v, second %+v", h.First, h.Second)
	}
	c := crosstable(tournament.Event{Entries: entries("a", "b")}, tournament.Matches([]tournament.Game{mated(p, 1, 32), decided}))
	if s := c.Standings[0]; s.Name != "b" || s.Points != 1 || !s.MeanScore.Absent() {
		t.Errorf("%+v", s)
	}
}

// With an early decision second games do not count for the mean, even if they were not cut short:
// those have low scores.
func TestEarlyDecisionCountsFirstGames(t *testing.T) {
	e := tournament.Event{Entries: entries("a", "b")}
	p, q := tournament.Pairing{Match: 1, First: "a", Second: "b"}, tournament.Pairing{Match: 2, First: "b", Second: "a"}
	games := []tournament.Game{mated(p, 1, 64), mated(p, 2, 32), mated(q, 1, 64), endedGame(q, 2, 128, record.Decided, rules.Attacker)}
	for early, want := range map[bool]struct{ games, leftOut, differences int }{false: {2, 0, 1}, true: {1, 1, 0}} {
		e.Settings.Adjudication.EarlyDecision = early
		c := CollectorOf(e, games)
		h := c.HeadToHeads()[0]
		if h.Second.Games != want.games || h.Second.CutShort != want.leftOut || h.Difference.Matches != want.differences {
			t.Errorf("early decision %v: %+v, difference %+v", early, h.Second.Scores, h.Difference)
		}
		// The 64 made 340 points, the 32 fewer.
		if s := c.Crosstable().Standings[1]; s.Name != "b" || s.MeanScore.Absent() || early != (s.MeanScore.Value == 340) {
			t.Errorf("early decision %v: %+v", early, s)
		}
	}
}

func TestReport(t *testing.T) {
	pairs := rating.Pentanomial{34, 54, 63, 64, 75}
	elo, _ := rating.Elo(pairs)
	normalized, _ := rating.NormalizedElo(pairs)
	los, _ := rating.Superiority(pairs)
	h := HeadToHead{
		First: BotStats{Name: "ann"}, Second: BotStats{Name: "b\x1bob"},
		Matches: tournament.Tally{Won: 300, Drawn: 72, Lost: 208},
		Strength: Strength{
			Trials: 290, Pairs: &pairs, Elo: IntervalOf(elo), Normalized: IntervalOf(normalized),
			Superiority: Figure{Value: los},
		},
	}
	test := &tournament.TestState{LLR: 2.25, Lower: -2.94, Upper: 2.94, Test: rating.SPRT{Elo0: 0, Elo1: 2}}
	want := `Results of ann vs b\x1bob (290 pairs of matches):
Elo: 55.58 +/- 27.65, nElo: 57.94 +/- 28.28
LOS: 100.00 %, DrawRatio: 21.72 %
Matches: 580, Wins: 300, Losses: 208, Draws: 72, Points: 336.0 (57.93 %)
Ptnml(0-2): [34, 54, 63, 64, 75]
LLR: 2.25 (76.5%) (-2.94, 2.94) [0.00, 2.00]
`
	if got := h.Report(test); got != want {
		t.Errorf("report\n%s\nwant\n%s", got, want)
	}
	test.LLR = -1.47
	if got := h.Report(test); !strings.Contains(got, "LLR: -1.47 (-50.0%) (-2.94, 2.94)") {
		t.Errorf("report\n%s", got)
	}
	none := NewHeadToHead("ann", "bob", nil, 1).Report(nil)
	if !strings.Contains(none, "(0 matches)") || strings.Contains(none, "NaN") || strings.Contains(none, "LLR") || !strings.Contains(none, "LOS: -, DrawRatio: -\n") {
		t.Errorf("report of nothing\n%s", none)
	}
}

// Bots that never met are not compared, unless they are the only two bots of the event.
func TestOnlyBotsThatMetAreCompared(t *testing.T) {
	event := func(names ...string) tournament.Event {
		return tournament.Event{Entries: entries(names...), Settings: tournament.Settings{Plan: tournament.Plan{Kind: tournament.RoundRobin}}}
	}
	for _, c := range []struct {
		games []tournament.Game
		names []string
		want  string
	}{
		{nil, []string{"a", "b"}, "a/b"},
		{nil, []string{"a", "b", "c"}, ""},
		{smallGames(), []string{"a", "b", "c"}, "a/b a/c"},
	} {
		var got []string
		for _, h := range CollectorOf(event(c.names...), c.games).HeadToHeads() {
			got = append(got, h.First.Name+"/"+h.Second.Name)
		}
		if pairs := strings.Join(got, " "); pairs != c.want {
			t.Errorf("%v by %d games: %q, want %q", c.names, len(c.games), pairs, c.want)
		}
	}
}
