package proof

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"versus2048/lab/retrograde"
	"versus2048/rules"
)

// played returns the largest score of all games from p in which the attacker places tiles as in policy, which has
// canonical boards with the attacker to move. It knows nothing of layers and of the number of 4s.
func played(t *testing.T, p rules.Position, policy map[rules.Board]rules.Board, seen map[rules.Position]int) int {
	p = p.Canonical()
	if score, ok := seen[p]; ok {
		return score
	}
	placed, ok := policy[p.Board()]
	if !ok {
		t.Fatalf("no placement on %v", p)
	}
	most := -1
	for _, m := range p.AppendMoves(nil) {
		if q := p.Next(m); q.Board() == placed {
			most = q.Score()
			for _, slide := range q.AppendMoves(nil) {
				most = max(most, played(t, q.Next(slide), policy, seen))
			}
		}
	}
	if most < 0 {
		t.Fatalf("the placement on %v is not legal", p)
	}
	seen[p] = most
	return most
}

// The bound is the largest score of all games against the same placements, and no less than the score under perfect
// play.
func TestFewestIsAllGames(t *testing.T) {
	for _, r := range []rules.Ruleset{rules.GPCC2015, rules.GPCC2016} {
		for _, size := range []rules.Size{{Width: 2, Height: 2}, {Width: 3, Height: 2}} {
			for _, plies := range []int{0, 5_000} {
				f := newFewestFollower(FewestConfig{Rules: r, Size: size, Plies: plies, Layer: plies / 10, Threads: 2, Memory: 1 << 28})
				policy := map[rules.Board]rules.Board{}
				f.chosen = func(b policyBoard, placed rules.Board) {
					if _, ok := policy[b.board]; ok {
						t.Errorf("%v %v: two placements on %v", r, size, b.board)
					}
					policy[b.board] = placed
				}
				b, err := f.bound(t.Context(), func(PolicyBound) {})
				if err != nil {
					t.Fatal(err)
				}
				if want := played(t, rules.NewPosition(r, size), policy, map[rules.Position]int{}); b.Score != want || b.Boards != len(policy) {
					t.Errorf("%v %v: bound %d with %d boards, want %d with %d", r, size, b.Score, b.Boards, want, len(policy))
				}
				solution, err := retrograde.Solve(t.Context(), r, size, nil)
				if err != nil {
					t.Fatal(err)
				}
				if value, err := solution.Value(rules.NewPosition(r, size)); err != nil || b.Score < int(value.Gain) {
					t.Errorf("%v %v: bound %d, value %v %v", r, size, b.Score, value.Gain, err)
				}
			}
		}
	}
}

// Threads change nothing, and learning leaves fewer boards.
func TestFewestLearns(t *testing.T) {
	bound := func(plies, threads int) PolicyBound {
		b, err := BoundByFewest(t.Context(), FewestConfig{
			Rules: rules.GPCC2016, Size: rules.Size{Width: 4, Height: 2}, Plies: plies, Layer: plies / 10, Threads: threads, Memory: 1 << 28,
		}, func(PolicyBound) {})
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	none, learned := bound(0, 1), bound(20_000, 1)
	if learned.Boards >= none.Boards {
		t.Errorf("%d boards without learning, %d with it", none.Boards, learned.Boards)
	}
	if again := bound(20_000, 2); !reflect.DeepEqual(again, learned) {
		t.Errorf("%+v with two threads, %+v with one", again, learned)
	}
}

func TestFewestRefuses(t *testing.T) {
	game := FewestConfig{Rules: rules.GPCC2016, Size: rules.Size{Width: 4, Height: 2}, Memory: 1 << 10}
	solo, negative := game, game
	solo.Rules, negative.Plies = rules.Solo, -1
	for want, c := range map[string]FewestConfig{"bytes of memory": game, "under solo": solo, "negative": negative} {
		if _, err := BoundByFewest(t.Context(), c, func(PolicyBound) {}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(context.DeadlineExceeded)
	if _, err := BoundByFewest(ctx, game, func(PolicyBound) {}); err != context.DeadlineExceeded {
		t.Errorf("error %v after the end of the context", err)
	}
}
