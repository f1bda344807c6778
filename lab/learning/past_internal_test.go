package learning

import (
	"testing"

	"versus2048/players/playout"
	"versus2048/rules"
)

// Most boards of a past were added late, but some early ones stay. Only whole, playable boards come out of a
// checkpoint.
func TestPast(t *testing.T) {
	random := playout.NewGenerator(1)
	p := new(past)
	if _, ok := p.draw(&random); ok {
		t.Error("an empty past has a board")
	}
	begun := new(past)
	begun.added.Store(1)
	if b, ok := begun.draw(&random); ok {
		t.Errorf("board %d is drawn before it is stored", b)
	}
	for b := range rules.Board(3 * pastBoards) {
		p.add(b, &random)
	}
	late, early := 0, 0
	for range 1000 {
		b, ok := p.draw(&random)
		if !ok || b >= 3*pastBoards {
			t.Fatalf("board %d, %v", b, ok)
		}
		if b >= 2*pastBoards {
			late++
		} else if b < pastBoards {
			early++
		}
	}
	if late < 2*early || early == 0 {
		t.Errorf("%d late boards and %d early ones of 1000", late, early)
	}

	size := rules.Size{Width: 2, Height: 2}
	q := new(past)
	for _, b := range []rules.Board{0x0010, 0x0020_0001} {
		q.add(b, &random)
	}
	packed, again := q.pack(), new(past)
	if err := again.unpack(packed, size); err != nil || again.len() != 2 || again.boards[1].Load() != 0x0020_0001+1 {
		t.Errorf("%v, %d boards", err, again.len())
	}
	for _, wrong := range [][]byte{packed[:9], {0x11, 0, 0x11, 0, 0, 0, 0, 0}, {0, 1, 0, 0, 0, 0, 0, 0}, make([]byte, boardBytes*(pastBoards+1))} {
		if err := new(past).unpack(wrong, size); err == nil {
			t.Errorf("%d bytes were taken for boards", len(wrong))
		}
	}
}
