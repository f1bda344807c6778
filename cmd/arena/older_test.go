//go:build linux && !race

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "modernc.org/sqlite" // as any program that changes a database

	"versus2048/internal/testkit"
)

// absurd are changes of event 2 in a database of schema 4, by a part of the error when it is resumed.
var absurd = map[string]string{
	"2000000000 games at once: want at most 10000": `UPDATE events SET concurrency = 2000000000 WHERE id = 2`,
	"-1 games at once":         `UPDATE events SET concurrency = -1 WHERE id = 2`,
	"want at most 1000h":       `UPDATE events SET per_move = 9000000000000000000 WHERE id = 2`,
	"increment 2500000h0m0s":   `UPDATE events SET base = 1, increment = 9000000000000000000 WHERE id = 2`,
	"a grace of -5ns":          `UPDATE events SET grace = -5 WHERE id = 2`,
	"matches ahead":            `UPDATE events SET settings = '{"plan":{"kind":"ladder","ahead":2000000000}}' WHERE id = 2`,
	"9000000000000000 matches": `UPDATE events SET matches = 9000000000000000, settings = '{"plan":{"kind":"round-robin"}}' WHERE id = 2`,
	"10003 bots": `WITH RECURSIVE n(i) AS (SELECT 3 UNION ALL SELECT i+1 FROM n WHERE i < 10002)
		INSERT INTO entries SELECT 2, i, 'bot ' || i, 'random:seed=' || i FROM n`,
	"bytes of a bot's name or spec":           `UPDATE entries SET spec = 'random:seed=' || hex(zeroblob(1000000)) WHERE event = 2 AND seat = 0`,
	"bytes of the event's name":               `UPDATE events SET name = hex(zeroblob(1000000)) WHERE id = 2`,
	"of memory for":                           `UPDATE entries SET spec = 'mcts:nodes=100000000,playouts=100000000' WHERE event = 2 AND seat = 0`,
	"it is not a table of exact values":       `UPDATE entries SET spec = 'perfect:table=/dev/zero' WHERE event = 2 AND seat = 0`,
	`unknown bot "alphazero"`:                 `UPDATE entries SET spec = 'alphazero' WHERE event = 2 AND seat = 0`,
	"reading event 2: unexpected end of JSON": `UPDATE events SET settings = '[' WHERE id = 2`,
	"openings: want at most 10000":            `UPDATE events SET settings = '{"plan":{"kind":"ladder"},"openings":{"starts":["' || replace(hex(zeroblob(1000000)), '00', '","') || '"]}}' WHERE id = 2`,
	"want one of":                             `UPDATE events SET settings = '{"plan":{"kind":"no such"}}' WHERE id = 2`,
}

// An absurd event in a database of an older release is refused by the command that resumes it, in
// little memory, with an error that says why.
func TestAbsurdEventsOfAnOlderRelease(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	released, err := os.ReadFile("../../results/testdata/version4.db")
	if err != nil {
		t.Fatal(err)
	}
	for why, change := range absurd {
		db := filepath.Join(t.TempDir(), "arena.db")
		if err := os.WriteFile(db, released, 0o600); err != nil {
			t.Fatal(err)
		}
		alter(t, db, change)
		stderr, code, peak := runMeasured(t, "arena", "event", "resume", "--db", db, "--memory", "2GiB", "2")
		if code != 1 || !strings.Contains(stderr, why) || len(stderr) > 2000 || peak > 200<<20 {
			t.Errorf("%q: exit code %d, %d MiB, %d bytes of errors: %.500s", why, code, peak>>20, len(stderr), stderr)
		}
		stderr, code, peak = runMeasured(t, "arena", "event", "status", "--db", db, "2")
		if code > 1 || strings.Contains(stderr, "panic") || peak > 200<<20 {
			t.Errorf("status of %q: exit code %d, %d MiB: %.500s", why, code, peak>>20, stderr)
		}
	}
}
