package protocol_test

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode"

	"versus2048/internal/testkit"
	"versus2048/players"
	"versus2048/protocol"
	"versus2048/rules"
)

// sequenceRow matches a row of the document's table of sequences of plies.
var sequenceRow = regexp.MustCompile("(?m)^\\| `(\\w+)` \\| `([0-9,/]+ [AD])` \\| ([0-9 ]+) \\|$")

// The document's table agrees with our rules. It has the positions of rules/testdata/perft.txt,
// with counts that another program has computed, and small boards, both kinds of tiles and 65536s.
func TestDocumentedSequences(t *testing.T) {
	sizes, rulesets, huge := map[rules.Size]bool{}, map[rules.Ruleset]bool{}, false
	rows := sequenceRow.FindAllStringSubmatch(testkit.ReadDocument(t, page), -1)
	for _, row := range rows {
		ruleset, err := rules.ParseRuleset(row[1])
		if err != nil {
			t.Fatal(err)
		}
		p, err := rules.ParsePosition(ruleset, row[2])
		if err != nil {
			t.Fatal(err)
		}
		sizes[p.Size()], rulesets[ruleset], huge = true, true, huge || p.HasHuge()
		for i, count := range strings.Fields(row[3]) {
			if got := strconv.FormatUint(rules.Perft(p, i+1), 10); got != count {
				t.Errorf("%v %v: %s sequences of %d plies, the document has %s", ruleset, p, got, i+1, count)
			}
		}
	}
	if len(rows) < 12 || len(sizes) < 4 || len(rulesets) < 2 || !huge {
		t.Errorf("%d positions of %d sizes and %d rulesets, with a 65536: %v", len(rows), len(sizes), len(rulesets), huge)
	}
}

// The categories that the document names contain exactly the printable characters.
func TestDocumentedCharacters(t *testing.T) {
	version, _, _ := strings.Cut(unicode.Version, ".")
	if !strings.Contains(strings.Join(strings.Fields(testkit.ReadDocument(t, page)), " "), "general categories L, M, N, P and S of Unicode "+version) {
		t.Errorf("the document does not name the categories of Unicode %s", version)
	}
	for r := range unicode.MaxRune + 1 {
		printable := r == ' ' || unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S)
		if printable != unicode.IsPrint(r) {
			t.Fatalf("%U is printable: %v, by its category: %v", r, unicode.IsPrint(r), printable)
		}
		if !printable && r < 0xD800 && protocol.CheckName("a"+string(r)+"b") == nil {
			t.Fatalf("a name with %U is accepted", r)
		}
	}
	for _, name := range []string{"corner keeper", "Zoë", "棋士", "a-1 (test)", "🙂"} {
		if err := protocol.CheckName(name); err != nil {
			t.Error(err)
		}
	}
}

// A not_asked error leaves everything as it is: the request stays open and can be answered.
func TestDocumentedNotAsked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newArena()
		b := dialPipe(t, a.pipes(t))
		b.join()
		p := position(t, "2,0/0,2 D 0 1")
		seat := a.startGame("1", p)
		receive[protocol.Start](b)
		notAsked := func(ply int) {
			t.Helper()
			if e := b.receiveError(protocol.NotAsked); e.Game != "1" || *e.Ply != ply || e.Message == "" {
				t.Errorf("the error is %+v, want one about game 1, ply %d", e, ply)
			}
		}
		b.send(move("1", 1, "N")) // before the request
		notAsked(1)
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		done := choose(ctx, seat, p)
		receive[protocol.Request](b)
		b.send(protocol.Resign{Game: "1", Ply: 0})
		notAsked(0)
		b.send(move("1", 3, "N"))
		notAsked(3)
		if complaint := seat.Complaint(); !strings.Contains(complaint, "the request is for ply 1") {
			t.Errorf("the complaint is %q", complaint)
		}
		b.send(move("1", 1, "W"))
		wantMove(t, done, rules.West)
		b.send(move("1", 1, "W")) // again
		notAsked(1)
	})
}

// Our searches report the defender's value on both sides: the best move has the highest value for
// the defender and the lowest for the attacker.
func TestDocumentedValues(t *testing.T) {
	falling := func(a, b float64) int { return cmp.Compare(b, a) }
	for _, spec := range []string{"mcts:playouts=300", "dag:playouts=300", "mctsplus:playouts=300"} {
		attacker := reportedValues(t, spec, position(t, "4,2,0/2,8,0/0,0,2 A"))
		defender := reportedValues(t, spec, position(t, "4,2,0/2,8,0/0,0,2 D"))
		if !slices.IsSorted(attacker) || attacker[0] == slices.Max(attacker) || !slices.IsSortedFunc(defender, falling) {
			t.Errorf("%s reports %v as attacker and %v as defender", spec, attacker, defender)
		}
	}
	// evminimax reports only the move that it plays, and looks three slides ahead for both sides: the attacker reports
	// the least of the defender's values after its moves.
	p := position(t, "4,2,0/2,8,0/0,0,2 A")
	var answers []float64
	for _, m := range p.AppendMoves(nil) {
		answers = append(answers, reportedValues(t, "evminimax:depth=3", p.Next(m))[0])
	}
	got := reportedValues(t, "evminimax:depth=3", p)[0]
	if got != slices.Min(answers) || got == slices.Max(answers) {
		t.Errorf("evminimax reports %v as attacker, and %v after each of its moves as defender", got, answers)
	}
}

// reportedValues returns the values of the moves in a bot's report on a position.
func reportedValues(t *testing.T, bot string, p rules.Position) (values []float64) {
	t.Helper()
	spec, err := players.Parse(bot)
	if err != nil {
		t.Fatal(err)
	}
	player := players.WithMargin(spec.New(players.Game{Seed: 1}), 0)
	if _, err := player.Choose(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	for _, m := range player.LastSearch().Moves {
		values = append(values, m.Value)
	}
	return values
}
