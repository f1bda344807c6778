package protocol_test

import (
	"context"
	"testing"

	"github.com/gorilla/websocket"

	"versus2048/protocol"
	"versus2048/rules"
)

// eventful is a context that lets something happen after the question was put
// and before its answer is waited for.
type eventful struct {
	context.Context
	happen func()
}

func (e eventful) Done() <-chan struct{} {
	e.happen()
	return e.Context.Done()
}

// A bot that answers and leaves has answered. Often, since a select takes
// either of two things that are both there.
func TestAnswerBeforeGoodbyeCounts(t *testing.T) {
	for range 20 {
		a := newArena()
		b := dial(t, a.listen(t))
		b.enter()
		p := position(t, "2,0/0,2 D 0 1")
		seat := a.sit("1", p)
		ctx := eventful{t.Context(), func() {
			b.say(move("1", 1, "N"))
			b.say(protocol.Goodbye{})
			hear[protocol.Start](b)
			hear[protocol.Request](b)
			b.hearClose(websocket.CloseNormalClosure)
			<-a.ended
		}}
		if m, err := seat.Choose(ctx, p); err != nil || m != rules.North {
			t.Fatalf("chosen: %v, %v; want N", m, err)
		}
	}
}
