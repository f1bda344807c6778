package live

import (
	"testing"
	"time"

	"versus2048/internal/server"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// The result of a match is known once both games are over: by the scores as defender, or by the bot that failed.
func TestMatchText(t *testing.T) {
	leg := func(n int, attacker, defender string, ending record.Ending, moves ...rules.Move) tournament.Game {
		r := record.Record{Attacker: attacker, Defender: defender, Start: rules.NewPosition(rules.GPCC2015, rules.Full), Moves: moves, Ending: ending}
		return tournament.Game{Pairing: tournament.Pairing{Match: 1, Round: 1, Nth: 1, First: "bob", Second: "ann"}, Leg: n, Record: r}
	}
	four := playedMoves(t, "(1,1)", "S", "(1,1)", "S") // 4 points
	for _, c := range []struct {
		name          string
		first, second tournament.Game
		want          string
	}{
		{"won", leg(1, "ann", "bob", record.MaxTurns, four...), leg(2, "bob", "ann", record.MaxTurns), "bob wins the match, 4 to 0."},
		{"lost", leg(1, "ann", "bob", record.MaxTurns), leg(2, "bob", "ann", record.MaxTurns, four...), "ann wins the match, 4 to 0."},
		{"drawn", leg(1, "ann", "bob", record.MaxTurns), leg(2, "bob", "ann", record.MaxTurns), "The match is drawn."},
		{"not over", leg(1, "ann", "bob", record.MaxTurns), leg(2, "bob", "ann", record.Unfinished), ""},
		{"one game", leg(1, "ann", "bob", record.MaxTurns), tournament.Game{}, ""},
	} {
		games := []tournament.Game{c.first, c.second}
		if c.second.Match == 0 {
			games = games[:1]
		}
		if got := MatchResult(games...); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func playedMoves(t *testing.T, texts ...string) (moves []rules.Move) {
	t.Helper()
	for _, text := range texts {
		m, err := rules.ParseMove(text)
		if err != nil {
			t.Fatal(err)
		}
		moves = append(moves, m)
	}
	return moves
}

// A second game in progress says who leads the match, and by how much.
func TestRaceText(t *testing.T) {
	p := rules.NewPosition(rules.GPCC2015, rules.Size{Width: 2, Height: 2})
	for _, m := range playedMoves(t, "(1,1)", "S", "(1,1)", "S") { // 4 points
		p = p.Next(m)
	}
	now := Snapshot{Since: time.Now(), Position: p, Game: tournament.Game{Record: record.Record{Defender: "bob"}}}
	for score, want := range map[int]string{
		-1:   "in progress",
		3:    "in progress: bob has passed the 3 points of ann and leads the match",
		4:    "in progress: ann leads the match with 4 points, bob needs 1 more",
		1204: "in progress: ann leads the match with 1\u202f204 points, bob needs 1\u202f201 more",
	} {
		if now.Rival = nil; score >= 0 {
			now.Rival = &Rival{Name: "ann", Score: score}
		}
		if got := GameResult(&now); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestStateText(t *testing.T) {
	for state, want := range map[server.State]string{server.Running: "running", server.Unfinished: "interrupted", server.Interrupted: "interrupted", server.Failed: "failed"} {
		if got := EventState(state); got != want {
			t.Errorf("State(%s) = %q, want %q", state, got, want)
		}
	}
}
