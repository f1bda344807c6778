package viewer

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"versus2048/internal/text/terminal"
)

// page is the number of plies that keyPageForward and keyPageBack skip.
const page = 10

// speeds are the pauses between two plies of autoplay, slowest first.
var speeds = []time.Duration{2 * time.Second, time.Second, 500 * time.Millisecond, 250 * time.Millisecond, 100 * time.Millisecond, 40 * time.Millisecond, 10 * time.Millisecond}

// normalSpeed is the index of autoplay's first speed.
const normalSpeed = 2

// keysHelp is the line that lists the keys.
const keysHelp = "←→ ply  ↑↓ 10 plies  Home End  space play  +- speed  n p mark  s search  q quit"

// state determines the lines on the screen.
type state struct {
	game    *Game
	ply     int
	search  bool // also show search reports
	playing bool
	speed   int // an index of speeds
	marks   []Mark
	judged  bool // marks holds all marks
	message string
}

// press carries out a key. It returns false if the key asks to quit.
func (s *state) press(k key) bool {
	s.message = ""
	if k != keyPlay && k != keyFaster && k != keySlower && k != keySearch {
		s.playing = false
	}
	switch k {
	case keyQuit:
		return false
	case keyNext:
		s.move(s.ply + 1)
	case keyBack:
		s.move(s.ply - 1)
	case keyPageForward:
		s.move(s.ply + page)
	case keyPageBack:
		s.move(s.ply - page)
	case keyFirst:
		s.move(0)
	case keyLast:
		s.move(s.game.Last())
	case keyPlay:
		s.play()
	case keyFaster:
		s.speed = min(s.speed+1, len(speeds)-1)
	case keySlower:
		s.speed = max(s.speed-1, 0)
	case keyNextMark:
		s.jump(s.marks, func(m Mark) bool { return m.Ply > s.ply })
	case keyPreviousMark:
		back := slices.Clone(s.marks)
		slices.Reverse(back)
		s.jump(back, func(m Mark) bool { return m.Ply < s.ply })
	case keySearch:
		s.search = !s.search
	}
	return true
}

// move shows a ply, or the nearest existing one.
func (s *state) move(ply int) { s.ply = max(0, min(ply, s.game.Last())) }

// play starts or stops autoplay. At the end of the game it starts again from the beginning.
func (s *state) play() {
	s.playing = !s.playing
	if s.playing && s.ply == s.game.Last() {
		s.ply = 0
	}
}

// jump shows the first mark for which meant returns true. Without such a mark the ply stays, and a message says so.
func (s *state) jump(marks []Mark, meant func(Mark) bool) {
	i := slices.IndexFunc(marks, meant)
	switch {
	case i >= 0:
		s.ply = marks[i].Ply
	case !s.judged:
		s.message = "still looking for bad moves"
	default:
		s.message = "no more marks in this direction"
	}
}

// step shows the next ply of autoplay. Autoplay stops at the last ply.
func (s *state) step() {
	s.move(s.ply + 1)
	s.playing = s.playing && s.ply < s.game.Last()
}

// lines returns the screen, in lines that fit into width and height.
func (s *state) lines(width, height int) []string {
	g := s.game
	head := []string{g.title(), s.scale(width), ""}
	text := g.Text(s.ply, s.search)
	if s.ply == 0 {
		_, board, _ := strings.Cut(text, "\n")
		text = "ply 0: the start\n" + board
	}
	body := strings.Split(terminal.Wrap(strings.TrimRight(text, "\n"), width, "  "), "\n")
	foot := []string{s.status(), keysHelp}
	room := height - len(head) - len(foot)
	body = body[:max(0, min(len(body), room))]
	lines := slices.Concat(head, body, slices.Repeat([]string{""}, max(0, room-len(body))), foot)
	for i, line := range lines {
		lines[i] = terminal.Cut(line, width)
	}
	return lines[:max(0, min(len(lines), height))]
}

// scale returns a line that shows the places of the ply and of the marks in the game, such as "|----!---#--------!|".
func (s *state) scale(width int) string {
	cells := slices.Repeat([]rune{'-'}, max(1, min(width-2, 78)))
	at := func(ply int) int { return ply * (len(cells) - 1) / max(1, s.game.Last()) }
	for _, m := range s.marks {
		cells[at(m.Ply)] = '!'
	}
	cells[at(s.ply)] = '#'
	return "|" + string(cells) + "|"
}

// status describes the mark at this ply, the result of the last key, and the speed of autoplay.
func (s *state) status() string {
	var parts []string
	for _, m := range s.marks {
		if m.Ply == s.ply {
			parts = append(parts, "! "+m.Why)
		}
	}
	if s.message != "" {
		parts = append(parts, s.message)
	}
	if s.playing {
		parts = append(parts, fmt.Sprintf("playing, %v a ply", speeds[s.speed]))
	}
	return strings.Join(parts, "; ")
}
