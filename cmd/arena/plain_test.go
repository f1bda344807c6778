//go:build !race

package main

import (
	"strings"
	"testing"

	"versus2048/internal/testkit"
	"versus2048/results"
	"versus2048/rules"
	"versus2048/tournament"
)

// The names of an event that was imported from a file, which anybody may have written.
const (
	evilEvent = "=1+1 \x1b[2J\x1b]0;title\a line\nbreak \u202egnp.exe \u009b31m |`<img src=x>"
	evilBot   = "@SUM(A1)\t\x1b[31mred\r\n|`<b>\u202e"
)

// hostileOutput returns the part of a text that a terminal takes for a command, "" if there is none.
func hostileOutput(text string) string {
	for _, bad := range []string{"\x1b", "\a", "\r", "\u202e", "\u009b", "break \u202e", "line\nbreak", "red\n"} {
		if strings.Contains(text, bad) {
			return bad
		}
	}
	return ""
}

// No command writes raw escapes or line breaks that are in names, in any format.
func TestNamesNeverCommandTheTerminal(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	db := t.TempDir() + "/evil.db"
	store, err := results.Open(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	_, err = store.CreateEvent(t.Context(), tournament.Event{
		Name: evilEvent, Size: rules.Size{Width: 2, Height: 2}, Matches: 1, Concurrency: 1, InProcess: true, Seed: 1,
		Entries: []tournament.Entry{{Name: evilBot, Spec: "random"}, {Name: "+1-1", Spec: "greedy"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := store.Tokens().Make(t.Context(), "bot", evilBot); err != nil {
		t.Fatal(err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	inDatabase := []string{"--db", db}
	for _, command := range [][]string{
		{"event", "resume", "1"},
		{"event", "list"},
		{"event", "status", "1"},
		{"games"},
		{"games", "--event", "1"},
		{"stats"},
		{"report", "--out", "-", "1"},
		{"report", "--out", "-", "--format", "markdown", "1"},
		{"replay", "1"},
		{"verify"},
		{"token", "list"},
		{"export", "1", db + ".jsonl"},
		{"games", "--event", "1", "--bot", evilBot},
		{"stats", "--anchor", evilBot + "x=1"},
		{"token", "revoke", evilBot + "x"},
	} {
		formats := []string{""}
		if command[0] != "export" && command[1:] != nil && command[len(command)-1] != "1" || command[0] == "replay" || command[0] == "event" && command[1] == "status" {
			formats = []string{"", "json", "csv", "markdown"}
		}
		if command[0] == "token" && command[1] == "revoke" {
			formats = []string{""}
		}
		for _, format := range formats {
			args := append(append([]string{}, command...), inDatabase...)
			if format != "" {
				args = append(args, "--format", format)
			}
			stdout, stderr, code := run(t, "arena", args...)
			if bad := hostileOutput(stdout + stderr); bad != "" {
				t.Errorf("%q writes %q: %q", args, bad, stdout+stderr)
			}
			if format == "csv" {
				checkNoFormulas(t, args, stdout)
			}
			if format == "markdown" && (strings.Contains(stdout, " <img") || strings.Contains(stdout, "`<")) {
				t.Errorf("%q writes a tag: %s", args, stdout)
			}
			if failing := strings.Contains(strings.Join(args, " "), evilBot+"x"); failing != (code != 0) {
				t.Errorf("%q exits with %d: %s", args, code, stderr)
			}
		}
	}
	stdout, stderr, code := run(t, "arena", "import", db+".jsonl", "--db", db+".copy")
	if bad := hostileOutput(stdout + stderr); bad != "" || code != 0 {
		t.Errorf("import exits with %d and writes %q: %s%s", code, bad, stdout, stderr)
	}
}

// checkNoFormulas checks that no cell begins like a formula. A minus sign may begin a number.
func checkNoFormulas(t *testing.T, args []string, text string) {
	t.Helper()
	for cell := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ',' || r == '\n' }) {
		cell = strings.TrimPrefix(cell, `"`)
		if strings.HasPrefix(cell, "=") || strings.HasPrefix(cell, "@") || strings.HasPrefix(cell, "+") {
			t.Errorf("%q writes the formula %q: %s", args, cell, text)
		}
	}
}
