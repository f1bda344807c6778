package templates

import (
	"fmt"
	"math"
	"strings"
	"time"

	"versus2048/internal/text/plain"
	"versus2048/rules"
	"versus2048/rules/record"
)

// Number writes a number with spaces between its thousands, as 12 345 or −1 234.5. It writes “-”, which stands for a
// missing figure, as a dash.
func Number(n any) string {
	text, sign := fmt.Sprint(n), ""
	if text == "-" {
		return "–"
	}
	if strings.HasPrefix(text, "-") {
		sign, text = "−", text[1:]
	}
	whole, decimals, _ := strings.Cut(text, ".")
	if decimals != "" {
		decimals = "." + decimals
	}
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "\u202f" + whole[i:]
	}
	return sign + whole + decimals
}

// Signed writes a number as Number does, but rounded, and with a plus if it is positive.
func Signed(x float64) string {
	n := int(math.Round(x))
	if n > 0 {
		return "+" + Number(n)
	}
	return Number(n)
}

// Count writes a number and a noun. many is the plural of the noun, and may be missing if the plural only adds an s.
func Count(n int, one string, many ...string) string {
	switch {
	case n == 1:
		return "1 " + one
	case len(many) == 0:
		return Number(n) + " " + one + "s"
	}
	return Number(n) + " " + many[0]
}

// Span writes a rough duration in words.
func Span(d time.Duration) string {
	switch {
	case d >= Century:
		return "a century or more"
	case d >= 72*time.Hour:
		return Count(int(d.Round(24*time.Hour)/(24*time.Hour)), "day")
	case d >= 100*time.Minute:
		return Count(int(d.Round(time.Hour)/time.Hour), "hour")
	case d >= 100*time.Second:
		return Count(int(d.Round(time.Minute)/time.Minute), "minute")
	case d >= time.Second:
		return Count(int(d.Round(time.Second)/time.Second), "second")
	}
	return "a second"
}

// Milliseconds writes a short time as 0.42 ms, 42 ms or 4.2 s.
func Milliseconds(d time.Duration) string {
	switch ms := float64(d) / float64(time.Millisecond); {
	case ms >= 1000:
		return fmt.Sprintf("%.1f s", ms/1000)
	case ms >= 10:
		return fmt.Sprintf("%.0f ms", ms)
	case ms >= 1:
		return fmt.Sprintf("%.1f ms", ms)
	default:
		return fmt.Sprintf("%.2f ms", ms)
	}
}

// Ordinal writes a place, such as 1st or 12th.
func Ordinal(n int) string {
	ending := map[int]string{1: "st", 2: "nd", 3: "rd"}[n%10]
	if ending == "" || n%100 >= 11 && n%100 <= 13 {
		ending = "th"
	}
	return fmt.Sprint(n) + ending
}

// Ending describes the end of a game in words.
func Ending(r *record.Record) string {
	loser := ""
	if winner, ok := r.Winner(); ok {
		loser = fmt.Sprintf("%s, the %v, ", plain.Line(BotOf(r, winner.Other())), winner.Other())
	}
	switch r.Ending {
	case record.Mate:
		return "Mate: no slide is left"
	case record.IllegalMove:
		return loser + "made an illegal move and loses the game"
	case record.Time:
		return loser + "ran out of time and loses the game"
	case record.Disconnect:
		return loser + "lost the connection and with it the game"
	case record.Resigned:
		return loser + "resigned"
	case record.MaxTurns:
		return "The event's limit of turns was reached"
	case record.MaxTile:
		return "The event's limit of tiles was reached"
	case record.Decided:
		return "Stopped: the rest could not change who wins the match"
	case record.Unfinished:
		return "Not finished"
	}
	return string(r.Ending)
}

// Ended describes the end of a game, with the bot at fault and the defender's score.
func Ended(r *record.Record, score int) string {
	text := Ending(r)
	if r.Detail != "" {
		text += " (" + plain.Line(r.Detail) + ")"
	}
	return fmt.Sprintf("%s. %s scored %s.", text, plain.Line(r.Defender), Number(score))
}

// Move describes a legal move in a position, such as “The defender slides left: 8+8=16, 24 points in all”.
func Move(before rules.Position, m rules.Move) string {
	if !m.IsSlide() {
		tile := 2
		if m.IsFour() {
			tile = 4
		}
		return fmt.Sprintf("The attacker places a %d at (%d,%d)", tile, m.Cell()&3+1, m.Cell()>>2+1)
	}
	after, sums := before.Next(m), ""
	if made := merges(before, after); len(made) > 0 {
		sums = ": " + strings.Join(made, ", ")
	}
	return fmt.Sprintf("The defender slides %s%s, %s in all", Way(m), sums, Count(after.Score(), "point"))
}

// Way writes the direction of a slide: up, down, left or right.
func Way(m rules.Move) string {
	return map[rules.Move]string{rules.North: "up", rules.South: "down", rules.West: "left", rules.East: "right"}[m]
}

// merges returns the merges of a slide, such as “2+2=4”, the small ones first. They follow from the numbers of equal
// tiles: each merge takes two equal tiles away and adds one of the next larger ones.
func merges(before, after rules.Position) (sums []string) {
	more := map[int]int{} // by value: the number of tiles before the slide minus the number after it
	for y, row := range before.Tiles() {
		for x, tile := range row {
			more[tile]++
			more[after.Tile(x+1, y+1)]--
		}
	}
	for tile := 2; tile <= after.LargestTile(); tile *= 2 {
		pairs := more[tile] / 2
		for range pairs {
			sums = append(sums, fmt.Sprintf("%d+%d=%d", tile, tile, 2*tile))
		}
		more[2*tile] += pairs
	}
	return sums
}

// Pause describes how long the clock stood still during the move that led to a ply, "" if it did not. For the last ply
// the text also has the pause during the move that was never made.
func Pause(r *record.Record, ply int) string {
	var parts []string
	for _, p := range r.Pauses {
		if p.Ply != ply-1 && (p.Ply != len(r.Moves) || ply != len(r.Moves)) {
			continue
		}
		if away := p.Away.Round(time.Millisecond); away > 0 {
			parts = append(parts, fmt.Sprintf("%v because the bot was disconnected", away))
		}
		if stall := p.Stall.Round(time.Millisecond); stall > 0 {
			parts = append(parts, fmt.Sprintf("%v because the arena itself stood still", stall))
		}
	}
	if parts == nil {
		return ""
	}
	return "The clock stood still for " + strings.Join(parts, ", and for ") + "."
}

// Pauses returns the text of Pause for each ply that has one.
func Pauses(r *record.Record) map[int]string {
	texts := map[int]string{}
	for _, p := range r.Pauses {
		ply := min(p.Ply+1, len(r.Moves))
		if text := Pause(r, ply); text != "" {
			texts[ply] = text
		}
	}
	return texts
}

// BotOf returns the name of the bot that plays a side.
func BotOf(r *record.Record, side rules.Side) string {
	if side == rules.Attacker {
		return r.Attacker
	}
	return r.Defender
}

// Century is the shortest time that Span writes as “a century or more”.
const Century = 100 * 365 * 24 * time.Hour
