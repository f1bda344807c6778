package regret

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"io"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"versus2048/lab/picture"
	"versus2048/players/exact"
	"versus2048/rules"
	"versus2048/tournament/report"
)

func bot(t *testing.T, text string) LearnedBot {
	t.Helper()
	return LearnedBot{Name: text, Spec: spec(t, text)}
}

// perfectBot returns the bot that plays from the table.
func perfectBot(t *testing.T, table *exact.Table) LearnedBot {
	t.Helper()
	path := filepath.Join(t.TempDir(), "table")
	if err := table.WriteFile(path, false); err != nil {
		t.Fatal(err)
	}
	b := bot(t, "perfect:table="+path)
	b.Name = "perfect"
	return b
}

var few = LearnedConfig{Positions: 10, Games: 40, Opening: 2, Seed: 3, Workers: 2}

func measure(t *testing.T, g Game, s LearnedConfig, bots ...LearnedBot) LearnedBoard {
	t.Helper()
	board, err := Measure(t.Context(), g, bots, s, nil)
	if err != nil {
		t.Fatal(err)
	}
	return board
}

// Perfect play makes the optimum in each role, and no random player does better. (Where only 2s are placed,
// no attacker can hurt a perfect defender on so small a board.)
func TestPerfectPlayMakesTheOptimum(t *testing.T) {
	for _, r := range []rules.Ruleset{rules.GPCC2015, rules.GPCC2016} {
		table := solve(t, r, rules.Size{Width: 3, Height: 2})
		board := measure(t, Solved(table), few, perfectBot(t, table), bot(t, "random"))
		for _, p := range board.Bots[0].Played {
			if p.Share.Value.Value != 1 || p.Share.Low.Value != 1 || p.Games != few.Games {
				t.Errorf("%v: perfect play as %v makes %v of the optimum in %d games", r, p.Role, p.Share, p.Games)
			}
		}
		defending, attacking := board.Bots[1].Played[0], board.Bots[1].Played[1]
		if defending.Share.Value.Value >= 1 || attacking.Share.Value.Value < 1 || r == rules.GPCC2016 && attacking.Share.Value.Value == 1 {
			t.Errorf("%v: random play makes %v of the optimum and allows %v", r, defending.Share.Value, attacking.Share.Value)
		}
		if all := board.figures(0, rules.Attacker, 0); all.Loss.Value.Value != 0 || all.Optimal.Value.Value != 1 {
			t.Errorf("%v: perfect play loses %v points a move", r, all.Loss.Value)
		}
	}
}

// Against perfect play, the losses of a bot's moves are exactly the difference to the optimum. The costliest
// mistakes come first, and none costs more than all of them.
func TestLossesAreWhatIsMissing(t *testing.T) {
	table := solve(t, rules.GPCC2016, rules.Size{Width: 3, Height: 2})
	board := measure(t, Solved(table), few, perfectBot(t, table), bot(t, "random"))
	for _, p := range board.Bots[0].Played {
		if len(p.Mistakes) > 0 || slices.Max(p.Lost) > 0 {
			t.Errorf("perfect play as %v makes mistakes: %+v, %v", p.Role, p.Mistakes, p.Lost)
		}
	}
	for _, p := range board.Bots[1].Played {
		var sum float64
		for _, points := range p.Lost {
			sum += points
		}
		missing := math.Abs(p.Mean.Value.Value/p.Share.Value.Value - p.Mean.Value.Value)
		if sum == 0 || math.Abs(sum-missing) > 1e-9 {
			t.Errorf("as %v moves lost %v points a game, and %v are missing", p.Role, sum, missing)
		}
		if len(p.Mistakes) != mostMistakes || p.Mistakes[0].Cost < p.Mistakes[1].Cost || p.Mistakes[0].Cost > sum {
			t.Errorf("as %v: %+v of %v points", p.Role, p.Mistakes, sum)
		}
		for _, m := range p.Mistakes {
			position, err := rules.ParsePosition(rules.GPCC2016, m.Position)
			if err != nil {
				t.Fatal(err)
			}
			better, err := table.Best(position)
			if err != nil || !slices.Contains(better, m.Better) || slices.Contains(better, m.Move) || position != position.Canonical() || math.Abs(m.Loss*float64(m.Times)-m.Cost*float64(p.Games)) > 1e-9 {
				t.Errorf("as %v: %+v, want %v: %v", p.Role, m, better, err)
			}
		}
	}
	var text bytes.Buffer
	if err := NewLearnedReport([]LearnedBoard{board}, few).WriteMarkdown(&text); err != nil || strings.Count(text.String(), "The costliest mistakes") != 2 {
		t.Errorf("report: %v\n%s", err, text.String())
	}
	_, made, _ := strings.Cut(text.String(), "The costliest mistakes")
	made, _, _ = strings.Cut(made, "| as ")
	if strings.Contains(made, "`perfect`") || !strings.Contains(made, "| `random` | `") {
		t.Error("perfect play is among those that make mistakes")
	}
}

// Under solo the mean of perfect play is near the optimum from the empty board, which is the expectation, and
// without luck it is the optimum.
func TestPerfectSolo(t *testing.T) {
	table := solve(t, rules.Solo, smallest)
	s := few
	s.Games = 2000
	board := measure(t, Solved(table), s, perfectBot(t, table))
	p := board.Bots[0].Played
	if len(p) != 1 || p[0].Role != rules.Defender {
		t.Fatalf("roles under solo: %+v", p)
	}
	if optimum := board.Optimum.Value; p[0].Mean.Low.Value > optimum || p[0].Mean.High.Value < optimum {
		t.Errorf("perfect play makes %v points, want %v", p[0].Mean, optimum)
	}
	if p[0].Share.Low.Value != 1 || p[0].Share.High.Value != 1 {
		t.Errorf("perfect play makes %v of the optimum", p[0].Share)
	}
}

// Fewer games keep their luck, and the report says so where there is luck.
func TestFewGamesKeepTheirLuck(t *testing.T) {
	for _, c := range []struct {
		rules rules.Ruleset
		games int
		want  string
	}{
		{rules.Solo, 29, "Share: points (fewer than 30 games: with the luck of chance) divided by"},
		{rules.Solo, 30, "Share: points, without the luck of chance, divided by"},
		{rules.GPCC2015, 29, "Share: points divided by"},
	} {
		var text strings.Builder
		r := NewLearnedReport([]LearnedBoard{{Rules: c.rules, Size: smallest}}, LearnedConfig{Games: c.games})
		if err := r.WriteMarkdown(&text); err != nil || !strings.Contains(text.String(), c.want) {
			t.Errorf("%v, %d games: %s, %v; want %q", c.rules, c.games, text.String(), err, c.want)
		}
	}
}

// Under solo luck is taken out of the share, but no part of the bot's play: the interval is shorter than the
// interval of the mean, and both agree.
func TestShareWithoutLuck(t *testing.T) {
	s := few
	s.Games = 1000
	board := measure(t, Solved(solve(t, rules.Solo, smallest)), s, bot(t, "mcts:playouts=20"))
	p, optimum := board.Bots[0].Played[0], board.Optimum.Value
	length := func(i report.Interval) float64 { return i.High.Value - i.Low.Value }
	if length(p.Share)*optimum > length(p.Mean)*0.5 {
		t.Errorf("share %v of %v points, mean %v", p.Share, optimum, p.Mean)
	}
	if p.Share.High.Value*optimum < p.Mean.Low.Value || p.Share.Low.Value*optimum > p.Mean.High.Value {
		t.Errorf("share %v of %v points, mean %v", p.Share, optimum, p.Mean)
	}
}

// Few games keep their luck: a slope through two of them fits exactly, and would leave an interval without length
// about any share.
func TestShareOfFewGames(t *testing.T) {
	s := few
	s.Games = 2
	board := measure(t, Solved(solve(t, rules.Solo, smallest)), s, bot(t, "random"))
	p, optimum := board.Bots[0].Played[0], board.Optimum.Value
	if math.Abs(p.Share.Value.Value*optimum-p.Mean.Value.Value) > 1e-9 || p.Share.High.Value-p.Share.Low.Value < 0.01 {
		t.Errorf("share %v of %v points in %d games, mean %v", p.Share, optimum, p.Games, p.Mean)
	}
	var text bytes.Buffer
	if err := NewLearnedReport([]LearnedBoard{board}, s).WriteMarkdown(&text); err != nil || !strings.Contains(text.String(), "(fewer than 30 games: with the luck of chance)") {
		t.Errorf("report: %v\n%s", err, text.String())
	}
}

// A graph search under chance weighs placements by how likely they are, and not by how often slides led to
// them: with all ancestors credited, two thirds of its moves on 2x2 are optimal.
func TestGraphSearchUnderChance(t *testing.T) {
	board := measure(t, Solved(solve(t, rules.Solo, smallest)), few, bot(t, "dag:playouts=1000"))
	if optimal := board.figures(0, rules.Defender, 0).Optimal.Value.Value; optimal < 0.9 {
		t.Errorf("dag makes %.3f optimal moves under solo on 2x2", optimal)
	}
}

// On a board that is too large to be solved there are scores alone.
func TestUnsolved(t *testing.T) {
	board := measure(t, Unsolved(rules.Full), few, bot(t, "greedy"))
	p := board.Bots[0].Played[0]
	if board.Moves != nil || !board.Optimum.Absent() || !p.Share.Value.Absent() || p.Mean.Value.Value < 500 || p.Best <= int(p.Mean.Value.Value) {
		t.Errorf("the greedy player on 4x4: %+v", p)
	}
	if p.Reached.Value.Value != 0 {
		t.Errorf("the greedy player reaches 2048 in %v of its games", p.Reached.Value)
	}
	var text bytes.Buffer
	if err := NewLearnedReport([]LearnedBoard{board}, few).WriteMarkdown(&text); err != nil || !strings.Contains(text.String(), "games with a 2048") {
		t.Errorf("report: %v\n%s", err, text.String())
	}
}

// A document takes over the report: its lines are short except for rows of tables. These have as many cells as
// the headings of their tables.
func TestMarkdown(t *testing.T) {
	board := measure(t, Solved(solve(t, rules.GPCC2016, rules.Size{Width: 3, Height: 2})), few, bot(t, "random"), bot(t, "greedy"))
	var text bytes.Buffer
	if err := NewLearnedReport([]LearnedBoard{board}, few).WriteMarkdown(&text); err != nil {
		t.Fatal(err)
	}
	cells := 0
	for line := range strings.Lines(text.String()) {
		n := strings.Count(line, "|")
		if n == 0 && len(line) > 101 {
			t.Errorf("a line of %d characters: %s", len(line), line)
		}
		if n > 0 && cells > 0 && n != cells {
			t.Errorf("%d cells, want %d: %s", n-1, cells-1, line)
		}
		cells = n
	}
	for _, want := range []string{"| as attacker | share of the optimum | ", "\n| `greedy` | ", "Seed 3, 40 games of each bot in a role, up to 10 positions"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, text.String())
		}
	}
}

func TestFixed(t *testing.T) {
	for want, numbers := range map[string][]float64{"": nil, "0.00, 99.49": {0, 99.49}, "0, 100, 2415": {0.4, 99.5, 2415.2}} {
		if got := lossesText(numbers); got != want {
			t.Errorf("%v: %q, want %q", numbers, got, want)
		}
	}
}

// The result depends on the settings alone, not on how many workers there are.
func TestWorkersChangeNothing(t *testing.T) {
	table := solve(t, rules.GPCC2015, smallest)
	one, four := few, few
	one.Workers, four.Workers = 1, 4
	a, b := measure(t, Solved(table), one, bot(t, "mcts:playouts=10")), measure(t, Solved(table), four, bot(t, "mcts:playouts=10"))
	if !reflect.DeepEqual(a.Bots[0].Played, b.Bots[0].Played) || !reflect.DeepEqual(a.Moves, b.Moves) {
		t.Error("four workers measure something else than one")
	}
}

// The ratio of two games with scores of 2 of 4 and 6 of 8 points is 8/12.
func TestRatio(t *testing.T) {
	i := shareOfOptimum([]game{{score: 2, optimum: 4, blunders: []blunder{{loss: 2}}}, {score: 6, optimum: 8, blunders: []blunder{{loss: 1}, {loss: 1}}}}, rules.Defender)
	// The errors of the two games are 2 - 8/3 = -2/3 and 6 - 16/3 = 2/3, times 2/12 each: 1/9 apart from the mean.
	// Student's t of two terms at 95 % reaches 12.706 * sd / sqrt(2), and sd = sqrt(2) / 9.
	reach := 12.7062 / 9
	if math.Abs(i.Value.Value-8.0/12) > 1e-9 || math.Abs(i.High.Value-i.Value.Value-reach) > 1e-3 {
		t.Errorf("ratio = %v, want 0.667 +- %.3f", i, reach)
	}
}

// The progress ends at the total.
func TestProgress(t *testing.T) {
	last, total := 0, -1
	_, err := Measure(t.Context(), Solved(solve(t, rules.GPCC2016, smallest)), []LearnedBot{bot(t, "random"), bot(t, "greedy")}, few, func(done, of int) {
		if done < last {
			t.Errorf("%d are done after %d", done, last)
		}
		last, total = done, of
	})
	if err != nil || last != total {
		t.Errorf("%d of %d: %v", last, total, err)
	}
}

func TestMeasureFails(t *testing.T) {
	table := solve(t, rules.GPCC2015, smallest)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	long := few
	long.Opening = 40
	for _, c := range []struct {
		name, want string
		ctx        context.Context
		game       Game
		bots       []LearnedBot
		settings   LearnedConfig
	}{
		{"no games", "0 games", t.Context(), Solved(table), nil, LearnedConfig{Positions: 1, Workers: 1}},
		{"no positions", "0 positions", t.Context(), Solved(table), nil, LearnedConfig{Games: 1, Workers: 1}},
		{"opening", "an opening of -1 plies", t.Context(), Solved(table), nil, LearnedConfig{Positions: 1, Games: 1, Workers: 1, Opening: -1}},
		{"long opening", "an opening of 40 plies: 10000 random games of gpcc2015 on 2x2 ended before; want fewer plies", t.Context(), Solved(table), nil, long},
		{"not solved", "gpcc2015 on 4x4 is not solved", t.Context(), Game{Rules: rules.GPCC2015, Size: rules.Full}, nil, few},
		{"another game", "cannot play", t.Context(), Solved(table), []LearnedBot{perfectBot(t, solve(t, rules.Solo, smallest))}, few},
		{"ended", context.Canceled.Error(), ended, Solved(table), []LearnedBot{bot(t, "random")}, few},
	} {
		_, err := Measure(c.ctx, c.game, c.bots, c.settings, nil)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
		if c.ctx == ended && !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// The search for an opening ends with the context.
func TestOpeningsEnd(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	m := measurement{game: Game{Rules: rules.GPCC2015, Size: smallest}, settings: LearnedConfig{Games: 1, Opening: 40}}
	if err := m.prepare(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
}

// Snapshots of two seeds become a curve of their means, in the order of their steps. One that only one of them has is
// left out.
func TestCurves(t *testing.T) {
	table := solve(t, rules.GPCC2016, smallest)
	var bots []LearnedBot
	for i, text := range []string{"mcts:playouts=20", "mcts:playouts=40", "random", "random"} {
		b := bot(t, text+[]string{":", ","}[min(1, strings.Count(text, ":"))]+"seed="+string(rune('1'+i)))
		b.Name = string(rune('a' + i))
		b.Learned = &Learned{Run: "td", Seed: int64(i % 2), Snapshot: []string{"late", "early"}[i/2], Steps: int64(20 - 10*(i/2)), Seconds: float64(60 - 30*(i/2) + i%2)}
		bots = append(bots, b)
	}
	slow := bot(t, "random:seed=9")
	slow.Name, slow.Learned = "slow", &Learned{Run: "td", Seed: 1, Snapshot: "between", Steps: 15, Seconds: 45}
	r := NewLearnedReport([]LearnedBoard{measure(t, Solved(table), few, append(bots, slow)...)}, few)
	if len(r.Curves) != 2 || len(r.Curves[0].Points) != 2 {
		t.Fatalf("curves: %+v", r.Curves)
	}
	early, late := r.Curves[0].Points[0], r.Curves[0].Points[1]
	board := r.Boards[0]
	want := (board.figures(0, rules.Defender, 0).Loss.Value.Value + board.figures(1, rules.Defender, 0).Loss.Value.Value) / 2
	if early.Snapshot != "early" || early.Seeds != 2 || early.Seconds != 30.5 || late.Steps != 20 || math.Abs(late.Loss.Value.Value-want) > 1e-12 {
		t.Errorf("points: %+v\n%+v, want a mean loss of %v", early, late, want)
	}
	checkForms(t, r)
}

// A short run has one snapshot, and under solo one role: the picture is drawn all the same.
func TestCurveOfOnePoint(t *testing.T) {
	table := solve(t, rules.Solo, smallest)
	b := bot(t, "random")
	b.Learned = &Learned{Run: "td", Seed: 1, Snapshot: "final"}
	r := NewLearnedReport([]LearnedBoard{measure(t, Solved(table), few, b)}, few)
	var svg bytes.Buffer
	if err := r.WritePlot(&svg, picture.SVG); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(svg.String(), "seconds of training") {
		t.Error("the picture has no curve")
	}
}

// Where no placement is a mistake, the share of optimal moves is absent from an attacker's curve, not 0. A network that
// is a snapshot and the end of its run is one point.
func TestCurveWithoutMistakes(t *testing.T) {
	table := solve(t, rules.GPCC2015, smallest)
	var bots []LearnedBot
	for _, snapshot := range []string{"00015s", "final"} {
		b := bot(t, "random")
		b.Name, b.Learned = snapshot, &Learned{Run: "az", Seed: 1, Snapshot: snapshot, Steps: 10, Seconds: 15}
		bots = append(bots, b)
	}
	r := NewLearnedReport([]LearnedBoard{measure(t, Solved(table), few, bots...)}, few)
	if len(r.Curves) != 2 {
		t.Fatalf("%d curves, want one of each role", len(r.Curves))
	}
	for _, c := range r.Curves {
		if len(c.Points) != 1 {
			t.Fatalf("as %v: %d points of one network", c.Role, len(c.Points))
		}
		if p := c.Points[0]; p.Optimal.Value.Absent() != (c.Role == rules.Attacker) || p.Mean.Value.Absent() {
			t.Errorf("as %v: optimal moves %v, mean score %v", c.Role, p.Optimal.Value, p.Mean.Value)
		} else if p.Snapshot != "00015s" {
			t.Errorf("as %v: the point is %q, want the first snapshot with these steps", c.Role, p.Snapshot)
		}
	}
	if err := r.WritePlot(io.Discard, picture.SVG); err != nil {
		t.Error(err)
	}
}

// checkForms checks that the report's forms agree with one another.
func checkForms(t *testing.T, r LearnedReport) {
	t.Helper()
	var text, lines, svg bytes.Buffer
	if err := errors.Join(r.WriteMarkdown(&text), r.WriteCSV(&lines), r.WritePlot(&svg, picture.SVG)); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"`td` as defender, gpcc2016 on 2x2, means over the seeds", "as attacker", "perfect play makes 8 points"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, text.String())
		}
	}
	if strings.Contains(text.String(), "| `a` |") {
		t.Errorf("a snapshot is among the bots:\n%s", text.String())
	}
	records, err := csv.NewReader(&lines).ReadAll() // all have as many cells as the header
	if err != nil || len(records) != 1+5*2*5 {
		t.Errorf("%d lines of CSV: %v", len(records), err)
	}
	if !strings.Contains(svg.String(), "seconds of training") {
		t.Error("the picture has no curve")
	}
}
