package results

import (
	"fmt"
	"strings"
	"testing"

	"versus2048/internal/testkit"
)

// verifyOne returns the result of Verify for the only finished game.
func verifyOne(t *testing.T, s *Store) (Verification, error) {
	t.Helper()
	var why error
	v, err := s.Verify(t.Context(), Filter{}, func(_ Stored, w error) { why = w })
	if err != nil {
		t.Fatal(err)
	}
	return v, why
}

// Verify finds every changed byte of a game's times, lags, dates, search reports and texts, and of
// the checksum itself.
func TestVerifyFindsEveryChangedByte(t *testing.T) {
	testkit.Long(t)
	s := openNew(t)
	finish(t, newDuel(t, s, 1), 1, 1)
	if v, why := verifyOne(t, s); why != nil || v.Unsummed != 0 {
		t.Fatalf("before: %+v, because %v", v, why)
	}
	for _, column := range []string{"started", "finished", "attacker", "turns", "times", "searches", "checksum"} {
		var value []byte
		if err := s.write.QueryRow("SELECT CAST(" + column + " AS BLOB) FROM games").Scan(&value); err != nil || len(value) == 0 {
			t.Fatalf("%s: %v bytes, error %v", column, len(value), err)
		}
		kind := map[bool]string{true: "TEXT", false: "BLOB"}[column == "started" || column == "finished" || column == "attacker"]
		write := func(value []byte) {
			if _, err := s.write.Exec(fmt.Sprintf("UPDATE games SET %s = CAST(? AS %s)", column, kind), value); err != nil {
				t.Fatal(err)
			}
		}
		for i := range value {
			changed := append([]byte{}, value...)
			changed[i] ^= 1 << (i % 7) // texts stay ASCII
			write(changed)
			if v, why := verifyOne(t, s); v.Bad != 1 || why == nil {
				t.Errorf("byte %d of %s: %+v, because %v", i, column, v, why)
			}
		}
		write(value)
	}
	for _, change := range []string{"attacker_seed = attacker_seed + 1", "detail = 'another'", "leg = 2, attacker = defender, defender = attacker"} {
		if _, err := s.write.Exec("UPDATE games SET " + change); err != nil {
			t.Fatal(err)
		}
		if v, why := verifyOne(t, s); v.Bad != 1 || why == nil {
			t.Errorf("%s: %+v, because %v", change, v, why)
		}
		s = openNew(t)
		finish(t, newDuel(t, s, 1), 1, 1)
	}
}

// A game that an earlier version recorded has no checksum; Verify counts it.
func TestVerifyCountsGamesWithoutChecksum(t *testing.T) {
	s := openNew(t)
	j := newDuel(t, s, 1)
	finish(t, j, 1, 1)
	finish(t, j, 1, 2)
	if _, err := s.write.Exec("UPDATE games SET checksum = NULL WHERE id = 1"); err != nil {
		t.Fatal(err)
	}
	if v, why := verifyOne(t, s); v.Unsummed != 1 || v.Bad != 0 || v.Games != 2 {
		t.Errorf("%+v, because %v: want 1 of 2 games without a checksum", v, why)
	}
	if _, err := s.write.Exec("UPDATE games SET checksum = CAST(x'02' || substr(checksum, 2) AS BLOB) WHERE id = 2"); err != nil {
		t.Fatal(err)
	}
	if _, why := verifyOne(t, s); why == nil || !strings.Contains(why.Error(), "newer version") {
		t.Errorf("a checksum of another version: %v", why)
	}
}
