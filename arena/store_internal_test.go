package arena

import (
	"context"
	"encoding/json"
	"path/filepath"
	"reflect"
	"testing"
	"testing/synctest"
	"time"

	"versus2048/results"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// A game has no more search reports on record than there is room for, and all its moves.
func TestReportsOfGames(t *testing.T) {
	for _, most := range []int{1, 200, mostReports} {
		path := filepath.Join(t.TempDir(), "arena.db")
		synctest.Test(t, func(t *testing.T) {
			inVirtualTime(t, path, func(h *host) {
				h.mostReports = most
				b := nightly(t, 0, 1)
				b.Event.Bots, b.Event.Search = []string{"evminimax:depth=1", "evminimax:depth=2"}, true
				if _, err := h.book(t.Context(), b); err != nil {
					t.Fatal(err)
				}
				pass(21 * time.Hour)
				games := 0
				err := h.store.(database).Games(t.Context(), results.Filter{Searches: true}, func(g results.Stored) error {
					games++
					if size := sizeOf(t, g.Record.Searches); size > most || (size > 200) != (most == mostReports) {
						t.Errorf("with room for %d bytes of reports there are %d", most, size)
					}
					if last, err := g.Record.Replay(); err != nil || !last.Over() {
						t.Errorf("game %d ends with %v, error %v", g.ID, last, err)
					}
					return nil
				})
				if err != nil || games != 2 {
					t.Errorf("%d games, error %v", games, err)
				}
			})
		})
	}
}

// sizeOf returns how many bytes the reports have as JSON.
func sizeOf(t *testing.T, searches []*record.SearchReport) (size int) {
	t.Helper()
	for _, s := range searches {
		text, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		if s != nil {
			size += len(text)
		}
	}
	return size
}

// keptJournal keeps the last game.
type keptJournal struct {
	tournament.Journal
	game tournament.Game
}

func (k *keptJournal) Open(context.Context, tournament.Game) (tournament.Game, error) {
	return k.game, nil
}
func (k *keptJournal) Append(_ int64, ply tournament.Ply) { k.game.Add(ply) }

func (k *keptJournal) Finish(_ context.Context, g tournament.Game) error {
	k.game = g
	return nil
}

// The same reports are left out while a game is played and at its end, also of a game that was interrupted; those who
// watch it have them all.
func TestReportsOfAnInterruptedGame(t *testing.T) {
	kept := &keptJournal{}
	report := func(nodes int64) *record.SearchReport { return &record.SearchReport{Nodes: nodes} }
	played := tournament.Game{}
	for part := range 2 {
		journal := newBoundedJournal(kept, 33) // three of the short ones, which have 11 bytes
		opened, err := journal.Open(t.Context(), tournament.Game{})
		if err != nil {
			t.Fatal(err)
		}
		played.Record = opened.Record
		for i := range 4 {
			ply := tournament.Ply{Search: report([]int64{1, 1_000_000_000_000, 2, 3}[i])}
			if part == 1 && i == 0 {
				ply.Search = nil
			}
			played.Add(ply)
			journal.Append(0, ply)
		}
		if part == 1 {
			before := kept.game.Record.Searches
			if err := journal.Finish(t.Context(), played); err != nil || !reflect.DeepEqual(kept.game.Record.Searches, before) {
				t.Errorf("at the end %v are kept, before %v, error %v", kept.game.Record.Searches, before, err)
			}
		}
	}
	want := []*record.SearchReport{report(1), nil, report(2), report(3), nil, nil, nil, nil}
	if got := kept.game.Record.Searches; !reflect.DeepEqual(got, want) {
		t.Errorf("kept are %v, want %v", got, want)
	}
	if played.Record.Searches[7] == nil {
		t.Error("a report of the game itself was taken away")
	}
}
