package results

import (
	"bytes"
	"reflect"
	"slices"
	"strings"
	"testing"

	"versus2048/rules"
)

// loggedGame finishes a game with logs and returns its number.
func loggedGame(t *testing.T, j *Journal, leg int, logs [2][]byte) int64 {
	t.Helper()
	g := open(t, j, duelGame(1, leg))
	playOn(&g, j, -1)
	g.Logs = logs
	if err := j.Finish(t.Context(), g); err != nil {
		t.Fatal(err)
	}
	return g.ID
}

func TestLogs(t *testing.T) {
	s := openNew(t)
	j := newDuel(t, s, 1)
	want := [2][]byte{rules.Attacker: []byte("loading\n\xff\x00"), rules.Defender: bytes.Repeat([]byte("line\n"), 10000)}
	both, none := loggedGame(t, j, 1, want), loggedGame(t, j, 2, [2][]byte{})
	for game, want := range map[int64][2][]byte{both: want, none: {}, 99: {}} {
		if got, err := s.Logs(t.Context(), game); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("game %d: %.80q, %v", game, got, err)
		}
	}
	if v, err := s.Verify(t.Context(), Filter{}, failOn(t)); err != nil || v.Games != 2 {
		t.Errorf("%+v, %v", v, err)
	}
}

// A damaged log is found, and so is the game.
func TestDamagedLogs(t *testing.T) {
	s := openNew(t)
	game := loggedGame(t, newDuel(t, s, 1), 1, [2][]byte{[]byte("some text"), nil})
	for _, damage := range []string{`zeroblob(20)`, `CAST(substr(text, 1, length(text) - 9) || zeroblob(9) AS BLOB)`, `x''`} {
		if _, err := s.write.Exec(`UPDATE logs SET text = ` + damage); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Logs(t.Context(), game); err == nil || !strings.Contains(err.Error(), "damaged") {
			t.Errorf("%s: error %v", damage, err)
		}
		var bad []int64
		v, err := s.Verify(t.Context(), Filter{}, func(g Stored, _ error) { bad = append(bad, g.ID) })
		if err != nil || v.Bad != 1 || !reflect.DeepEqual(bad, []int64{game}) {
			t.Errorf("%s: %+v, %v, %v", damage, v, err, bad)
		}
	}
	if _, err := s.write.Exec(`UPDATE games SET score = score + 4`); err != nil {
		t.Fatal(err)
	}
	reasons := 0
	v, err := s.Verify(t.Context(), Filter{}, func(Stored, error) { reasons++ })
	if err != nil || v.Bad != 1 || reasons != 2 {
		t.Errorf("a game with a damaged log and a wrong score: %+v, %d reasons, error %v", v, reasons, err)
	}
}

// Games with damaged logs are reported in the order of their numbers.
func TestDamagedLogsAreReportedInOrder(t *testing.T) {
	s := openNew(t)
	j := newDuel(t, s, 10)
	for match := 1; match <= 10; match++ {
		finish(t, j, match, 1)
	}
	if _, err := s.write.Exec(`INSERT INTO logs (game, side, text) SELECT id, 'attacker', zeroblob(20) FROM games`); err != nil {
		t.Fatal(err)
	}
	var bad []int64
	v, err := s.Verify(t.Context(), Filter{}, func(g Stored, _ error) { bad = append(bad, g.ID) })
	if err != nil || v.Bad != 10 || !slices.IsSorted(bad) {
		t.Errorf("%+v, error %v, in the order %v", v, err, bad)
	}
}

func TestOlderDatabasesHaveNoLogs(t *testing.T) {
	path := olderDatabase(t, 6)
	for _, name := range []string{"OpenReader", "Open"} {
		s, err := openers[name](t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		if logs, err := s.Logs(t.Context(), 1); err != nil || logs[0] != nil || logs[1] != nil {
			t.Errorf("%s: %q, %v", name, logs, err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}
