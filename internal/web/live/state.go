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
	look  func(ctx context.Context, id int64, last S) (now S, next Wait, err error)
	shown func(S) any
	hub   *hub[*message[S]]
}

// message is a state as an event of a stream.
type message[S any] struct {
	state S
	text  []byte
	tag   string
}

// NewStates returns the states that look returns, as JSON. look is called once for all watchers of a thing, after each
// change but at most once in each interval. last is the state that was sent last, the zero value at first. shown
// returns everything that watchers see of a state: a state that shows the same as last is not sent.
func NewStates[S any](interval time.Duration, look func(ctx context.Context, id int64, last S) (now S, next Wait, err error), shown func(S) any) *States[S] {
	s := &States[S]{look: look, shown: shown}
	s.hub = newHub(interval, s.next)
	return s
}

func (s *States[S]) next(ctx context.Context, id int64, last *message[S]) (*message[S], Wait, error) {
	if last == nil {
		last = &message[S]{}
	}
	state, next, err := s.look(ctx, id, last.state)
	if err != nil {
		return nil, nil, err
	}
	tag := Tag(s.shown(state))
	if tag == last.tag {
		return last, next, nil
	}
	return &message[S]{state, Event("state", tag, state), tag}, next, nil
}

// Tag returns a checksum of a state as watchers see it.
func Tag(shown any) string {
	text, err := json.Marshal(shown)
	if err != nil {
		text = []byte(err.Error())
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}

// Follow sends the states of a thing, each as an event “state” with its tag as the id, and an event “end” once it
// cannot change any more. seen is the tag of the state that the reader has, "" for none. Follow returns an error if the
// first state cannot be read, ctx ends or the reader is gone.
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
