//go:build linux && !race

package main

import (
	"path/filepath"
	"strings"
	"testing"

	"versus2048/internal/fulldisk"
	"versus2048/internal/server"
	"versus2048/internal/testkit"
)

// The disk of a whole arena becomes full while an event is played: the event fails and names the reason, all announced
// results are on record, and with room again the event is resumed.
func TestFullDiskFailsTheEvent(t *testing.T) {
	testkit.Long(t)
	disk := fulldisk.New(t)
	h := serveHere(t, func(c *server.Config) { c.Grace = shortGrace })
	for _, room := range []int{0, 1, 2, 5, 10, 20} {
		setup := quickSetup(uint64(room))
		event, err := h.client.Start(t.Context(), setup)
		if err != nil {
			t.Fatal(err)
		}
		told, full := 0, false
		last, err := h.client.Follow(t.Context(), event, func(p server.Progress) {
			if told = p.Done; told >= 10 && !full {
				full = true
				disk.Fill(filepath.Dir(h.db), room)
			}
		})
		if err != nil || last.State != server.Failed || !strings.Contains(last.Message, "disk is full") {
			t.Fatalf("room for %d writes: the event is %s: %s %v", room, last.State, last.Message, err)
		}
		before := h.games(t, event)
		if finished(before) < told {
			t.Errorf("room for %d writes: %d games are on record, the arena told of %d", room, finished(before), told)
		}
		disk.Free()
		h.verify(t, event, finished(before))
		if err := h.client.Resume(t.Context(), event); err != nil {
			t.Fatal(err)
		}
		if last, err := h.client.Follow(t.Context(), event, func(server.Progress) {}); err != nil || last.State != server.Finished {
			t.Fatalf("with room again the event is %s: %s %v", last.State, last.Message, err)
		}
		after := h.games(t, event)
		compareGames(t, before, after)
		compareGames(t, expectedGames(t, setup), after)
	}
}
