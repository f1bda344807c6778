package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"versus2048/rules/record"
)

// bestMoves is how many root moves of a search are shown.
const bestMoves = 5

// writeSearch shows a bot's report on its search.
func writeSearch(w io.Writer, s *record.SearchReport) error {
	var b strings.Builder
	fmt.Fprintf(&b, "  search: %s\n", searchFacts(s))
	writeRootMoves(&b, s.Moves)
	if len(s.Expanded) > 0 {
		fmt.Fprintf(&b, "  expanded by depth: %s\n", strings.Trim(fmt.Sprint(s.Expanded), "[]"))
	}
	if len(s.Variation) > 0 {
		fmt.Fprintf(&b, "  principal variation: %s\n", strings.Trim(fmt.Sprint(s.Variation), "[]"))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// searchFacts is such as "1000 playouts, 385 nodes, 1.8 ms": what is known.
func searchFacts(s *record.SearchReport) string {
	var facts []string
	if s.Playouts > 0 {
		facts = append(facts, fmt.Sprintf("%d playouts", s.Playouts))
	}
	if s.Nodes > 0 {
		facts = append(facts, fmt.Sprintf("%d nodes", s.Nodes))
	}
	if s.Time > 0 {
		facts = append(facts, fmt.Sprintf("%.1f ms", float64(s.Time)/float64(time.Millisecond)))
	}
	if facts == nil {
		return "the bot gave no numbers"
	}
	return strings.Join(facts, ", ")
}

func writeRootMoves(w io.Writer, moves []record.RootMove) {
	if len(moves) == 0 {
		return
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "  move\tvalue\tvisits\t")
	for _, m := range moves[:min(len(moves), bestMoves)] {
		fmt.Fprintf(table, "  %v\t%.6g\t%d\t\n", m.Move, m.Value, m.Visits)
	}
	_ = table.Flush() // into memory
	if more := len(moves) - bestMoves; more > 0 {
		fmt.Fprintf(w, "  and %d more\n", more)
	}
}
