package experiment

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

func treeEvent(t *testing.T) tournament.Event {
	t.Helper()
	e, err := TreeEvent(settings())
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// searchedGame returns a game of the given length. Every fifth ply is forced. The others have search reports of
// random depths.
func searchedGame(random *rand.Rand, attacker, defender string, plies int) tournament.Game {
	r := record.Record{Attacker: attacker, Defender: defender, Start: rules.NewPosition(rules.GPCC2015, rules.Full)}
	for ply := range plies {
		var s *record.SearchReport
		if ply%5 != 2 {
			s = &record.SearchReport{Expanded: make([]int64, random.IntN(12))}
			for depth := range s.Expanded {
				s.Expanded[depth] = random.Int64N(1000)
			}
		}
		r.Searches = append(r.Searches, s)
	}
	return tournament.Game{Record: r}
}

// searchedGames returns games of very different lengths.
func searchedGames() (games []tournament.Game) {
	random := rand.New(rand.NewPCG(6, 9))
	for i := range 9 {
		games = append(games,
			searchedGame(random, "MCTS", "MCTS2", 45*(i+1)),
			searchedGame(random, "MCTS2", "MCTS", 30*(i+1)))
	}
	return games
}

func growthOf(games []tournament.Game) Growth {
	var g Growth
	for _, game := range games {
		g.Add(game)
	}
	return g
}

// The figures are compared with a naive count.
func TestTreeFigures(t *testing.T) {
	games := searchedGames()
	g := growthOf(games)
	tree := g.Report(treeEvent(t))
	if len(tree.Figures) != 4 || tree.Games != 18 || tree.AllGames != 8 {
		t.Fatalf("%d figures of %d of %d games", len(tree.Figures), tree.Games, tree.AllGames)
	}
	for i, want := range []player{{"MCTS", rules.Defender}, {"MCTS2", rules.Defender}, {"MCTS", rules.Attacker}, {"MCTS2", rules.Attacker}} {
		f := tree.Figures[i]
		if (player{f.Bot, f.Role}) != want || f.Games != 9 || len(f.Bins) == 0 {
			t.Fatalf("figure %d is %s as %v with %d games and %d bins", i, f.Bot, f.Role, f.Games, len(f.Bins))
		}
		for _, b := range f.Bins {
			if naive := naiveBin(games, want, b.From, b.To); !sameBin(b, naive) {
				t.Errorf("%v: %+v, want %+v", want, b, naive)
			}
		}
	}
}

// naiveBin counts over all plies of all games. Plies count from 1, and the attacker has the odd
// ones.
func naiveBin(games []tournament.Game, p player, from, to int) TreeBin {
	b := TreeBin{From: from, To: to}
	for _, g := range games {
		r := &g.Record
		before := b.Searches
		for ply := from; ply <= min(to, len(r.Searches)); ply++ {
			name, role := r.Attacker, rules.Attacker
			if ply%2 == 0 {
				name, role = r.Defender, rules.Defender
			}
			s := r.Searches[ply-1]
			if s == nil || p != (player{name, role}) {
				continue
			}
			b.Searches++
			for depth, n := range s.Expanded {
				switch {
				case depth <= 6:
					b.Expanded[0] += float64(n)
				case depth == 7:
					b.Expanded[1] += float64(n)
				default:
					b.Expanded[2] += float64(n)
				}
			}
		}
		if b.Searches > before {
			b.Games++
		}
	}
	for i := range b.Expanded {
		b.Expanded[i] /= float64(b.Searches)
	}
	return b
}

func sameBin(a, b TreeBin) bool {
	for i := range a.Expanded {
		if math.Abs(a.Expanded[i]-b.Expanded[i]) > 1e-9 {
			return false
		}
	}
	a.Expanded, b.Expanded = Expanded{}, Expanded{}
	return a == b
}

// Of nine games, a ply is shown if three games reached it. The lengths are multiples of 45 or of 30.
func TestTreeHidesPliesOfFewGames(t *testing.T) {
	g := growthOf(searchedGames())
	for _, f := range g.Report(treeEvent(t)).Figures {
		third := 45 * 7
		if (f.Bot == "MCTS") == (f.Role == rules.Defender) {
			third = 30 * 7
		}
		last := f.Bins[len(f.Bins)-1]
		if f.MinGames() != 3 || last.To < third || last.From > third || last.Games < 3 {
			t.Errorf("%s as %v: the last bin is %+v, want the one with ply %d", f.Bot, f.Role, last, third)
		}
	}
}

// Means weigh games equally whatever their lengths, and a gap is MCTS2's mean less MCTS's.
func TestTreeMeans(t *testing.T) {
	game := func(attacker, defender string, nodes ...int64) tournament.Game {
		g := tournament.Game{Record: record.Record{Attacker: attacker, Defender: defender, Start: rules.NewPosition(rules.GPCC2015, rules.Full)}}
		for _, n := range nodes {
			expanded := []int64{1, 0, 0, 0, 0, 0, 2, n}
			g.Record.Searches = append(g.Record.Searches, nil, &record.SearchReport{Expanded: expanded})
		}
		return g
	}
	g := growthOf([]tournament.Game{
		game("MCTS", "MCTS2", 10, 20, 30, 40), game("MCTS", "MCTS2", 5),
		game("MCTS2", "MCTS", 100), game("MCTS2", "MCTS", 100, 120),
	})
	tree := g.Report(treeEvent(t))
	mcts, mcts2 := tree.Figures[0], tree.Figures[1]
	if m := mcts.Means; m[0].Value.Value != 3 || m[1].Value.Value != 105 || m[2].Value.Value != 0 || mcts.Searches != 3 {
		t.Errorf("MCTS: %+v", mcts)
	}
	if m := mcts2.Means; m[1].Value.Value != 15 || m[1].Low.Absent() || mcts2.Searches != 5 {
		t.Errorf("MCTS2: %+v", mcts2)
	}
	if gap := tree.Gaps[1]; gap.Role != rules.Defender || gap.Layer != "7" || gap.Gap.Value.Value != -90 {
		t.Errorf("gap %+v, want -90", gap)
	}
	for _, f := range tree.Figures[2:] {
		if f.Games != 0 || f.Searches != 0 || !f.Means[0].Value.Absent() || len(f.Bins) != 0 {
			t.Errorf("the attackers never searched: %+v", f)
		}
	}
}

func TestTreeEventNeedsReports(t *testing.T) {
	wanted := treeEvent(t)
	if wanted.Name != "tree MCTS2/MCTS" || !wanted.Search {
		t.Errorf("event %+v", wanted)
	}
	without := wanted
	without.ID, without.Search = 4, false
	if _, err := Find(t.Context(), memory{events: []tournament.Event{without}}, wanted); err == nil || !strings.Contains(err.Error(), "event 4, \"tree MCTS2/MCTS\", is on record without reports") {
		t.Errorf("an event without reports: error %v", err)
	}
	// Reports do not change the games, so Table 1 accepts events with reports.
	table := table1Events(t, settings())[0]
	with := table
	with.ID, with.Search = 5, true
	if e, err := Find(t.Context(), memory{events: []tournament.Event{with}}, table); err != nil || e.ID != 5 {
		t.Errorf("an event with reports: %+v, %v", e, err)
	}
}

func TestTreeText(t *testing.T) {
	g := growthOf(searchedGames())
	tree := g.Report(treeEvent(t))
	var text, numbers strings.Builder
	if err := tree.WriteMarkdown(&text); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"| MCTS2 | attacker | 9 | ", "| defender | ", "18 of 8 games; gpcc2015 2x2, seed 7, MCTS2=dag:playouts=10,"} {
		if !strings.Contains(text.String(), line) {
			t.Errorf("no %q in:\n%s", line, text.String())
		}
	}
	if err := tree.WriteCSV(&numbers); err != nil {
		t.Fatal(err)
	}
	bins := 0
	for _, f := range tree.Figures {
		bins += len(f.Bins)
	}
	lines, err := csv.NewReader(strings.NewReader(numbers.String())).ReadAll()
	if err != nil || len(lines) != 1+bins {
		t.Errorf("%d lines of CSV, %v, want %d", len(lines), err, 1+bins)
	}
	if data, err := json.Marshal(tree); err != nil || !strings.Contains(string(data), `"layers":["to 6","7","from 8"]`) {
		t.Errorf("JSON %v: %s", err, data)
	}
}

// The figures can be drawn for any number of games.
func TestTreePlot(t *testing.T) {
	for _, games := range [][]tournament.Game{searchedGames(), searchedGames()[:1], nil} {
		g := growthOf(games)
		tree := g.Report(treeEvent(t))
		checkPlot(t, fmt.Sprint(len(games), " games"), tree, "MCTS as defender", "MCTS2 as attacker", "depth from 8", "ply of the game")
	}
}
