package experiment

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// WriteMarkdown writes the means of each bot and role and how the two bots
// differ. It returns w's error.
func (t Tree) WriteMarkdown(w io.Writer) error {
	var text strings.Builder
	fmt.Fprintf(&text, "Paper: %s.\n\nNodes expanded in a search, by depth in plies below the root:\n\n", t.Source)
	writeCells(&text, append([]string{"bot", "role", "games", "searches"}, t.Layers...)...)
	text.WriteString("|---|---|---:|---:|---:|---:|---:|\n")
	for _, f := range t.Figures {
		cells := []string{f.Bot, f.Role.String(), strconv.Itoa(f.Games), strconv.Itoa(f.Searches)}
		for _, mean := range f.Means {
			cells = append(cells, unit(points).interval(mean))
		}
		writeCells(&text, cells...)
	}
	first, second := t.Figures[1].Bot, t.Figures[0].Bot
	fmt.Fprintf(&text, "\n%s less %s:\n\n", first, second)
	writeCells(&text, append([]string{"role"}, t.Layers...)...)
	text.WriteString("|---|---:|---:|---:|\n")
	for i := 0; i < len(t.Gaps); i += layers {
		cells := []string{t.Gaps[i].Role.String()}
		for _, g := range t.Gaps[i : i+layers] {
			cells = append(cells, unit(points).interval(g.Gap))
		}
		writeCells(&text, cells...)
	}
	if first == nameMCTS2 {
		text.WriteString("\nThe paper sees fewer at depth 7, and more from 8 on.\n")
	}
	fmt.Fprintf(&text, "\nMeans over the games' means, with %.0f%% intervals. Forced moves take no search and do not count.\n"+
		"The figures show the plies to which at least a quarter of the games went.\n\n", 100*Level)
	fmt.Fprintf(&text, "- %s: %d of %d games; %s\n", t.Name, t.Games, t.Of, t.Conditions)
	_, err := io.WriteString(w, text.String())
	return err
}

// WriteCSV writes the figures' numbers, a line for each bin. It returns w's
// error.
func (t Tree) WriteCSV(w io.Writer) error {
	lines := [][]string{{"bot", "role", "from_ply", "to_ply", "games", "searches", "depth_to_6", "depth_7", "depth_from_8"}}
	for _, f := range t.Figures {
		for _, b := range f.Bins {
			line := []string{f.Bot, f.Role.String(), strconv.Itoa(b.From), strconv.Itoa(b.To), strconv.Itoa(b.Games), strconv.Itoa(b.Searches)}
			for _, n := range b.Expanded {
				line = append(line, strconv.FormatFloat(n, 'f', 2, 64))
			}
			lines = append(lines, line)
		}
	}
	return csv.NewWriter(w).WriteAll(lines)
}
