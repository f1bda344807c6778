package protocol_test

import (
	"encoding/json"
	"errors"
	"os"
	"reflect"
	"strings"
	"testing"

	"versus2048/protocol"
)

// A message without fields is still an object.
func TestEncodeEmptyGoodbye(t *testing.T) {
	text, err := protocol.Encode(protocol.Goodbye{})
	if err != nil {
		t.Fatal(err)
	}
	if m, err := protocol.Decode(text); err != nil || m != (protocol.Goodbye{}) {
		t.Errorf("%s is decoded as %v, %v", text, m, err)
	}
}

// A field with another spelling is unknown, and is ignored, as docs/PROTOCOL.md promises.
func TestUnknownFields(t *testing.T) {
	for text, want := range map[string]protocol.Message{
		`{"type":"move","game":"1","ply":3,"move":"N","Move":"S","x":{"y":[1]}}`: protocol.Move{Game: "1", Ply: 3, Move: "N"},
		`{"TYPE":7,"type":"hello","name":"a","SLOTS":"many","Token":null}`:       protocol.Hello{Name: "a"},
		`{"type":"goodbye","Reconnect":"later"}`:                                 protocol.Goodbye{},
	} {
		if got, err := protocol.Decode([]byte(text)); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s is decoded as %+v, %v", text, got, err)
		}
	}
}

// Frames recorded from an earlier release are still understood, and encoded in the
// same way.
func TestRecordedFramesDecode(t *testing.T) {
	recorded, err := os.ReadFile("testdata/wire-2026-11.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	missing := map[string]bool{"hello": true, "welcome": true, "start": true, "request": true, "move": true, "over": true}
	for line := range strings.Lines(string(recorded)) {
		var frame struct {
			From    string
			Message json.RawMessage
		}
		if err := json.Unmarshal([]byte(line), &frame); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		checkMessages(t, []string{string(frame.Message)})
		m, err := protocol.Decode(frame.Message)
		if err != nil {
			t.Errorf("%v in %s", err, line)
			continue
		}
		if !maySend(frame.From, m) {
			t.Errorf("decoded as a %T, which is not for the %s to send: %s", m, frame.From, line)
		}
		text, err := protocol.Encode(m)
		if err != nil {
			t.Fatal(err)
		}
		if !sameJSON(t, string(frame.Message), string(text)) {
			t.Errorf("recorded\n%s\nencoded again\n%s", frame.Message, text)
		}
		delete(missing, messageType(t, text))
	}
	for kind := range missing {
		t.Errorf("there is no %s among the recorded frames", kind)
	}
}

// maySend reports whether a message is one that a side, "bot" or "arena", sends.
func maySend(side string, m protocol.Message) bool {
	switch m.(type) {
	case protocol.Hello, protocol.Move, protocol.Resign:
		return side == "bot"
	case protocol.Welcome, protocol.Refusal, protocol.Start, protocol.Request, protocol.Over:
		return side == "arena"
	case protocol.Error, protocol.Goodbye:
		return side == "bot" || side == "arena"
	}
	return false
}

// messageType returns the type of an encoded message.
func messageType(t *testing.T, text []byte) string {
	t.Helper()
	var head struct{ Type string }
	if err := json.Unmarshal(text, &head); err != nil {
		t.Fatal(err)
	}
	return head.Type
}

// Every frame is either rejected with a FormatError or a message that stays the
// same when it is encoded and decoded again.
func FuzzDecode(f *testing.F) {
	for _, text := range []string{
		`{"type":"hello","name":"bot","slots":2}`,
		`{"type":"move","game":"17","ply":3,"move":"N","spent_us":1830}`,
		`{"type":"move","game":"17","ply":3,"move":"N","search":{"nodes":7, "pv":["N","<"]}}`,
		`{"type":"move","game":"17","ply":3,"move":"N","search":null}`,
		`{"type":"request","game":"1","ply":1,"board":[[2,0],[0,2]],"score":0,"moves":["(1,1)"],"left_ms":null}`,
		`{"type":"error","code":"cannot_move","message":"","game":"17","ply":3}`,
		`{"type":"goodbye"}`,
		`{"type":null}`,
		`[]`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, frame []byte) {
		m, err := protocol.Decode(frame)
		if err != nil {
			if form := (*protocol.FormatError)(nil); !errors.As(err, &form) || form.Problem == "" {
				t.Fatalf("error %v, want a FormatError with a problem", err)
			}
			return
		}
		text, err := protocol.Encode(m)
		if err != nil {
			t.Fatal(err)
		}
		if move, ok := m.(protocol.Move); ok && move.Search != nil {
			// Encode writes it without spaces and with escapes.
			if move.Search, err = json.Marshal(move.Search); err != nil {
				t.Fatal(err)
			}
			m = move
		}
		if again, err := protocol.Decode(text); err != nil || !reflect.DeepEqual(again, m) {
			t.Fatalf("%s is decoded as %v, encoded as %s and decoded again as %v, %v", frame, m, text, again, err)
		}
	})
}
