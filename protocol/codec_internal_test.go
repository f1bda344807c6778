package protocol

import (
	"reflect"
	"testing"

	"versus2048/rules"
)

// FuzzScan compares scan with unmarshal.
func FuzzScan(f *testing.F) {
	for _, text := range []string{
		`{"type":"move","game":"17","ply":3,"move":"N","spent_us":1830}`,
		` { "type" : "move", "move": "(1,2)", "ply": 0 ,"game":""}` + "\n",
		`{"type":"request","game":"1","ply":1,"board":[[2,0],[0,2]],"score":0,"moves":["(1,1)","N"],"left_ms":null}`,
		`{"type":"request","game":"1","ply":1,"board":[[],[ ]],"score":0,"moves":[],"left_ms":5000}`,
		`{"type":"request","game":"1","ply":01,"board":[],"score":-0,"moves":[],"left_ms":5000}`,
		`{"type":"move","game":"17","ply":3,"move":"N"}x`,
		`{"type":"move","game":"17","ply":3,"move":"N",}`,
		`{"type":"move","game":"17","game":"18","ply":3,"move":"N"}`,
		`{"type":"move","game":"1\u0037","ply":3000000000,"move":"N"}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, frame []byte) {
		m, ok := scan(frame)
		if !ok {
			return
		}
		if want, err := unmarshal(frame, fromBot|fromArena); err != nil || !reflect.DeepEqual(m, want) {
			t.Fatalf("%s is scanned as %+v, want %+v (%v)", frame, m, want, err)
		}
	})
}

// FuzzAppend compares the encoding without reflection with marshal.
func FuzzAppend(f *testing.F) {
	f.Add("17", 3, "N", int64(1830), []byte{2, 0, 2, 4})
	f.Add("<\"é\xff\\&>\x7f\n", -1, "", int64(0), []byte(nil))
	f.Add("", 1<<40, "(1,2,4)", int64(-5), []byte{0x1f, 0x20, 0x23, 0xff})
	f.Fuzz(func(t *testing.T, game string, number int, move string, micros int64, cells []byte) {
		r := Request{Game: game, Ply: number, Score: number}
		for _, c := range cells {
			r.Board = append(r.Board, []int{int(c), number}, nil)
			r.Moves = append(r.Moves, rules.Move(c%36))
		}
		wantSame(t, r)
		r.LeftMS = &micros
		wantSame(t, r)
		wantSame(t, Move{Game: game, Ply: number, Move: move, SpentUS: micros})
	})
}

func wantSame(t *testing.T, m Message) {
	t.Helper()
	got, err := Encode(m)
	want, wantErr := marshal(m)
	if string(got) != string(want) || err != nil || wantErr != nil {
		t.Fatalf("encoded as %s (%v), want %s (%v)", got, err, want, wantErr)
	}
}

// Decoding an encoded message needs no reflection.
func TestScanAcceptsEncoded(t *testing.T) {
	left := int64(4999)
	for _, m := range []Message{
		Request{Game: "17", Ply: 3, Board: [][]int{{2, 0}, {0, 65536}}, Score: 8, Moves: []rules.Move{rules.North, rules.Place(5, true)}, LeftMS: &left},
		Request{Game: "17", Ply: 3, Board: [][]int{{2, 0}, {0, 65536}}, Moves: []rules.Move{}},
		Move{Game: "17", Ply: 3, Move: "(1,2,4)", SpentUS: 1830},
		Move{Game: "17", Move: "N"},
	} {
		text, err := Encode(m)
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := scan(text); !ok || !reflect.DeepEqual(got, m) {
			t.Errorf("%s is scanned as %+v (%v)", text, got, ok)
		}
	}
}

func BenchmarkCodec(b *testing.B) {
	left := int64(4999)
	request := Request{Game: "1001", Ply: 101, Board: [][]int{{2, 0, 2, 4}, {8, 16, 2, 0}, {32, 4, 0, 2}, {64, 32, 8, 2}}, Score: 1044, Moves: []rules.Move{rules.North, rules.Place(5, false)}, LeftMS: &left}
	for name, m := range map[string]Message{"request": request, "move": Move{Game: "1001", Ply: 101, Move: "N", SpentUS: 1830}} {
		text, err := Encode(m)
		if err != nil {
			b.Fatal(err)
		}
		b.Run("encode="+name, func(b *testing.B) {
			for b.Loop() {
				_, _ = Encode(m)
			}
		})
		b.Run("decode="+name, func(b *testing.B) {
			for b.Loop() {
				_, _ = Decode(text)
			}
		})
	}
}
