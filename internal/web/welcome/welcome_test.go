package welcome_test

import (
	"fmt"
	"strings"
	"testing"

	"versus2048/internal/web/live"
	"versus2048/internal/web/templates"
	"versus2048/internal/web/welcome"
	"versus2048/players"
	"versus2048/rules"
	"versus2048/rules/record"
)

// The games that come with the program are matches with a winner, and each has its scenes.
func TestGames(t *testing.T) {
	games, err := welcome.Games()
	if err != nil || len(games) != 4 {
		t.Fatalf("%d games (%v)", len(games), err)
	}
	for i, won := range []string{"alphabeta wins the match, 22 484 to 16 424.", "evminimax wins the match, 6 816 to 6 592."} {
		if got := live.MatchResult(games[2*i : 2*i+2]...); strings.ReplaceAll(got, "\u202f", " ") != won {
			t.Errorf("match %d: %q, want %q", i+1, got, won)
		}
	}
	for i := range games {
		scenes := welcome.NewScenes(&games[i].Record)
		if len(scenes) == 0 {
			t.Errorf("game %d has no scene", i+1)
		}
		for _, s := range scenes {
			mustPlay(t, s.Start, s.Moves)
		}
	}
}

func mustPlay(t *testing.T, p rules.Position, moves []rules.Move) rules.Position {
	t.Helper()
	for _, m := range moves {
		next, err := p.Play(m)
		if err != nil {
			t.Fatal(err)
		}
		p = next
	}
	return p
}

// Each scene ends where its story ends: with the largest tile just made, or with no slide left.
func TestScenes(t *testing.T) {
	games, err := welcome.Games()
	if err != nil {
		t.Fatal(err)
	}
	for i := range games {
		r := &games[i].Record
		final, err := r.Replay()
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range welcome.NewScenes(r) {
			end := mustPlay(t, s.Start, s.Moves)
			if strings.Contains(s.Story, "no slide is left") != end.Over() {
				t.Errorf("game %d: %q, but the scene ends at %v", i+1, s.Story, end)
			}
			if made := fmt.Sprintf("makes a %d,", final.LargestTile()); !end.Over() && (!strings.Contains(s.Story, made) || s.Start.LargestTile() >= end.LargestTile()) {
				t.Errorf("game %d: %q from %v to %v", i+1, s.Story, s.Start, end)
			}
			if !strings.Contains(s.Story, templates.Number(final.Score())) {
				t.Errorf("game %d: %q does not have the score %d", i+1, s.Story, final.Score())
			}
		}
	}
}

// A short game has no scene.
func TestShortGame(t *testing.T) {
	r, err := record.Parse("1. (1,1) E 2. (1,1) S")
	if err != nil {
		t.Fatal(err)
	}
	if scenes := welcome.NewScenes(&r); len(scenes) > 0 {
		t.Errorf("%+v", scenes)
	}
}

// The examples of the rules are legal; the last one is a mate.
func TestLessons(t *testing.T) {
	lessons, err := welcome.Lessons()
	if err != nil || len(lessons) < 4 {
		t.Fatalf("%d lessons (%v)", len(lessons), err)
	}
	for i, l := range lessons {
		if end := mustPlay(t, l.Start, l.Moves); end.Over() != (i == len(lessons)-1) {
			t.Errorf("lesson %d ends at %v", i+1, end)
		}
	}
}

// Each level is a bot that can be started.
func TestLevels(t *testing.T) {
	for _, level := range welcome.Levels() {
		if _, err := players.Parse(level.Spec); err != nil {
			t.Errorf("%s: %v", level.Name, err)
		}
	}
}
