package protocol_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"

	"versus2048/protocol"
	"versus2048/rules"
	"versus2048/rules/record"
)

// The session that the document shows is played, and each of the arena's lines
// must come as it stands there.
func TestDocumentedSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newArena()
		a.session = protocol.NewSession(protocol.Hello{Name: "tiny"}, 30*time.Second)
		b := dialPipe(t, a.pipes(t))
		go a.refereeDocumented(t)
		for line := range strings.Lines(blocks(t, "session")[0]) {
			who, text, _ := strings.Cut(strings.TrimSpace(line), " ")
			if who == ">" {
				b.write(websocket.TextMessage, text)
				continue
			}
			_, heard, err := b.ws.ReadMessage()
			if err != nil {
				t.Fatalf("%v instead of %s", err, text)
			}
			if !sameJSON(t, text, string(heard)) {
				t.Fatalf("heard\n%s\nwhere the document has\n%s", heard, text)
			}
		}
		b.hearClose(websocket.CloseNormalClosure)
	})
}

// refereeDocumented plays the document's game with its attacker's moves.
func (a *arena) refereeDocumented(t *testing.T) {
	if err := a.session.Wait(t.Context()); err != nil {
		t.Error(err)
		return
	}
	p := rules.NewPosition(rules.GPCC2015, rules.Size{Width: 2, Height: 2})
	seat := a.session.Sit(protocol.Start{
		Game: "1", Event: "smallest", Match: 1, Leg: 2, Role: rules.Defender, Opponent: "rook",
		Clock: protocol.Clock{MoveMS: 5000}, Seed: 7,
	}, p)
	placements := []string{"(1,1)", "(1,1)", "(2,1)", "(1,1)", "(2,2)", "(2,2)"}
	for !p.Over() {
		var m rules.Move
		var err error
		if p.SideToMove() == rules.Attacker {
			m, err = rules.ParseMove(placements[0])
			placements = placements[1:]
		} else {
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
			m, err = seat.Choose(ctx, p)
			cancel()
		}
		if err == nil {
			p, err = p.Play(m)
		}
		if err != nil {
			t.Error(err)
			return
		}
		seat.Played(m)
	}
	mine, other := p.Score(), 20
	seat.Over(protocol.Over{
		Ending: record.Mate, Score: mine, LargestTile: p.LargestTile(), Plies: p.Ply(),
		Match: protocol.MatchScores{Number: 1, YourScore: &mine, OpponentScore: &other},
	})
}
