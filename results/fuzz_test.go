package results

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"errors"
	"os"
	"testing"

	sqlite3 "modernc.org/sqlite/lib"

	"versus2048/internal/testkit"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// errUndone makes a transaction that a fuzz target has finished leave nothing.
var errUndone = errors.New("undone")

// FuzzImport reads files with a correct checksum and any content. An imported event is exported as
// an event that can be imported again. A refusal is in our words, not in SQLite's.
func FuzzImport(f *testing.F) {
	for _, path := range []string{"testdata/version4-event1.jsonl", "testdata/version4-event2.jsonl"} {
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		lines := bytes.SplitAfter(text, []byte("\n"))
		f.Add(lines[0], lines[1])
		f.Add(lines[0], lines[len(lines)-3])
		f.Add(lines[0], lines[len(lines)-2])
		f.Add(lines[0], bytes.Join([][]byte{lines[1], lines[2], lines[1]}, nil))
	}
	f.Add([]byte(`{"header":{"format":"versus2048 event","version":1,"event":{"concurrency":2000000000}}}`+"\n"), []byte("\n"))
	s := openNew(f)
	f.Fuzz(func(t *testing.T, header, games []byte) {
		file := closed(header, games)
		testkit.CheckAllocation(t, len(file), 256, func() {
			err := s.update(t.Context(), func(tx *sql.Tx) error {
				imported, err := s.importEvent(t.Context(), tx, bytes.NewReader(file), room{})
				if hasCode(err, sqlite3.SQLITE_CONSTRAINT) {
					t.Errorf("%s: %v", file, err)
				}
				if err != nil {
					return err
				}
				var first, second bytes.Buffer
				if _, err := export(t.Context(), tx, lineWriter{w: &first}, imported.Event); err != nil {
					t.Errorf("%s is imported, but cannot be exported: %v", file, err)
				}
				if _, err := tx.ExecContext(t.Context(), `UPDATE events SET name = name || '?' WHERE id = ?`, imported.Event); err != nil {
					t.Error(err)
				}
				again, err := s.importEvent(t.Context(), tx, bytes.NewReader(first.Bytes()), room{})
				if err == nil {
					_, err = export(t.Context(), tx, lineWriter{w: &second}, again.Event)
				}
				if err != nil || !bytes.Equal(first.Bytes(), second.Bytes()) {
					t.Errorf("%s is exported as\n%s\nand then as\n%s (%v)", file, first.Bytes(), second.Bytes(), err)
				}
				return errUndone
			})
			if err == nil {
				t.Error("no error")
			}
		})
		var left int
		if err := s.read.QueryRow(`SELECT (SELECT count(*) FROM events) + (SELECT count(*) FROM games) + (SELECT count(*) FROM entries)`).Scan(&left); err != nil || left != 0 {
			t.Errorf("%d rows are left (%v), want none", left, err)
		}
	})
}

// closed returns a file of these lines with its end.
func closed(header, games []byte) []byte {
	var file bytes.Buffer
	out := lineWriter{w: &file, hash: sha256.New()}
	for i, line := range bytes.SplitAfter(append(bytes.Clone(header), games...), []byte("\n")) {
		var l fileLine
		if i > 0 && json.Unmarshal(line, &l) == nil && l.Game != nil {
			out.end.count(l)
		}
		out.hash.Write(line)
		file.Write(line)
	}
	end, err := marshalLine(fileLine{End: out.sum()})
	if err != nil {
		panic(err) // it is made of numbers
	}
	return append(file.Bytes(), end...)
}

// FuzzStoredGame reads a game from a changed row. If it can be read, it can be packed again.
func FuzzStoredGame(f *testing.F) {
	searches, err := packSearches([]*record.SearchReport{nil, {Nodes: 7}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add("gpcc2015", "2x2", "", "mate", []byte{0x21, 0x85}, []byte{1, 2, 3, 4, 5, 6}, searches, []byte(`[{"ply":1,"stall_us":5}]`))
	f.Add("solo", "3x3", "0,0,2/0,0,0/0,0,0 D 0 1", "time", []byte{0xa0}, []byte{0x80, 1, 0}, []byte(nil), []byte(nil))
	f.Add("gpcc2016", "4x4", "", "", []byte(nil), bytes.Repeat([]byte{0xff}, 20), []byte("\x1f\x8b"), []byte("[{},{}]"))
	f.Fuzz(func(t *testing.T, ruleset, size, start, ending string, turns, times, reports, pauses []byte) {
		row := gameRow{
			rules: ruleset, size: size, start: start, ending: ending, turns: turns, times: times, searches: reports, pauses: pauses,
			started: "2026-11-21T10:30:00Z", finished: "2026-11-21T10:31:00Z",
		}
		testkit.CheckAllocation(t, len(turns)+len(times)+len(pauses)+unpackedLength(reports), 512, func() {
			g, err := row.game()
			if err != nil || ending == "" {
				return
			}
			r := &g.Record
			moves, err := record.UnpackTurns(record.PackTurns(r.Moves), r.Start.SideToMove())
			if err != nil || len(moves) != len(r.Moves) {
				t.Errorf("%x is unpacked as %v, then as %v (%v)", turns, r.Moves, moves, err)
			}
			if _, err := r.Replay(); err == nil && len(r.Times) == len(r.Moves) && len(r.Moves) > 0 {
				if packed, err := packTimes(r); err != nil || len(packed) > len(times) {
					t.Errorf("times %x are packed as %x (%v)", times, packed, err)
				}
			}
		})
	})
}

// unpackedLength returns the length of the unpacked data.
func unpackedLength(packed []byte) int {
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return len(packed)
	}
	var text bytes.Buffer
	_, _ = text.ReadFrom(r) // as far as it goes
	return text.Len()
}

// FuzzJournal reads changed plies of a game in progress.
func FuzzJournal(f *testing.F) {
	f.Add(0, []byte{5, byte(rules.South)}, []byte{1, 0, 2, 0}, []byte(`[null,{"nodes":1}]`))
	f.Add(1, []byte{0xff}, []byte{0xff}, []byte(`[]`))
	f.Fuzz(func(t *testing.T, first int, moves, times, searches []byte) {
		testkit.CheckAllocation(t, len(moves)+len(times)+len(searches), 256, func() {
			reports, err := parseSearches(searches)
			if err != nil {
				return
			}
			g := tournament.Game{Record: record.Record{Start: rules.NewPosition(rules.GPCC2015, rules.Full), Ending: record.Unfinished}}
			c := chunk{first: first, moves: moves, times: times, searches: reports}
			if c.appendTo(&g.Record) != nil {
				return
			}
			if _, err := g.Record.Replay(); err != nil {
				return
			}
			again, err := newChunk(&g.Record)
			if err != nil || !bytes.Equal(again.moves, moves) {
				t.Errorf("moves %x are packed again as %x (%v)", moves, again.moves, err)
			}
		})
	})
}
