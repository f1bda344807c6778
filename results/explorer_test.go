package results

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"versus2048/internal/testkit"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// exploredNaively counts the moves played in positions that equal p under a symmetry: it replays every
// game to its end and compares every position with every image of p.
func exploredNaively(t *testing.T, s *Store, q Question) (games, ended int, moves map[rules.Move]int) {
	t.Helper()
	p, moves := q.Position, map[rules.Move]int{}
	err := s.Games(t.Context(), Filter{Event: q.Event, Bot: q.Bot, Finished: true}, func(g Stored) error {
		at := g.Record.Start
		if at.Rules() != p.Rules() || at.Size() != p.Size() {
			return nil
		}
		for i := range len(g.Record.Moves) + 1 {
			if y, ok := imageOf(p, at); ok {
				games++
				if i == len(g.Record.Moves) {
					ended++
				} else {
					moves[leastImage(p, y.Inverse().Move(g.Record.Moves[i], p.Size()))]++
				}
			}
			if i < len(g.Record.Moves) {
				at = at.Next(g.Record.Moves[i])
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return games, ended, moves
}

// imageOf returns a symmetry that maps the tiles of p to the tiles of q.
func imageOf(p, q rules.Position) (rules.Symmetry, bool) {
	for _, y := range p.Size().Symmetries() {
		if y.Board(p.Board(), p.Size()) == q.Board() && p.SideToMove() == q.SideToMove() {
			return y, true
		}
	}
	return 0, false
}

func leastImage(p rules.Position, m rules.Move) rules.Move {
	least := m
	for _, y := range p.Size().Symmetries() {
		if y.Board(p.Board(), p.Size()) == p.Board() {
			least = min(least, y.Move(m, p.Size()))
		}
	}
	return least
}

// In positions of all plies, and in images of them, the counts of Explore agree with a replay of
// every game.
func TestExplore(t *testing.T) {
	s := openNew(t)
	first, second := newDuel(t, s, 30), newDuel(t, s, 30)
	for match := 1; match <= 30; match++ {
		for leg := 1; leg <= 2; leg++ {
			finish(t, first, match, leg)
			finish(t, second, match, leg)
		}
	}
	open(t, second, duelGame(31, 1)) // in progress: does not count
	start := rules.NewPosition(rules.GPCC2015, rules.Size{Width: 3, Height: 3})
	questions := []Question{{Position: start}}
	for id := int64(1); id < 5; id++ {
		g, err := s.Game(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		p := g.Record.Start
		for i, m := range g.Record.Moves {
			p = p.Next(m)
			y := p.Size().Symmetries()[i%8]
			questions = append(questions, Question{Position: y.Position(p)}, Question{y.Position(p), "bob", 2})
		}
	}
	merged := 0
	for _, q := range testkit.Shortened(t, questions, 100) {
		games, ended, moves := exploredNaively(t, s, q)
		x, err := s.Explore(t.Context(), q, func(int, int) {})
		if err != nil {
			t.Fatal(err)
		}
		got := map[rules.Move]int{}
		for _, m := range x.Moves {
			got[m.Move] = m.Games
			if _, err := q.Position.Play(m.Move); err != nil {
				t.Errorf("%v: %v", q.Position, err)
			}
			if m.Different*2 > m.Games && q.Event == 0 {
				t.Errorf("%v: %v: %d of %d games are different; both events have the same games", q.Position, m.Move, m.Different, m.Games)
			}
		}
		if x.Games != games || x.Ended != ended || !maps.Equal(got, moves) {
			t.Errorf("%v: %d games, %d ended, %v: want %d, %d, %v", q.Position, x.Games, x.Ended, got, games, ended, moves)
		}
		if games > 2 {
			merged++
		}
	}
	if merged < 10 {
		t.Errorf("only %d of %d positions occur in more than one pair of games: the test says little", merged, len(questions))
	}
}

// Explore takes the mean over different games with scores that count, and lists the last of all
// games.
func TestExploredScores(t *testing.T) {
	s := openNew(t)
	j := newDuel(t, s, 10)
	start := rules.NewPosition(rules.GPCC2015, rules.Size{Width: 3, Height: 3})
	play := func(match int, ending record.Ending, moves ...rules.Move) int64 {
		g := open(t, j, duelGame(match, 1))
		for _, m := range moves {
			g.Record.Moves = append(g.Record.Moves, m)
			g.Record.Times, g.Record.Lags = append(g.Record.Times, 0), append(g.Record.Lags, 0)
		}
		g.Record.Ending, g.Finished = ending, g.Started
		if err := j.Finish(t.Context(), g); err != nil {
			t.Fatal(err)
		}
		return g.ID
	}
	corner, opposite := rules.Place(0, false), rules.Place(10, false)
	play(1, record.Disconnect, corner)                                // the defender fails with 0 points
	play(2, record.Disconnect, corner)                                // the same again
	play(3, record.Disconnect, opposite, rules.North)                 // the attacker fails: its score says nothing
	last := play(4, record.Disconnect, opposite, rules.North, corner) // the defender fails
	x, err := s.Explore(t.Context(), Question{Position: start}, func(int, int) {})
	if err != nil || len(x.Moves) != 1 {
		t.Fatal(x, err)
	}
	m := x.Moves[0]
	if m.Move != corner || m.Games != 4 || m.Different != 2 || m.Score.Value.Value != 0 || m.Score.Low.Value != 0 {
		t.Errorf("%+v: want 4 games with (1,1), 2 of them different with a score", m)
	}
	if want := (GameAt{last, 0}); len(m.Last) != 4 || m.Last[0] != want {
		t.Errorf("the last games are %v, want %v first", m.Last, want)
	}
	if !slices.IsSortedFunc(m.Last, func(a, b GameAt) int { return int(b.Game - a.Game) }) {
		t.Errorf("the last games are %v, want the latest first", m.Last)
	}
	if f, err := s.Finished(t.Context()); f.Games != 4 || err != nil {
		t.Errorf("%d finished games (%v), want 4", f.Games, err)
	}
}

// With an early decision second games do not count for the mean score, since the ones that did not
// end early have low scores.
func TestExploredScoresOfFirstGames(t *testing.T) {
	for _, early := range []bool{false, true} {
		s := openNew(t)
		e := duel(1)
		e.Settings.Adjudication.EarlyDecision = early
		id, err := s.CreateEvent(t.Context(), e)
		if err != nil {
			t.Fatal(err)
		}
		finish(t, s.Journal(id), 1, 1)
		finish(t, s.Journal(id), 1, 2)
		start := rules.NewPosition(rules.GPCC2015, rules.Size{Width: 3, Height: 3})
		x, err := s.Explore(t.Context(), Question{Position: start}, func(int, int) {})
		if err != nil {
			t.Fatal(err)
		}
		games, different := 0, 0
		for _, m := range x.Moves {
			games, different = games+m.Games, different+m.Different
		}
		if want := map[bool]int{false: 2, true: 1}[early]; games != 2 || different != want {
			t.Errorf("early decision %v: %d games, %d of them for the mean, want %d", early, games, different, want)
		}
	}
}

func TestExploreStops(t *testing.T) {
	s := openNew(t)
	finish(t, newDuel(t, s, 1), 1, 1)
	ctx, end := context.WithCancel(t.Context())
	end()
	q := Question{Position: rules.NewPosition(rules.GPCC2015, rules.Size{Width: 3, Height: 3})}
	if _, err := s.Explore(ctx, q, func(int, int) {}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that it was cancelled", err)
	}
}

// The first game that cannot be read ends the reading of all others.
func TestExploreEndsWithFirstError(t *testing.T) {
	s := openNew(t)
	j := newDuel(t, s, 1)
	finish(t, j, 1, 1)
	finish(t, j, 1, 2)
	if _, err := s.write.Exec(`UPDATE games SET start = 'damaged'`); err != nil {
		t.Fatal(err)
	}
	q := Question{Position: rules.NewPosition(rules.GPCC2015, rules.Size{Width: 3, Height: 3})}
	_, err := s.Explore(t.Context(), q, func(int, int) {})
	if err == nil || strings.Contains(err.Error(), "game 1:") == strings.Contains(err.Error(), "game 2:") {
		t.Errorf("error %v, want one about one of the games", err)
	}
}

// BenchmarkExplore explores 10,000 games on 4x4 after 3 and after 100 plies.
func BenchmarkExplore(b *testing.B) {
	s := openNew(b)
	e := duel(5000)
	e.Size = rules.Full
	id, err := s.CreateEvent(b.Context(), e)
	if err != nil {
		b.Fatal(err)
	}
	j := s.Journal(id)
	var early, late rules.Position
	for n := range 10_000 {
		g := duelGame(n/2+1, n%2+1)
		g.Record.Start = rules.NewPosition(rules.GPCC2015, rules.Full)
		g = open(b, j, g)
		playOn(&g, nil, -1)
		if err := j.Finish(b.Context(), g); err != nil {
			b.Fatal(err)
		}
		if n == 0 {
			early, late = afterPlies(g, 3), afterPlies(g, 100)
		}
	}
	for name, p := range map[string]rules.Position{"ply 3": early, "ply 100": late} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := s.Explore(b.Context(), Question{Position: p}, func(int, int) {}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("count", func(b *testing.B) {
		for b.Loop() {
			if _, err := s.Finished(b.Context()); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func afterPlies(g tournament.Game, plies int) rules.Position {
	p := g.Record.Start
	for _, m := range g.Record.Moves[:plies] {
		p = p.Next(m)
	}
	return p
}
