package census

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"

	"versus2048/rules"
)

// Report is a census as it is told. It is its own JSON.
type Report struct {
	Rules  rules.Ruleset `json:"rules"`
	Size   rules.Size    `json:"size"`
	Start  string        `json:"start"`
	Layers []Layer       `json:"layers"`
}

// NewReport tells the layers that Run counted from the start.
func NewReport(start rules.Position, layers []Layer) Report {
	return Report{Rules: start.Rules(), Size: start.Size(), Start: start.String(), Layers: layers}
}

// defenders tells whether the positions with the defender to move were counted.
func (r Report) defenders() bool {
	for _, l := range r.Layers {
		if l.Defenders > 0 {
			return true
		}
	}
	return false
}

// columns are the names of the numbers of a layer, and how to write them.
func (r Report) columns() (names []string, cells func(Layer) []string) {
	names = []string{"plies", "positions", "growth", "mated", "min_score", "max_score", "bytes"}
	if r.defenders() {
		names = append(names, "defenders")
	}
	return names, func(l Layer) []string {
		growth := ""
		if l.Growth > 0 {
			growth = strconv.FormatFloat(l.Growth, 'f', 4, 64)
		}
		row := []string{strconv.Itoa(l.Plies), count(l.Positions), growth, count(l.Mated), strconv.Itoa(l.MinScore), strconv.Itoa(l.MaxScore), count(l.Bytes)}
		if len(names) > len(row) {
			row = append(row, count(l.Defenders))
		}
		return row
	}
}

func count(n int64) string { return strconv.FormatInt(n, 10) }

// WriteCSV writes a line for each layer. It returns w's error.
func (r Report) WriteCSV(w io.Writer) error {
	names, cells := r.columns()
	lines := [][]string{names}
	for _, l := range r.Layers {
		lines = append(lines, cells(l))
	}
	return csv.NewWriter(w).WriteAll(lines)
}

// WriteMarkdown writes a table of the layers. It returns w's error.
func (r Report) WriteMarkdown(w io.Writer) error {
	names, cells := r.columns()
	var text strings.Builder
	fmt.Fprintf(&text, "Positions with the attacker to move, equal under rotation and reflection counted once; mated positions a ply before.\n"+
		"%v %v from %s\n\n", r.Rules, r.Size, r.Start)
	fmt.Fprintf(&text, "| %s |\n|%s\n", strings.ReplaceAll(strings.Join(names, " | "), "_", " "), strings.Repeat("---:|", len(names)))
	for _, l := range r.Layers {
		fmt.Fprintf(&text, "| %s |\n", strings.Join(cells(l), " | "))
	}
	_, err := io.WriteString(w, text.String())
	return err
}
