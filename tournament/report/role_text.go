package report

import (
	"fmt"
	"io"
	"strings"

	"versus2048/rules"
)

// WriteRoles writes for a terminal what bots did in each role, and their faults.
// It returns w's error.
func WriteRoles(w io.Writer, roles []Role) error {
	var text strings.Builder
	for _, side := range []rules.Side{rules.Defender, rules.Attacker} {
		writeRole(&text, side.String(), roles)
	}
	text.WriteString("An attacker's scores, tiles and turns are those that it allowed; games that were cut short are left out of them.\n\n")
	writeFaults(&text, roles)
	_, err := io.WriteString(w, text.String())
	return err
}

func writeRole(text *strings.Builder, side string, roles []Role) {
	table := newTable(text)
	fmt.Fprintf(table, "as %s\tgames (cut short)\tmean score (SD)\tmin to max\t%d\tturns\tms a move, mean / median / max\tlag ms, mean / max\n", side, GoalTile)
	rows := 0
	for _, r := range roles {
		if r.Side != side {
			continue
		}
		rows++
		fmt.Fprintf(table, "%s\t%d (%d)\t%s\t%s to %s\t%s\t%s\t%s\t%s\n", shortened(r.Name), r.Games, r.CutShort, r.scoreText(),
			r.MinScore.Text(0), r.MaxScore.Text(0), r.ReachShare.Percent(), r.MeanTurns.Text(1), r.timeText(), r.lagText())
	}
	if rows > 0 {
		_ = table.Flush() // a strings.Builder takes everything
		text.WriteByte('\n')
	}
}

func writeFaults(text *strings.Builder, roles []Role) {
	table := newTable(text)
	fmt.Fprintln(table, "faults\tas\tgames that they ended")
	found := false
	for _, r := range roles {
		if len(r.Faults) > 0 {
			found = true
			fmt.Fprintf(table, "%s\t%s\t%s\n", shortened(r.Name), r.Side, r.faultText())
		}
	}
	if !found {
		text.WriteString("No bot failed or resigned.\n")
		return
	}
	_ = table.Flush()
}
