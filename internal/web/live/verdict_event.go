package live

import (
	"fmt"
	"slices"
	"strings"

	"versus2048/internal/text/plain"
	"versus2048/internal/web/templates"
	"versus2048/tournament"
	"versus2048/tournament/report"
)

// EventOutcome describes the standings of an event in one sentence: the winner or the leader, the place of a newcomer,
// or the result of an sprt's test. It returns "" if there are no results. elo is the difference that the test measures,
// nil if the difference is not known.
func EventOutcome(s *tournament.Standings, elo *report.Interval, over bool) string {
	switch {
	case s == nil || !s.Begun():
		return ""
	case s.Test != nil:
		return tested(s, elo, over)
	case s.Newcomer != "":
		return placed(s, over)
	}
	return led(s, over)
}

// led names the bots in the first place.
func led(s *tournament.Standings, over bool) string {
	var first []string
	for _, p := range s.Places {
		if p.Place == 1 {
			first = append(first, plain.Line(p.Name))
		}
	}
	switch n := len(first); {
	case n > 3:
		return templates.Number(n) + " bots share the first place" + pointsOf(s)
	case n > 1:
		return strings.Join(first[:n-1], ", ") + " and " + first[n-1] + " share the first place" + pointsOf(s)
	case n == 0:
		return ""
	case over:
		return first[0] + " won" + pointsOf(s)
	}
	return first[0] + " leads" + pointsOf(s)
}

// pointsOf tells how many points the first bot has, if points decide.
func pointsOf(s *tournament.Standings) string {
	p := s.Places[0]
	if s.Columns[0] != "points" {
		return ""
	}
	noun := "points"
	if p.Values[0] == 1 {
		noun = "point"
	}
	return fmt.Sprintf(": %s %s from %s", templates.Number(p.Values[0]), noun, templates.Count(p.Played, "match", "matches"))
}

// placed tells the place of a newcomer.
func placed(s *tournament.Standings, over bool) string {
	i := slices.IndexFunc(s.Places, func(p tournament.Place) bool { return p.Name == s.Newcomer })
	if i < 0 {
		return ""
	}
	verb := "has"
	if !over {
		verb = "is at"
	}
	return fmt.Sprintf("%s %s place %d of %d, after %s", plain.Line(s.Newcomer), verb, s.Places[i].Place, len(s.Places), templates.Count(s.Places[i].Played, "match", "matches"))
}

// tested tells the finding of a test so far.
func tested(s *tournament.Standings, elo *report.Interval, over bool) string {
	t := s.Test
	first, second := plain.Line(t.First), "the other bot"
	for _, p := range s.Places {
		if p.Name != t.First {
			second = plain.Line(p.Name)
		}
	}
	h1, h0 := " is stronger than ", " is not shown to be stronger than "
	if t.Test.Elo0 < 0 {
		h1, h0 = " is no regression from ", " may be a regression from "
	}
	verdict, test := "it is open whether "+first+h1+second, "the test goes on"
	switch {
	case t.Outcome == "H1":
		verdict, test = first+h1+second, "the test passed"
	case t.Outcome == "H0":
		verdict, test = first+h0+second, "the test failed"
	case over:
		test = "the test ended undecided"
	}
	return fmt.Sprintf("%s: %s%s after %s", verdict, eloText(elo), test, templates.Count(s.Places[0].Played, "match", "matches"))
}

// eloText writes a difference with its interval for the middle of a sentence, such as "31 Elo [12, 50], ". It returns
// "" if the difference is not known.
func eloText(i *report.Interval) string {
	switch {
	case i == nil || i.Low.Absent() && i.High.Absent():
		return ""
	case i.High.Absent():
		return "more than " + templates.Number(i.Low.Text(0)) + " Elo, "
	case i.Low.Absent():
		return "less than " + templates.Number(i.High.Text(0)) + " Elo, "
	}
	return fmt.Sprintf("%s Elo [%s, %s], ", templates.Number(i.Value.Text(0)), templates.Number(i.Low.Text(0)), templates.Number(i.High.Text(0)))
}
