package protocol

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"math"
	"testing"

	"versus2048/internal/testkit"
	"versus2048/players"
	"versus2048/rules"
)

// firstMove plays the first legal move.
type firstMove struct{}

func (firstMove) Choose(_ context.Context, p rules.Position) (rules.Move, error) {
	moves := p.AppendMoves(nil)
	if len(moves) == 0 {
		return 0, errors.New("no move")
	}
	return moves[0], nil
}

// The longest time for a move does not overflow.
func TestLongestRequest(t *testing.T) {
	ctx, stop := requestContext(Request{LeftMS: new(int64(math.MaxInt64))})
	defer stop()
	if ctx.Err() != nil {
		t.Error("the time is over")
	}
}

// While the player of a game is made, the players of other games can send their moves: the lock is free.
func TestPlayersAreMadeWithoutTheLock(t *testing.T) {
	var games *clientGames
	made := 0
	games = newClientGames(func(Start) (players.Player, error) {
		made++
		if games.mu.TryLock() {
			games.mu.Unlock()
		} else {
			t.Error("the lock is held")
		}
		return firstMove{}, nil
	}, 0, slog.New(slog.DiscardHandler))
	defer games.close()
	again := Start{Game: "1", Resumed: true}
	for _, s := range []Start{{Game: "1"}, {Game: "1"}, {Game: "2"}, again} {
		if err := games.handle(s); err != nil {
			t.Fatal(err)
		}
	}
	if made != 3 || len(games.games) != 2 {
		t.Errorf("%d players were made for %d games, want 3 for 2", made, len(games.games))
	}
}

// FuzzClientGames runs a client with a lying arena: each line is a frame from the arena. The client
// keeps no more games than the arena has started, and its players end when it closes.
func FuzzClientGames(f *testing.F) {
	const start = `{"type":"start","game":"1","event":"e","match":1,"leg":1,"role":"attacker","opponent":"x","rules":"gpcc2015","size":"2x2","seed":1}`
	for _, frames := range []string{
		start + "\n" + `{"type":"request","game":"1","ply":0,"board":[[0,0],[0,0]],"score":0,"moves":["(1,1)"],"left_ms":5000}`,
		start + "\n" + `{"type":"request","game":"1","ply":-1,"board":[[3,0],[0]],"score":-9,"moves":[],"left_ms":-5}` + "\n" + `{"type":"over","game":"1","ending":"mate"}`,
		`{"type":"request","game":"2","ply":4294967296,"board":[[65536,65536],[0,0]],"score":0,"moves":[],"left_ms":9223372036854775807}`,
		start + "\n" + start + "\n" + `{"type":"welcome","games":["1"]}` + "\n" + `{"type":"goodbye","message":"x"}`,
	} {
		f.Add([]byte(frames))
	}
	f.Fuzz(func(t *testing.T, frames []byte) {
		testkit.CheckAllocation(t, len(frames), 512, func() {
			games := newClientGames(func(Start) (players.Player, error) { return firstMove{}, nil }, 0, slog.New(slog.DiscardHandler))
			started := 0
			for frame := range bytes.Lines(frames) {
				m, err := Decode(frame)
				if err != nil {
					continue
				}
				if _, ok := m.(Start); ok {
					started++
				}
				if err := games.handle(m); err != nil && errors.Unwrap(err) != nil {
					t.Errorf("%s: %v", frame, err)
				}
			}
			if len(games.games) > started {
				t.Errorf("%d games, of which %d were started", len(games.games), started)
			}
			games.close()
		})
	})
}
