package ntuple

import (
	"testing"

	"versus2048/rules"
)

// The program's own networks are sound, have a recipe, and take no more memory than OwnBytes.
func TestOwn(t *testing.T) {
	for r, least := range map[rules.Ruleset]int{rules.GPCC2015: 1000, rules.GPCC2016: 100, rules.Solo: 10_000} {
		n := Own(r)
		if n.Size() != rules.Full || n.Rules() != r || n.Recipe().Command == "" {
			t.Errorf("it is for %v on %v, by %q, want %v", n.Rules(), n.Size(), n.Recipe().Command, r)
		}
		if bytes := writtenBytes(n) + uint64(len(file2015)+len(file2016)+len(fileSolo)); bytes > OwnBytes(r) {
			t.Errorf("%v: weights and files take %d bytes, want at most %d", r, bytes, OwnBytes(r))
		}
		if v := n.Of(0); v < least || v > 100*least {
			t.Errorf("%v: the empty board is worth %d points", r, v)
		}
	}
}

// The network for solo is small.
func TestOwnSolo(t *testing.T) {
	if most := 3_000_000; len(fileSolo) > most {
		t.Errorf("its file has %d bytes, want at most %d", len(fileSolo), most)
	}
}

// writtenBytes returns the size of the pages of 4 KiB that a network's weights are on.
func writtenBytes(n *Network) (bytes uint64) {
	const page = 4096
	for _, s := range n.stages {
		for _, table := range s.tables {
			for at := 0; at < len(table); at += page {
				for _, b := range table[at:min(at+page, len(table))] {
					if b != 0 {
						bytes += page
						break
					}
				}
			}
		}
	}
	return bytes
}
