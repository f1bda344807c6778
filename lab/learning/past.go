package learning

import (
	"encoding/binary"
	"errors"
	"fmt"
	"sync/atomic"

	"versus2048/players/playout"
	"versus2048/rules"
)

// past keeps boards of earlier games, so that later games can begin from them. Games that begin on the empty
// board spend most of their plies where little is left to learn, and few of them reach the late boards of a
// good game. Several goroutines may use a past at once.
type past struct {
	boards [pastBoards]atomic.Uint64 // each board plus 1; 0 as long as none is stored
	added  atomic.Uint64             // the number of boards added so far; the last ones may not be stored yet
}

// pastBoards is the number of boards that a past keeps. Once it is full, a new board takes the place of a random
// one, so that most boards are of recent games.
const pastBoards = 1 << 16

// add keeps a board with the attacker to move.
func (p *past) add(b rules.Board, random *playout.Generator) {
	at := p.added.Add(1) - 1
	if at >= pastBoards {
		at = uint64(random.Below(pastBoards))
	}
	p.boards[at].Store(uint64(b) + 1)
}

// draw returns a random board. ok is false if the past is empty, or if another goroutine has not stored that board yet.
func (p *past) draw(random *playout.Generator) (b rules.Board, ok bool) {
	n := p.len()
	if n == 0 {
		return 0, false
	}
	stored := p.boards[random.Below(n)].Load()
	return rules.Board(stored - 1), stored > 0
}

func (p *past) len() int { return int(min(p.added.Load(), pastBoards)) }

// boardBytes is the size of a board in a checkpoint.
const boardBytes = 8

// pack returns the boards as little-endian numbers.
func (p *past) pack() []byte {
	packed := make([]byte, 0, boardBytes*p.len())
	for i := range p.len() {
		packed = binary.LittleEndian.AppendUint64(packed, p.boards[i].Load()-1)
	}
	return packed
}

// unpack adds packed boards to an empty past. It returns an error if games of size s cannot begin on them.
func (p *past) unpack(packed []byte, s rules.Size) error {
	if n := len(packed); n%boardBytes != 0 || n > boardBytes*pastBoards {
		return fmt.Errorf("boards of %d bytes: want a multiple of %d, at most %d", n, boardBytes, boardBytes*pastBoards)
	}
	for ; len(packed) > 0; packed = packed[boardBytes:] {
		b := rules.Board(binary.LittleEndian.Uint64(packed))
		if !within(b, s) {
			return fmt.Errorf("a board with a tile outside of %v", s)
		}
		if b.Empty(s) == 0 {
			return errors.New("a board without an empty cell")
		}
		p.boards[p.added.Add(1)-1].Store(uint64(b) + 1)
	}
	return nil
}

// within reports whether all tiles are within the size.
func within(b rules.Board, s rules.Size) bool {
	for cell := range 16 {
		if outside := cell&3 >= int(s.Width) || cell>>2 >= int(s.Height); outside && b.Exponent(cell) != 0 {
			return false
		}
	}
	return true
}
