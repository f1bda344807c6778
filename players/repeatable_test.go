package players_test

import (
	"strings"
	"testing"
)

func TestRepeatable(t *testing.T) {
	for text, want := range map[string]bool{
		"random": true, "mcts:playouts=10": true, "evminimax": true, "alphabeta:time=0": true,
		"mcts:time=5": false, "mcts:threads=2": false, "mcts:reuse=true": false, "alphabeta:time=0,keep=true": false, "champion": false, "ov3y": false,
		"expectimax": true, "ntuple": true, "td": false, "az": false,
	} {
		if s := mustParse(t, text); s.Repeatable() != want || s.Timed() && s.Repeatable() {
			t.Errorf("%s: repeatable %v, timed %v, want repeatable %v", text, s.Repeatable(), s.Timed(), want)
		}
	}
}

func TestSlowed(t *testing.T) {
	for text, want := range map[string]string{
		"mcts:time=10": "time=15", "mcts:time=3600000": "time=3600000", "mcts:playouts=7": "time=0", "champion:time=1": "time=2",
	} {
		s := mustParse(t, text)
		before := s.String()
		if got := s.Slowed(1.5).String(); !strings.Contains(got, want) {
			t.Errorf("%s slowed is %s, want %s", text, got, want)
		}
		if s.String() != before {
			t.Errorf("%s has changed to %s", before, s)
		}
	}
	if got := mustParse(t, "mcts:time=10").Slowed(0.001).String(); !strings.Contains(got, "time=1,") {
		t.Errorf("much faster: %s", got)
	}
}
