package results

import (
	"errors"
	"strings"
	"testing"
)

// failOn fails the test on each bad game.
func failOn(t *testing.T) func(Stored, error) {
	return func(g Stored, why error) { t.Errorf("game %d: %v", g.ID, why) }
}

func TestVerify(t *testing.T) {
	s := openNew(t)
	first, second := newDuel(t, s, 1), newDuel(t, s, 1)
	plies := len(finish(t, first, 1, 1).Record.Moves) + len(finish(t, first, 1, 2).Record.Moves)
	finish(t, second, 1, 1)
	open(t, second, duelGame(1, 2))
	v, err := s.Verify(t.Context(), Filter{Event: 1}, failOn(t))
	if want := (Verification{Games: 2, Plies: int64(plies)}); err != nil || v != want {
		t.Errorf("verification %+v, error %v: want %+v", v, err, want)
	}
	if v, err := s.Verify(t.Context(), Filter{}, failOn(t)); err != nil || v.Games != 3 {
		t.Errorf("verification %+v, error %v: want 3 games", v, err)
	}
}

func TestVerifyFindsDamage(t *testing.T) {
	for damage, want := range map[string]string{
		`UPDATE games SET turns = CAST(x'00' || turns AS BLOB)`:        "illegal move",
		`UPDATE games SET turns = CAST(x'8080' || turns AS BLOB)`:      "packed turn 1",
		`UPDATE games SET turns = substr(turns, 1, length(turns) - 1)`: "not mated",
		`UPDATE games SET turns = x''`:                                 "not mated",
		`UPDATE games SET ending = 'time'`:                             "is mated",
		`UPDATE games SET ending = 'boredom'`:                          `ending "boredom"`,
		`UPDATE games SET score = score + 4`:                           "score",
		`UPDATE games SET largest_tile = 2 * largest_tile`:             "largest tile",
		`UPDATE games SET plies = plies - 1`:                           "plies",
		`UPDATE games SET times = CAST(times || x'0000' AS BLOB)`:      "times",
		`UPDATE games SET times = CAST(times || x'80' AS BLOB)`:        "times are damaged",
		`UPDATE games SET times = NULL`:                                "times",
		`UPDATE games SET searches = substr(searches, 1, 30)`:          "search reports are damaged",
		`UPDATE games SET searches = CAST('[]' AS BLOB)`:               "search reports are damaged",
		`UPDATE games SET searches = (SELECT searches FROM games AS other
			WHERE other.id = 2) WHERE 1`: "searches",
		`UPDATE games SET attacker = defender, defender = attacker`:       "by its match",
		`UPDATE games SET start = 'nonsense'`:                             "nonsense",
		`UPDATE games SET started = 'yesterday'`:                          "yesterday",
		`UPDATE games SET finished = 'tomorrow'`:                          "tomorrow",
		`UPDATE events SET size = '2x2'`:                                  "illegal move",
		`UPDATE events SET rules = 'chess'`:                               "chess",
		`UPDATE events SET rules = 'solo', name = 'now chance attacks'`:   "by its match chance attacks",
		`UPDATE games SET start = '0,0,0/0,2,0/0,0,0 D' WHERE start = ''`: "packed turn 1",
	} {
		s := openNew(t)
		j := newDuel(t, s, 1)
		finish(t, j, 1, 1)
		finish(t, j, 1, 2)
		if _, err := s.write.Exec(damage + damageOnlyGame1(damage)); err != nil {
			t.Fatal(err)
		}
		var why error
		v, err := s.Verify(t.Context(), Filter{Game: 1}, func(_ Stored, w error) { why = w })
		if err != nil || v.Bad != 1 || why == nil || !strings.Contains(why.Error(), want) || strings.Contains(why.Error(), "\n") {
			t.Errorf("%s:\n%+v, error %v, because %q: want one line with %q", damage, v, err, why, want)
		}
		if !strings.HasPrefix(damage, "UPDATE games") {
			continue
		}
		if v, err := s.Verify(t.Context(), Filter{}, func(Stored, error) {}); err != nil || v.Games != 2 || v.Bad != 1 {
			t.Errorf("%s: %+v, error %v: want 1 bad game of 2", damage, v, err)
		}
	}
}

// damageOnlyGame1 keeps the damage from the other game.
func damageOnlyGame1(damage string) string {
	switch {
	case !strings.HasPrefix(damage, "UPDATE games"):
		return ""
	case strings.Contains(damage, "WHERE"):
		return " AND id = 1"
	}
	return " WHERE id = 1"
}

func TestVerifyFindsBrokenStructure(t *testing.T) {
	for name, damage := range map[string]string{
		"a match is gone": `PRAGMA foreign_keys = 0; DELETE FROM matches; PRAGMA foreign_keys = 1`,
		"an index lies": `PRAGMA writable_schema = 1;
			UPDATE sqlite_schema SET sql = replace(sql, '(role, name)', '(name, role)') WHERE name = 'tokens_by_name';
			PRAGMA writable_schema = 0`,
	} {
		s := openNew(t)
		if _, err := s.NewToken(t.Context(), "bot", "ann"); err != nil {
			t.Fatal(err)
		}
		finish(t, newDuel(t, s, 1), 1, 1)
		if _, err := s.write.Exec(damage); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Verify(t.Context(), Filter{}, failOn(t)); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: error %v, want ErrDamaged", name, err)
		}
	}
}
