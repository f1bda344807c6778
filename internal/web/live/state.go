package live

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"time"
)

// States are things with watchers, such as events. Every message about a thing holds its whole state.
type States[S any] struct {
	look func(ctx context.Context, id int64, last S) (now S, next time.Duration, err error)
	hub  *hub[*message[S]]
}

// message is a state as an event of a stream.
type message[S any] struct {
	state S
	text  []byte
	tag   string // a checksum of the state
}

// NewStates returns the states that look returns, as JSON. look is called once for all watchers of a thing. last is the
// state before, the zero value at first; next is the time until the next look, 0 if nothing can change any more.
func NewStates[S any](look func(ctx context.Context, id int64, last S) (now S, next time.Duration, err error)) *States[S] {
	s := &States[S]{look: look}
	s.hub = newHub(s.next)
	return s
}

func (s *States[S]) next(ctx context.Context, id int64, last *message[S]) (*message[S], time.Duration, error) {
	if last == nil {
		last = &message[S]{}
	}
	state, until, err := s.look(ctx, id, last.state)
	if err != nil {
		return nil, 0, err
	}
	text, err := json.Marshal(state)
	if err != nil {
		return nil, 0, err
	}
	sum := sha256.Sum256(text)
	tag := hex.EncodeToString(sum[:8])
	if tag == last.tag {
		return last, until, nil
	}
	return &message[S]{state, Event("state", tag, json.RawMessage(text)), tag}, until, nil
}

// Follow sends the states of a thing, each as an event “state” with its tag as the id, and an event “end” once it
// cannot change any more. It returns an error if the reader is gone. seen is the tag of the state that the reader has,
// "" for none.
func (s *States[S]) Follow(ctx context.Context, to *Stream, id int64, seen string) error {
	err := s.hub.follow(ctx, to, id, func(now *message[S]) (bool, error) {
		if now.tag == seen {
			return true, nil
		}
		seen = now.tag
		return true, to.Send(now.text)
	})
	if err != nil {
		return err
	}
	return to.Send(Event("end", "", nil))
}
