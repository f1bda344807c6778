package rules_test

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"versus2048/rules"
)

// dataLines are the lines of a file without those of comment.
func dataLines(t testing.TB, name string) []string {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var lines []string
	in := bufio.NewScanner(file)
	for in.Scan() {
		if !strings.HasPrefix(in.Text(), "#") {
			lines = append(lines, in.Text())
		}
	}
	if in.Err() != nil || len(lines) == 0 {
		t.Fatalf("%s: %d lines, error %v", name, len(lines), in.Err())
	}
	return lines
}

func TestPerft(t *testing.T) {
	for _, line := range dataLines(t, "testdata/perft.txt") {
		start, counts, _ := strings.Cut(line, " ; ")
		fields := strings.Fields(start)
		var rows []string
		for y := range 4 {
			rows = append(rows, strings.Join(fields[1+4*y:5+4*y], ","))
		}
		p, err := rules.ParsePosition(rules.GPCC2015, strings.Join(rows, "/")+" "+fields[0])
		if err != nil {
			t.Fatal(err)
		}
		for i, count := range strings.Fields(counts) {
			want, err := strconv.ParseUint(count, 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			if got := rules.Perft(p, i+1); got != want {
				t.Errorf("%v: %d sequences of %d plies, want %d", p, got, i+1, want)
			}
		}
	}
}

func TestPerftOfNothing(t *testing.T) {
	empty := rules.NewPosition(rules.GPCC2016, rules.Full)
	if got := rules.Perft(empty, 0); got != 1 {
		t.Errorf("%d sequences of no plies, want 1", got)
	}
	if got := rules.Perft(empty, 2); got != 16*2*3 {
		t.Errorf("%d sequences of 2 plies with 4s, want %d", got, 16*2*3)
	}
}

// TestCensus counts the different positions with the attacker to move, every
// two plies.
func TestCensus(t *testing.T) {
	positions := map[rules.Position]bool{rules.NewPosition(rules.GPCC2015, rules.Full): true}
	for _, line := range dataLines(t, "testdata/census.txt") {
		positions = successors(successors(positions))
		var plies, least, most int
		for p := range positions {
			if plies == 0 {
				least = p.Score()
			}
			plies, least, most = p.Ply(), min(least, p.Score()), max(most, p.Score())
		}
		if got := fmt.Sprint(plies, len(positions), least, most); got != line {
			t.Errorf("plies, positions, least and greatest score: %s, want %s", got, line)
		}
	}
}

// successors are the canonical positions a ply later.
func successors(positions map[rules.Position]bool) map[rules.Position]bool {
	next := make(map[rules.Position]bool)
	for p := range positions {
		for _, m := range p.AppendMoves(nil) {
			q := p.Next(m).Canonical()
			next[q] = true
		}
	}
	return next
}
