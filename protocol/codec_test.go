package protocol_test

import (
	"encoding/json"
	"errors"
	"reflect"
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
