package results

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// failOn returns a function that fails the test for each bad game.
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
		`UPDATE games SET pauses = CAST('[{"ply":9999}]' AS BLOB)`:     "pauses: ply 9999",
		`UPDATE games SET searches = substr(searches, 1, 30)`:          "search reports are damaged",
		`UPDATE games SET searches = CAST('[]' AS BLOB)`:               "search reports are damaged",
		`UPDATE games SET searches = (SELECT searches FROM games AS other
			WHERE other.id = 2) WHERE 1`: "searches",
		`UPDATE games SET attacker = defender, defender = attacker`:       "in its match",
		`UPDATE games SET start = 'nonsense'`:                             "nonsense",
		`UPDATE games SET started = 'yesterday'`:                          "yesterday",
		`UPDATE games SET finished = 'tomorrow'`:                          "tomorrow",
		`UPDATE events SET size = '2x2'`:                                  "illegal move",
		`UPDATE events SET rules = 'chess'`:                               "chess",
		`UPDATE events SET rules = 'solo', name = 'now chance attacks'`:   "in its match chance attacks",
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

// damageOnlyGame1 limits the damage to game 1.
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
			PRAGMA writable_schema = 0; PRAGMA schema_version = 1000`,
	} {
		s := openNew(t)
		if _, err := s.Tokens().Make(t.Context(), "bot", "ann"); err != nil {
			t.Fatal(err)
		}
		finish(t, newDuel(t, s, 1), 1, 1)
		alter(t, s.place.path, damage)
		if _, err := s.Verify(t.Context(), Filter{}, failOn(t)); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: error %v, want ErrDamaged", name, err)
		}
	}
}

// played records a finished game of match 1: the moves of playOn, cut after the given number of plies. A negative
// number stands for all plies.
func played(t *testing.T, j *Journal, leg, plies int, ending record.Ending, start rules.Position) {
	t.Helper()
	g := duelGame(1, leg)
	g.Record.Start = start
	g = open(t, j, g)
	playOn(&g, j, plies)
	if ending != record.Mate {
		fail(&g, ending)
	}
	if err := j.Finish(t.Context(), g); err != nil {
		t.Fatal(err)
	}
}

// Games are compared with the settings of their event.
func TestVerifyChecksTheEventsSettings(t *testing.T) {
	empty := duelGame(1, 1).Record.Start
	second, err := rules.ParsePosition(rules.GPCC2015, "2,0,0/0,0,0/0,0,0 D 0 1")
	if err != nil {
		t.Fatal(err)
	}
	openings := tournament.NewOpenings("", []rules.Position{second, empty})
	early := tournament.Adjudication{EarlyDecision: true}
	whole := duelGame(1, 2)
	playOn(&whole, nil, -1)
	passed := passes(whole.Record, 0) // a first game without a slide scores 0
	for name, tc := range map[string]struct {
		settings   tournament.Settings
		play       func(j *Journal)
		complaints []string // one for each bad game, in order
	}{
		"max-turns": {
			tournament.Settings{Adjudication: tournament.Adjudication{MaxTurns: 3}},
			func(j *Journal) {
				played(t, j, 1, 6, record.MaxTurns, empty)
				played(t, j, 2, 8, record.MaxTurns, empty)
			},
			[]string{`want "max-turns" at ply 6`},
		},
		"no such rule": {
			tournament.Settings{},
			func(j *Journal) {
				played(t, j, 1, 6, record.MaxTurns, empty)
				played(t, j, 2, 5, record.Resigned, empty)
			},
			[]string{"do not end the game", "does not allow resigning"},
		},
		"decided": {
			tournament.Settings{Adjudication: early},
			func(j *Journal) {
				played(t, j, 1, 1, record.Time, empty)
				played(t, j, 2, passed, record.Decided, empty)
			},
			nil,
		},
		"decided too late": {
			tournament.Settings{Adjudication: early},
			func(j *Journal) {
				played(t, j, 1, 1, record.Time, empty)
				played(t, j, 2, passed+2, record.Decided, empty)
			},
			[]string{`want "decided" at ply`},
		},
		"not decided though it was": {
			tournament.Settings{Adjudication: early},
			func(j *Journal) {
				played(t, j, 1, 1, record.Time, empty)
				played(t, j, 2, -1, record.Mate, empty)
			},
			[]string{`want "decided" at ply`},
		},
		"a forfeit decides nothing": {
			tournament.Settings{Adjudication: early},
			func(j *Journal) {
				played(t, j, 1, 2, record.Time, empty)
				played(t, j, 2, -1, record.Mate, empty)
			},
			nil,
		},
		"openings": {
			tournament.Settings{Openings: openings},
			func(j *Journal) {
				played(t, j, 1, -1, record.Mate, second)
				played(t, j, 2, -1, record.Mate, second)
			},
			nil,
		},
		"two openings in a match": {
			tournament.Settings{Openings: openings},
			func(j *Journal) {
				played(t, j, 1, -1, record.Mate, second)
				played(t, j, 2, -1, record.Mate, empty)
			},
			[]string{"but the other game of its match"},
		},
		"no opening": {
			tournament.Settings{},
			func(j *Journal) {
				played(t, j, 1, -1, record.Mate, empty)
				played(t, j, 2, -1, record.Mate, second)
			},
			[]string{"not an opening of its event"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := openNew(t)
			e := duel(1)
			e.Settings = tc.settings
			id, err := s.CreateEvent(t.Context(), e)
			if err != nil {
				t.Fatal(err)
			}
			tc.play(s.Journal(id))
			var complaints []string
			v, err := s.Verify(t.Context(), Filter{}, func(_ Stored, why error) { complaints = append(complaints, why.Error()) })
			if err != nil || v.Games != 2 || !slices.EqualFunc(complaints, tc.complaints, strings.Contains) {
				t.Errorf("%+v, error %v, complaints %q, want %q", v, err, complaints, tc.complaints)
			}
		})
	}
}

// A second game is not judged by a first one with a wrong record, but still by that of its own match, which was played
// again under the number of a voided one.
func TestVerifyByAWrongFirstGame(t *testing.T) {
	s := openNew(t)
	e := duel(1)
	e.Settings = tournament.Settings{Adjudication: tournament.Adjudication{EarlyDecision: true}}
	id, err := s.CreateEvent(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	empty := duelGame(1, 1).Record.Start
	j := s.Journal(id)
	played(t, j, 1, 2, record.Time, empty)
	played(t, j, 2, -1, record.Mate, empty)
	if err := s.Void(t.Context(), id, 1, time.Now()); err != nil {
		t.Fatal(err)
	}
	j = s.Journal(id)
	played(t, j, 1, 1, record.Time, empty)
	played(t, j, 2, -1, record.Mate, empty)
	for _, step := range []struct {
		wrong      int // the game that gets a wrong record
		complaints []string
	}{
		{1, []string{"not mated", `want "decided" at ply`}},
		{3, []string{"not mated", "not mated"}},
	} {
		if _, err := s.write.Exec(`UPDATE games SET ending = 'mate' WHERE id = ?`, step.wrong); err != nil {
			t.Fatal(err)
		}
		var complaints []string
		_, err := s.Verify(t.Context(), Filter{}, func(_ Stored, why error) { complaints = append(complaints, why.Error()) })
		if err != nil || !slices.EqualFunc(complaints, step.complaints, strings.Contains) {
			t.Errorf("game %d is wrong: complaints %q, error %v, want %q", step.wrong, complaints, err, step.complaints)
		}
	}
}

// passes returns the number of plies after which the score of a game is above the given score for the first time.
func passes(r record.Record, score int) int {
	p := r.Start
	for i, m := range r.Moves {
		if p = p.Next(m); p.Score() > score {
			return i + 1
		}
	}
	panic("the game never passes the score")
}

// VerifySums finds the same bad games as Verify: by their checksums, or by their moves if they have no checksum.
func TestVerifySums(t *testing.T) {
	s := openNew(t)
	event := newDuel(t, s, 3)
	for match := 1; match <= 3; match++ {
		finish(t, event, match, 1)
	}
	for _, step := range []struct {
		change        string
		bad, unsummed int
	}{
		{"", 0, 0},
		{`UPDATE games SET checksum = NULL WHERE id = 1`, 0, 1},
		{`UPDATE games SET detail = 'changed' WHERE id = 2`, 1, 1},
		{`UPDATE games SET score = score + 4 WHERE id = 1`, 2, 1},
	} {
		if step.change != "" {
			if _, err := s.write.ExecContext(t.Context(), step.change); err != nil {
				t.Fatal(err)
			}
		}
		var ids []int64
		v, err := s.VerifySums(t.Context(), Filter{}, func(g Stored, _ error) { ids = append(ids, g.ID) })
		if err != nil || v.Games != 3 || v.Bad != step.bad || len(ids) != step.bad || v.Unsummed != step.unsummed || v.Plies == 0 {
			t.Errorf("%s: %+v, games %v, error %v", step.change, v, ids, err)
		}
	}
}
