package server

import "testing"

// An event and a game have one address each: no other way to write their number is read.
func TestParseNumber(t *testing.T) {
	for text, want := range map[string]int64{
		"1": 1, "10": 10, "9223372036854775807": 1<<63 - 1,
		"": 0, "x": 0, "0": 0, "-1": 0, "+1": 0, "01": 0, "1 ": 0, "1.0": 0, "1e3": 0, "0x1": 0, "1_0": 0, "١": 0, "9223372036854775808": 0,
	} {
		if got, ok := ParseNumber(text); got != want || ok != (want > 0) {
			t.Errorf("%q is read as %d (%t), want %d", text, got, ok, want)
		}
	}
}
