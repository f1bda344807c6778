package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"versus2048/arena"
	"versus2048/tournament"
	"versus2048/tournament/report"
)

// screen are the lines of a terminal: progress, and standings once there are any.
func screen(p arena.Progress) []string {
	lines := []string{progressLine(p)}
	if !standing(p) {
		return lines
	}
	var table strings.Builder
	_ = report.WriteStandings(&table, *p.Standings) // a strings.Builder takes everything
	return append(lines, strings.Split(strings.TrimRight(table.String(), "\n"), "\n")...)
}

// plainLines are the progress, and the standings in short.
func plainLines(p arena.Progress) []string {
	lines := []string{progressLine(p)}
	if standing(p) {
		lines = append(lines, "  "+report.StandingsLine(*p.Standings))
	}
	return lines
}

// standing tells whether there are standings: a match is decided.
func standing(p arena.Progress) bool {
	played := func(place tournament.Place) bool { return place.Played > 0 }
	return p.Standings != nil && slices.ContainsFunc(p.Standings.Places, played)
}

// portion is how many tenths of the games are done, or tens of games where there
// is no end.
func portion(p arena.Progress) int {
	if p.Total == 0 {
		return p.Done / 10
	}
	return 10 * p.Done / p.Total
}

// progressLine is such as "event 3 [=====     ] 12/24 games, 2 playing, 0:12 left,
// 38.5 games/min, 5120 plies/s".
func progressLine(p arena.Progress) string {
	if p.State == arena.Waiting {
		return fmt.Sprintf("event %d waits for its bots", p.Event)
	}
	line := fmt.Sprintf("event %d %s games, %d playing", p.Event, countText(p), p.Playing)
	switch {
	case p.State != arena.Running:
		line += ", " + string(p.State)
	case p.Left > 0:
		line += ", " + clock(time.Duration(p.Left)) + " left"
	}
	if seconds := time.Duration(p.Elapsed).Seconds(); seconds > 0 {
		line += fmt.Sprintf(", %.1f games/min, %.0f plies/s", 60*float64(p.Played)/seconds, float64(p.Plies)/seconds)
	}
	return line
}

// bar is such as "[=====     ]".
func bar(done, total int) string {
	const width = 20
	full := width * done / max(1, total)
	return "[" + strings.Repeat("=", full) + strings.Repeat(" ", width-full) + "]"
}

// countText is such as "[=====     ] 12/24", or, where nobody knows how many games
// there will be, "12 of at most 30".
func countText(p arena.Progress) string {
	if p.Bound != tournament.Exactly {
		return p.Bound.Of(p.Done, p.Total)
	}
	return fmt.Sprintf("%s %d/%d", bar(p.Done, p.Total), p.Done, p.Total)
}

// clock writes a duration as h:mm:ss or m:ss.
func clock(d time.Duration) string {
	s := int(d.Round(time.Second).Seconds())
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}
