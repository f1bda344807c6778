package main

import (
	"fmt"
	"strings"
	"testing"

	"versus2048/internal/testkit"
	"versus2048/internal/text/terminal"
)

// The statistics of any number of bots fit a terminal, and name the sections that they leave out.
func TestStatsFitATerminal(t *testing.T) {
	testkit.Long(t)
	db := t.TempDir() + "/arena.db"
	for i, bots := range []int{2, 6, 40} {
		args := []string{"event", "run", "--db", db, "--format", "gauntlet", "--size", "2x2", "--matches", "1", "--in-process", "--quiet"}
		for n := range bots {
			args = append(args, "--bot", fmt.Sprintf("bot-%d=random", n))
		}
		arenaCommand(t, "", args...)
		event := fmt.Sprint(i + 1)
		all := arenaCommand(t, "as attacker", "stats", event, "--db", db)
		for _, size := range []struct{ lines, columns int }{{24, 80}, {50, 80}, {60, 200}} {
			t.Setenv("LINES", fmt.Sprint(size.lines))
			t.Setenv("COLUMNS", fmt.Sprint(size.columns))
			text := arenaCommand(t, "No room for ", "stats", event, "--db", db)
			if lines := strings.Count(text, "\n"); lines >= size.lines || lines < size.lines/3 {
				t.Errorf("%d bots: %d lines of %d", bots, lines, size.lines)
			}
			for line := range strings.Lines(text) {
				if width := terminal.Width(strings.TrimSuffix(line, "\n")); width > size.columns {
					t.Errorf("%d bots: %d columns of %d: %s", bots, width, size.columns, line)
				}
			}
			_, rest, _ := strings.Cut(text, "--section")
			sections := strings.Fields(rest)
			if len(sections) != 3 || strings.Contains(text, "as attacker") == strings.Contains(rest, "roles") {
				t.Errorf("%d bots: %q is left out of\n%s", bots, rest, text)
				continue
			}
			arenaCommand(t, "event "+event, "stats", event, "--db", db, "--section", sections[0])
		}
		t.Setenv("LINES", "")
		t.Setenv("COLUMNS", "")
		if again := arenaCommand(t, "", "stats", event, "--db", db); again != all {
			t.Errorf("%d bots: without a terminal a part is left out", bots)
		}
	}
}
