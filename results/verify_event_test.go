package results

import (
	"slices"
	"strings"
	"testing"

	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// played is a finished game of a match as its event's referee would have it:
// the moves of playOn, cut after so many plies (all of them if negative).
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

// Games are held against the settings of their event, each of which is right for
// some game and wrong for another.
func TestVerifyKnowsTheEventsRules(t *testing.T) {
	empty := duelGame(1, 1).Record.Start
	second, err := rules.ParsePosition(rules.GPCC2015, "2,0,0/0,0,0/0,0,0 D 0 1")
	if err != nil {
		t.Fatal(err)
	}
	openings := tournament.NewOpenings("", []rules.Position{second, empty})
	early := tournament.Adjudication{EarlyDecision: true}
	whole := duelGame(1, 2)
	playOn(&whole, nil, -1)
	passed := passes(whole.Record, 0) // what a first game of no slide has scored
	for name, tc := range map[string]struct {
		settings   tournament.Settings
		play       func(j *Journal)
		complaints []string // one a bad game, in order
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
			[]string{"no opening of its event"},
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

// passes is the first ply at which the score of a game is above another.
func passes(r record.Record, score int) int {
	p := r.Start
	for i, m := range r.Moves {
		if p = p.Next(m); p.Score() > score {
			return i + 1
		}
	}
	panic("the game never scores so much")
}
