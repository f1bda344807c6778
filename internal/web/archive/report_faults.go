package archive

import (
	"context"
	"fmt"
	"time"

	"versus2048/internal/text/plain"
	"versus2048/internal/text/terminal"
	"versus2048/internal/web/templates"
	"versus2048/results"
	"versus2048/rules/record"
	"versus2048/tournament/report"
)

// Limits of the list of faults.
const (
	mostTold   = 10
	mostDetail = 160 // columns
)

// addFaults tells about games that were lost by a fault, absences, and matches that were voided.
func (r *Report) addFaults(ctx context.Context, store *results.Reader, roles []report.Role) error {
	games, all, err := store.List(ctx, results.Listing{Event: r.Event.ID, Faults: true, Limit: mostTold})
	if err != nil {
		return err
	}
	for i := range games {
		text, err := faultText(ctx, store, &games[i])
		if err != nil {
			return err
		}
		r.Faults = append(r.Faults, text)
	}
	if more := all - len(games); more > 0 {
		r.Faults = append(r.Faults, fmt.Sprintf("%s more ended by a fault.", templates.Count(more, "game")))
	}
	r.tellAbsences(roles)
	voided, err := store.Voided(ctx, r.Event.ID)
	for _, m := range voided[:min(mostTold, len(voided))] {
		r.Faults = append(r.Faults, fmt.Sprintf("Match %d of %s and %s was voided: its games do not count, and it is played again.", m.Match, called(m.First), called(m.Second)))
	}
	if more := len(voided) - mostTold; more > 0 {
		r.Faults = append(r.Faults, fmt.Sprintf("%s more were voided.", templates.Count(more, "match", "matches")))
	}
	return err
}

// faultText tells how a fault ended a game, and when the bot played again.
func faultText(ctx context.Context, store *results.Reader, g *results.Listed) (string, error) {
	bot, other := called(g.Fault), called(g.Attacker)
	if g.Fault == g.Attacker {
		other = called(g.Defender)
	}
	how := "could not go on"
	switch g.Ending {
	case record.Disconnect:
		how = "ended or lost its connection"
	case record.Time:
		how = "needed more time than its clock had"
	case record.IllegalMove:
		how = "answered with a move that the rules do not allow"
	}
	text := fmt.Sprintf("%s's program %s during game %d against %s", bot, how, g.ID, other)
	if g.Detail != "" {
		text += " (" + terminal.Shorten(plain.Line(g.Detail), mostDetail) + ")"
	}
	back, err := store.Absence(ctx, g, g.Fault)
	switch {
	case err != nil:
		return "", err
	case back > 0:
		return text + "; it played again " + templates.Span(back) + " later.", nil
	}
	return text + ".", nil
}

// tellAbsences tells for how long bots were away without losing a game by it. roles has each bot once for each side.
func (r *Report) tellAbsences(roles []report.Role) {
	away := map[string]time.Duration{}
	for i := range roles {
		away[roles[i].Name] += time.Duration(roles[i].AwayMS * float64(time.Millisecond))
	}
	told := 0
	for _, e := range r.Event.Entries {
		lost := away[e.Name]
		if lost <= 0 {
			continue
		}
		if told++; told <= mostTold {
			r.Faults = append(r.Faults, fmt.Sprintf("%s was away for %s in all and came back: its clock stood still meanwhile.", called(e.Name), templates.Span(lost)))
		}
	}
	if more := told - mostTold; more > 0 {
		r.Faults = append(r.Faults, fmt.Sprintf("%s more were away and came back.", templates.Count(more, "bot")))
	}
}
