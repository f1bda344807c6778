package tournament

import (
	"encoding/binary"
	"hash/fnv"
)

// Line identifies the moves of a game. Games with equal moves have the same Line; games with
// different moves have different ones, except for one pair in 2^64. 0 means unknown.
type Line uint64

// LineOf returns the Line of a game's moves, packed by [record.PackTurns]. It returns 0 for a game
// without moves, since that is no play to repeat.
func LineOf(turns []byte) Line {
	if len(turns) == 0 {
		return 0
	}
	h := fnv.New64a()
	_, _ = h.Write(turns) // never fails
	return Line(h.Sum64())
}

// Repeats finds matches that repeat an earlier match of the same two bots move by move. That happens with bots
// that always answer a position with the same move. Such a match tells nothing new about the bots. The zero
// Repeats has seen no match. A Repeats remembers the first 262,144 different matches, to bound its memory: bots
// that have played that many without a repeat vary their play.
type Repeats struct {
	seen map[uint64]bool
}

const mostRemembered = 1 << 18

// Seen reports whether a match has the same moves and endings as a match that was added. First and
// Second may be swapped. A match with unknown moves, such as a walkover, repeats no other.
func (r *Repeats) Seen(m MatchResult) bool {
	key, known := keyOfMatch(&m)
	return known && r.seen[key]
}

// Add adds a match, and returns the result of Seen before that.
func (r *Repeats) Add(m MatchResult) (seen bool) {
	key, known := keyOfMatch(&m)
	if !known {
		return false
	}
	if r.seen == nil {
		r.seen = map[uint64]bool{}
	}
	seen = r.seen[key]
	if len(r.seen) < mostRemembered {
		r.seen[key] = true
	}
	return seen
}

// keyOfMatch returns a number that is the same for matches that repeat each other. known is false
// if the moves of one of the games are unknown.
func keyOfMatch(m *MatchResult) (key uint64, known bool) {
	names, legs := []string{m.First, m.Second}, m.Legs
	if m.Second < m.First {
		names[0], names[1] = names[1], names[0]
		legs[0], legs[1] = legs[1], legs[0]
	}
	text := []byte(m.Start.String())
	for i, name := range names {
		text = append(text, "\x00"+name+"\x00"+string(legs[i].Ending)+"\x00"...)
		text = binary.LittleEndian.AppendUint64(text, uint64(legs[i].Line))
	}
	h := fnv.New64a()
	_, _ = h.Write(text) // never fails
	return h.Sum64(), m.By != ByWalkover && legs[0].Line != 0 && legs[1].Line != 0
}
