package regret

import (
	"encoding/csv"
	"io"
	"strconv"

	"versus2048/tournament/report"
)

// WriteCSV writes a line for each bot, role and stage, 0 for all stages. It returns
// w's error.
func (r Report) WriteCSV(w io.Writer) error {
	lines := [][]string{{
		"bot", "family", "playouts", "role", "stage", "positions",
		"optimal", "optimal_low", "optimal_high", "loss", "loss_low", "loss_high", "worst",
	}}
	for _, b := range r.Bots {
		for _, p := range b.Parts {
			lines = append(lines, []string{
				b.Name, b.Effort.Family, strconv.Itoa(b.Effort.Playouts), p.Role.String(), strconv.Itoa(p.Stage), strconv.Itoa(p.Positions),
				number(p.Optimal.Value), number(p.Optimal.Low), number(p.Optimal.High),
				number(p.Loss.Value), number(p.Loss.Low), number(p.Loss.High), p.worst(),
			})
		}
	}
	return csv.NewWriter(w).WriteAll(lines)
}

func number(f report.Figure) string { return f.Text(6) }
