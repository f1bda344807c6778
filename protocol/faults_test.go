package protocol_test

import (
	"context"
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"github.com/gorilla/websocket"

	"versus2048/players"
	"versus2048/protocol"
	"versus2048/rules"
	"versus2048/rules/record"
)

// asked is a bot over a real socket that was just asked for a move in game 1.
func asked(t *testing.T) (a *arena, b *bot, seat *protocol.Seat, done <-chan chosen) {
	t.Helper()
	a = newArena()
	b = dial(t, a.listen(t))
	b.enter()
	seat = a.sit("1", position(t, "2,0/0,2 D 0 1"))
	hear[protocol.Start](b)
	done = choose(t.Context(), seat, position(t, "2,0/0,2 D 0 1"))
	hear[protocol.Request](b)
	return a, b, seat, done
}

func move(game string, ply int, text string) protocol.Move {
	return protocol.Move{Game: game, Ply: ply, Move: text}
}

func TestMoveThatIsNone(t *testing.T) {
	_, b, _, done := asked(t)
	b.say(move("1", 1, "up"))
	got := <-done
	var notation *rules.NotationError
	if !errors.As(got.err, &notation) || notation.Text != "up" {
		t.Errorf("chosen: %v, %v; want a NotationError", got.move, got.err)
	}
}

func TestIllegalMoveIsPassedOn(t *testing.T) {
	_, b, _, done := asked(t)
	b.say(move("1", 1, "(4,4)"))
	wantMove(t, done, rules.Place(15, false)) // for the referee to judge
}

func TestAnswerTooLate(t *testing.T) {
	a := newArena()
	b := dial(t, a.listen(t))
	b.enter()
	p := position(t, "2,0/0,2 D 0 1")
	seat := a.sit("1", p)
	hear[protocol.Start](b)
	ctx, cancel := context.WithCancel(t.Context())
	done := choose(ctx, seat, p)
	hear[protocol.Request](b)
	cancel()
	wantError(t, done, context.Canceled)
	b.say(move("1", 1, "N"))
	b.hearError(protocol.NotAsked)
	if complaint := seat.Complaint(); !strings.Contains(complaint, "ply 1, where nothing is asked") {
		t.Errorf("the complaint is %q", complaint)
	}
	again := choose(t.Context(), seat, p)
	hear[protocol.Request](b)
	if complaint := seat.Complaint(); complaint != "" {
		t.Errorf("asked anew, the complaint is still %q", complaint)
	}
	b.say(move("1", 1, "W"))
	wantMove(t, again, rules.West)
	seat.Over(protocol.Over{Ending: record.Time})
	hear[protocol.Over](b)
	b.say(move("1", 1, "N"))
	b.hearError(protocol.UnknownGame)
}

// An answer that is for something else changes nothing, however often it comes.
func TestAnswerForAnotherGameOrPly(t *testing.T) {
	_, b, seat, done := asked(t)
	for range 5 {
		b.say(move("2", 1, "N"))
		if e := b.hearError(protocol.UnknownGame); e.Game != "2" || *e.Ply != 1 {
			t.Errorf("the error names game %s, ply %d; want 2, 1", e.Game, *e.Ply)
		}
		b.say(move("1", 9, "N"))
		b.hearError(protocol.NotAsked)
	}
	if complaint := seat.Complaint(); !strings.Contains(complaint, "move for ply 9, asked is ply 1") {
		t.Errorf("the complaint is %q", complaint)
	}
	b.say(move("1", 1, "S"))
	wantMove(t, done, rules.South)
}

func TestJunk(t *testing.T) {
	for _, junk := range []struct {
		frame, problem string
		code           protocol.Code
	}{
		{`{"type":`, "byte 8", protocol.Malformed},
		{`[1,2]`, "is a JSON array, want an object", protocol.Malformed},
		{`{"ply":1}`, `"type" is missing`, protocol.Malformed},
		{`{"type":7}`, `"type" is a JSON number, want a string`, protocol.Malformed},
		{`{"type":"mvoe"}`, `type "mvoe"`, protocol.UnknownType},
		{`{"type":"move","game":"1","ply":"one","move":"N"}`, `"ply" of the move is a string, want an integer`, protocol.Malformed},
		{`{"type":"move","game":"1","ply":1}`, `"move" of the move is missing`, protocol.Malformed},
		{`{"type":"move","game":null,"ply":1,"move":"N"}`, `"game" of the move is null`, protocol.Malformed},
		{`{"type":"hello","name":"bot"}`, "a hello is not", protocol.UnknownType},
		{"{\"type\":\"goodbye\",\"reason\":\"\xff\"}", "not UTF-8", protocol.Malformed},
	} {
		t.Run(junk.problem, func(t *testing.T) {
			a, b, seat, _ := asked(t)
			for range 3 {
				b.write(websocket.TextMessage, junk.frame)
				if e := b.hearError(junk.code); !strings.Contains(e.Message, junk.problem) {
					t.Errorf("the problem is %q, want something on %q", e.Message, junk.problem)
				}
			}
			b.hearClose(websocket.ClosePolicyViolation)
			b.ws.Close()
			var form *protocol.FormError
			if err := <-a.ended; !errors.As(err, &form) {
				t.Errorf("the connection ended with %v, want a FormError", err)
			}
			if complaint := seat.Complaint(); !strings.Contains(complaint, junk.problem) {
				t.Errorf("the complaint is %q", complaint)
			}
		})
	}
}

func TestTwoStrikesAreForgiven(t *testing.T) {
	_, b, _, done := asked(t)
	b.write(websocket.TextMessage, "junk")
	b.hearError(protocol.Malformed)
	b.write(websocket.BinaryMessage, `{"type":"move","game":"1","ply":1,"move":"N"}`)
	b.hearError(protocol.Malformed)
	b.write(websocket.TextMessage, `{"type":"move","game":"1","ply":1,"move":"N","mood":"good"}`)
	wantMove(t, done, rules.North)
}

// The frame's header alone must do: the arena does not read the rest of it.
func TestFrameOfHundredMegabytes(t *testing.T) {
	a, b, _, _ := asked(t)
	const text, masked, long = 0x81, 0x80, 127
	header := binary.BigEndian.AppendUint64([]byte{text, masked | long}, 100<<20)
	header = append(header, 0, 0, 0, 0) // the mask
	if _, err := b.ws.NetConn().Write(header); err != nil {
		t.Fatal(err)
	}
	b.hearClose(websocket.CloseMessageTooBig)
	b.ws.Close()
	if err := <-a.ended; !errors.Is(err, websocket.ErrReadLimit) {
		t.Errorf("the connection ended with %v, want the read limit", err)
	}
}

// Nor does it collect the parts of a message that is too long as a whole.
func TestLongMessageInParts(t *testing.T) {
	a, b, _, _ := asked(t)
	w, err := b.ws.NextWriter(websocket.TextMessage)
	if err != nil {
		t.Fatal(err)
	}
	part := make([]byte, 4<<10)
	for err == nil { // until the arena hangs up
		_, err = w.Write(part)
	}
	if err := <-a.ended; !errors.Is(err, websocket.ErrReadLimit) {
		t.Errorf("the connection ended with %v, want the read limit", err)
	}
}

func TestSecondConnectionOfOneName(t *testing.T) {
	a := newArena()
	url := a.listen(t)
	first, second := dial(t, url), dial(t, url)
	first.enter()
	second.say(protocol.Hello{Name: "bot"})
	if refusal := hear[protocol.Refusal](second); refusal.Code != protocol.NameInUse {
		t.Errorf("refused with %q, want %q", refusal.Code, protocol.NameInUse)
	}
	second.hearClose(websocket.ClosePolicyViolation)
	p := position(t, "2,0/0,2 D 0 1")
	done := choose(t.Context(), a.sit("1", p), p)
	hear[protocol.Start](first)
	hear[protocol.Request](first)
	first.say(move("1", 1, "E"))
	wantMove(t, done, rules.East)
}

func TestGoodbyeOfTheBot(t *testing.T) {
	a, b, seat, done := asked(t)
	b.say(protocol.Goodbye{Reason: "that's all"})
	wantError(t, done, players.ErrGone)
	b.hearClose(websocket.CloseNormalClosure)
	b.ws.Close()
	<-a.ended
	if _, err := seat.Choose(t.Context(), position(t, "2,0/0,2 D 0 1")); !errors.Is(err, players.ErrGone) {
		t.Errorf("asked again: %v, want %v", err, players.ErrGone)
	}
}

func TestBotGivesUp(t *testing.T) {
	_, b, seat, done := asked(t)
	ply := 1
	b.say(protocol.Error{Code: "out_of_coffee", Message: "so tired", Game: "1"})
	b.say(protocol.Error{Code: protocol.CannotMove, Message: "my network is gone", Game: "1", Ply: &ply})
	got := <-done
	if !errors.Is(got.err, players.ErrGone) || !strings.Contains(got.err.Error(), "my network is gone") {
		t.Errorf("chosen: %v, want %v with the bot's words", got.err, players.ErrGone)
	}
	if complaint := seat.Complaint(); !strings.Contains(complaint, "so tired") {
		t.Errorf("the complaint is %q", complaint)
	}
}
