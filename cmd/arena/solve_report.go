package main

import (
	"encoding/csv"
	"fmt"
	"io"
	"runtime"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"versus2048/analysis/exact"
	"versus2048/rules"
	"versus2048/rules/record"
)

// solveReport is what is told of a solved game.
type solveReport struct {
	Rules        rules.Ruleset   `json:"rules"`
	Size         rules.Size      `json:"size"`
	Attacker     int             `json:"attacker"` // positions with the attacker to move
	Defender     int             `json:"defender"`
	Mated        int             `json:"mated"`
	Value        exact.Value     `json:"value"` // of the empty board
	LargestScore int             `json:"largest_score"`
	TwoTiles     *exact.TwoTiles `json:"two_tiles,omitempty"`
	Game         *record.Record  `json:"game,omitempty"` // a perfect one
	Table        *tableReport    `json:"table,omitempty"`
	Seconds      float64         `json:"seconds"`
	MemoryBytes  uint64          `json:"memory_bytes"`
	Layers       []exact.Layer   `json:"layers"`
}

type tableReport struct {
	Path             string  `json:"path"`
	Bytes            int     `json:"bytes"`
	BytesPerPosition float64 `json:"bytes_per_position"`
}

func newSolveReport(s *exact.Solution, took time.Duration) (*solveReport, error) {
	r := &solveReport{Rules: s.Rules(), Size: s.Size(), Layers: s.Layers, Seconds: took.Seconds()}
	for _, l := range s.Layers {
		r.Attacker += l.Attacker
		r.Defender += l.Defender
		r.Mated += l.Mated
	}
	r.LargestScore = exact.LargestScore(r.Rules, r.Size)
	start := rules.NewPosition(r.Rules, r.Size)
	var err error
	if r.Value, err = s.Value(start); err != nil {
		return nil, err
	}
	if r.Rules.Chance() {
		two, err := s.TwoTiles()
		r.TwoTiles = &two
		return r.measured(), err
	}
	moves, err := s.PrincipalVariation(start)
	r.Game = &record.Record{Attacker: "perfect", Defender: "perfect", Start: start, Moves: moves, Ending: record.Mate}
	return r.measured(), err
}

// measured adds what memory the process has taken.
func (r *solveReport) measured() *solveReport {
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	r.MemoryBytes = memory.Sys
	return r
}

func (r *solveReport) writeText(w io.Writer, layers bool) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%v on %v, solved in %.1f s with %s of memory\n\n", r.Rules, r.Size, r.Seconds, formatBytes(int64(r.MemoryBytes)))
	table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "positions with the attacker to move\t%d\t(equal ones under a symmetry count once)\n", r.Attacker)
	fmt.Fprintf(table, "positions with the defender to move\t%d\n", r.Defender)
	fmt.Fprintf(table, "mated ones among them\t%d\n", r.Mated)
	fmt.Fprintf(table, "sums of tiles\t%d to %d\n", r.Layers[1].Sum, r.Layers[len(r.Layers)-1].Sum)
	r.writeValue(table)
	if r.Table != nil {
		fmt.Fprintf(table, "%s\t%d bytes, %.2f for each position with the attacker to move\n", r.Table.Path, r.Table.Bytes, r.Table.BytesPerPosition)
	}
	_ = table.Flush() // into memory
	b.WriteByte('\n')
	if layers {
		writeLayers(&b, r.Layers)
	}
	if r.Game != nil {
		if err := r.Game.WriteText(&b); err != nil {
			return err
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (r *solveReport) writeValue(w io.Writer) {
	if r.TwoTiles == nil {
		fmt.Fprintf(w, "score under perfect play\t%.0f\tof %d, the largest that the board could hold\n", r.Value.Gain, r.LargestScore)
		fmt.Fprintf(w, "length under perfect play\t%d plies\n", r.Value.Plies)
		return
	}
	fmt.Fprintf(w, "expected score from the empty board\t%.4f\tof %d, the largest that the board could hold\n", r.Value.Gain, r.LargestScore)
	fmt.Fprintf(w, "begun with two tiles: states before a slide\t%d\n", r.TwoTiles.States)
	fmt.Fprintf(w, "expected score from two 2s\t%.4f\t%.4f to %.4f, by their cells\n", r.TwoTiles.Twos, r.TwoTiles.Least, r.TwoTiles.Most)
	fmt.Fprintf(w, "expected score from two random tiles\t%.4f\n", r.TwoTiles.Random)
}

func writeLayers(w io.Writer, layers []exact.Layer) {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "sum\tattacker\tdefender\tmated\t")
	for _, l := range layers {
		fmt.Fprintf(table, "%d\t%d\t%d\t%d\t\n", l.Sum, l.Attacker, l.Defender, l.Mated)
	}
	fmt.Fprintln(table)
	_ = table.Flush() // into memory
}

func (r *solveReport) writeCSV(w io.Writer) error {
	lines := [][]string{{"sum", "attacker", "defender", "mated"}}
	for _, l := range r.Layers {
		lines = append(lines, []string{
			strconv.Itoa(l.Sum), strconv.Itoa(l.Attacker), strconv.Itoa(l.Defender), strconv.Itoa(l.Mated),
		})
	}
	return csv.NewWriter(w).WriteAll(lines)
}
