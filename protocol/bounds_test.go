package protocol_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"versus2048/protocol"
)

// oddMove returns a move with a number of unknown fields of 8 bytes each. Only these and its length are wrong.
func oddMove(game string, ply, unknown int) string {
	var b strings.Builder
	fmt.Fprintf(&b, `{"type":"move","game":%q,"ply":%d,"move":"N"`, game, ply)
	for i := range unknown {
		fmt.Fprintf(&b, `,"%04x":0`, i)
	}
	return b.String() + "}"
}

// long returns a text of n bytes.
func long(n int) string { return strings.Repeat("x", n) }

func TestBoundsByType(t *testing.T) {
	for _, tc := range []struct{ text, problem string }{
		{oddMove("1", 1, 60), ""},
		{oddMove("1", 1, 61), "more than 64 fields"},
		{oddMove("1", 1, 8000), "want at most 16384"},
		{`{"type":"move","game":"` + long(1900) + `","ply":1,"move":"N"}`, ""},
		{`{"type":"move","game":"` + long(2048) + `","ply":1,"move":"N"}`, "the move has"},
		{`{"ply":1,"game":"` + long(2048) + `","move":"N","type":"move"}`, "the move has"},
		{`{"type":"move","game":"1","ply":1,"move":"N","search":{"x":"` + long(16000) + `"}}`, ""},
		{`{"type":"move","game":"1","ply":1,"move":"N","search":{"x":"` + long(16384) + `"}}`, "want at most 16384"},
		{`{"type":"resign","game":"` + long(2048) + `","ply":1}`, "the resign has"},
		{`{"type":"error","code":"x","message":"` + long(4000) + `"}`, ""},
		{`{"type":"error","code":"x","message":"` + long(4096) + `"}`, "the error has"},
		{`{"type":"goodbye","reason":"` + long(4096) + `"}`, "the goodbye has"},
		{`{"type":"hello","name":"` + long(12<<10) + `"}`, "the hello has"},
		{`{"type":"start","game":"1"}`, "a bot must not send a start"},
	} {
		_, err := protocol.DecodeFromBot([]byte(tc.text))
		if form := (*protocol.FormatError)(nil); tc.problem == "" && err != nil || tc.problem != "" && (!errors.As(err, &form) || !strings.Contains(err.Error(), tc.problem)) {
			t.Errorf("%.60s... (%d bytes): %v, want %q", tc.text, len(tc.text), err, tc.problem)
		}
	}
}

// The longest valid hello fits, however it is escaped.
func TestLongestHello(t *testing.T) {
	text := func(n int) string { return strings.Repeat(`\ud83d\ude00`, n) }
	hello := fmt.Sprintf(`{"type": "hello", "name": "%s", "version": "%s", "author": "%s", "spec": "%s", "token": "%s", "slots": 1024}`,
		text(64), text(200), text(200), text(200), text(200))
	if _, err := protocol.DecodeFromBot([]byte(hello)); err != nil {
		t.Error(err)
	}
}

// splitFields finds the same fields as encoding/json, for any values.
func FuzzSplitFields(f *testing.F) {
	for _, text := range []string{
		`{"type":"move","a":[1,{"b":"}]"}],"c\u0041":"\\\"","":null}`, ` { "a" : 1 , "a":{ } } `, `{}`, `[]`, `{"a":`, `{"a" 1}`, `{"a":1,}`, `{"a":"\`, `{"a":"}`, `{1:2}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var want map[string]json.RawMessage
		valid := json.Unmarshal(text, &want) == nil && want != nil
		got, err := protocol.SplitFields(text)
		if !valid || strings.Count(string(text), ":") > 60 {
			return // a mistake inside a value is found when the value is decoded
		}
		if err != nil || len(got) != len(want) {
			t.Fatalf("%s is split into %q (%v), want %q", text, got, err, want)
		}
		for name, value := range want {
			if string(got[name]) != string(value) {
				t.Fatalf("%s: field %q is %s, want %s", text, name, got[name], value)
			}
		}
	})
}
