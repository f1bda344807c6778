package live

import (
	"fmt"

	"versus2048/internal/server"
	"versus2048/internal/text/plain"
	"versus2048/internal/web/templates"
	"versus2048/tournament"
)

// GameResult describes how a game ended and which bot was at fault, or that it is in progress or interrupted.
func GameResult(s *Snapshot) string {
	switch {
	case s.Live() && s.Rival != nil:
		return "in progress: " + race(s)
	case s.Live():
		return "in progress"
	case !s.Over():
		return "interrupted: its event was stopped, and the game goes on when the event is resumed"
	}
	text := templates.Ended(&s.Game.Record, s.Position.Score())
	if !s.Voided.IsZero() {
		text += " The match is voided: it does not count, and is played again."
	}
	return text
}

// race describes how the second game of a match stands against the first one.
func race(s *Snapshot) string {
	defender, rival := plain.Line(s.Game.Record.Defender), plain.Line(s.Rival.Name)
	if lead := s.Position.Score() - s.Rival.Score; lead <= 0 {
		return fmt.Sprintf("%s leads the match with %s, %s needs %s more", rival, templates.Count(s.Rival.Score, "point"), defender, templates.Number(1-lead))
	}
	return fmt.Sprintf("%s has passed the %s of %s and leads the match", defender, templates.Count(s.Rival.Score, "point"), rival)
}

// MatchResult tells the result of a match of two games in a sentence, "" while one of them is not over.
func MatchResult(games ...tournament.Game) string {
	matches := tournament.Matches(games)
	if len(matches) == 0 {
		return ""
	}
	m := matches[0]
	winner, loser := m.First, m.Second
	switch m.Outcome {
	case tournament.Drawn:
		return "The match is drawn."
	case tournament.SecondWins:
		winner, loser = loser, winner
	}
	text := plain.Line(winner) + " wins the match"
	if m.By == tournament.ByScore {
		return fmt.Sprintf("%s, %s to %s.", text, templates.Number(m.Defence(winner).Score), templates.Number(m.Defence(loser).Score))
	}
	return text + ": the other bot failed as attacker."
}

// EventState names a state of an event. It gives one name to events that were interrupted in this run of the arena and
// in earlier runs: readers do not care about the run.
func EventState(s server.State) string {
	if s == server.Unfinished {
		return string(server.Interrupted)
	}
	return string(s)
}
