package alphabeta

import (
	"slices"
	"sync"
	"testing"

	"versus2048/players/searching"
	"versus2048/players/searchtest"
	"versus2048/rules"
)

// TestDeferred checks that each move is taken once and in its turn, and that moves that another thread is searching
// come after all others.
func TestDeferred(t *testing.T) {
	u := new(underway)
	for _, busy := range []rules.Board{1, 4} {
		u.begin(busy, 6)
	}
	var taken []int
	left, late := uint64(1<<5-1), deferred{}
	for late.more(&left) {
		i := takeLowest(&left)
		if late.defers(i, u, rules.Board(i), 6) {
			continue
		}
		taken = append(taken, i)
	}
	if want := []int{0, 2, 3, 1, 4}; !slices.Equal(taken, want) {
		t.Errorf("took %v, want %v", taken, want)
	}
}

// TestUnderway checks that a thread sees the searches of another one.
func TestUnderway(t *testing.T) {
	const board = rules.Board(0x1234)
	u := new(underway)
	u.begin(board, 6)
	u.begin(board, dividedPlies-1)
	if !u.has(board, 6) || u.has(board, 8) || u.has(board+1, 6) || u.has(board, dividedPlies-1) {
		t.Error("a search of another board or depth is taken for one that is under way")
	}
	if u.end(board, 6); u.has(board, 6) {
		t.Error("a search that has ended is still under way")
	}
	var alone *underway
	alone.begin(board, 6)
	if alone.has(board, 6) {
		t.Error("a single thread has company")
	}
	alone.end(board, 6)
}

// held is an evaluation that keeps its thread until it is released.
type held struct {
	searching.Evaluation
	entered, release chan struct{}
}

func (e held) Of(b rules.Board) int {
	select {
	case e.entered <- struct{}{}:
	default:
	}
	<-e.release
	return e.Evaluation.Of(b)
}

// TestLateCompanion searches beside a companion that the system does not run. The search must not wait for it.
// The companion must take part again after it has seen that its search is over.
func TestLateCompanion(t *testing.T) {
	late, made := held{reserve(rules.Full), make(chan struct{}, 1), make(chan struct{})}, 0
	s := New(Config{Hurry: true, Keep: true, Threads: 2, Evaluation: func(size rules.Size) searching.Evaluation {
		if made++; made == 2 {
			return late
		}
		return reserve(size)
	}})
	p := searchtest.Position(t, rules.GPCC2015, "0,2,0,2/0,0,4,0/0,0,2,8/16,8,16,4 A")
	moves, begun := p.AppendMoves(nil), sync.OnceFunc(func() { <-late.entered })
	s.Choose(p, moves, searching.Budget{Depth: 4, Stop: func() bool { begun(); return false }})
	visited := s.visited[0]
	s.Choose(p, moves, deep(4))
	if len(s.visited) != 0 {
		t.Error("a thread that is late takes part in the next search")
	}
	close(late.release)
	s.running.Wait()
	if *visited == 0 {
		t.Error("the nodes of a thread are not counted")
	}
	s.Choose(p, moves, deep(4))
	if len(s.visited) != 1 {
		t.Error("a thread that was late once takes no part any more")
	}
}
