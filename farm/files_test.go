package farm

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"versus2048/rules"
	"versus2048/tournament"
)

// networks returns an event with a bot that has a file.
func (g *ground) networks(t *testing.T, matches int) tournament.Event {
	t.Helper()
	folder := t.TempDir()
	data, err := os.ReadFile("../players/neural/testdata/az.safetensors")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, "az.safetensors")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	e := tournament.Event{
		Name: "networks", Size: rules.Size{Width: 3, Height: 3}, Rules: rules.GPCC2016, Seed: 7, Matches: matches, Concurrency: 1,
		Entries: []tournament.Entry{{Name: "ann", Spec: "random"}, {Name: "net", Spec: "az:simulations=8,weights=" + path}},
	}
	if e.ID, err = g.store.CreateEvent(t.Context(), e); err != nil {
		t.Fatal(err)
	}
	return e
}

// A worker that does not have a bot's file gets it, and plays as the arena does.
func TestFilesTravel(t *testing.T) {
	g := newGround(t, 0)
	e := g.networks(t, 3)
	want := g.expected(t, e)
	cache := t.TempDir()
	g.start(t, &Worker{Card: card("far"), NATS: g.dial(t), Log: quiet, Cache: Cache{Folder: cache, Most: DefaultCacheSize}})
	if err := <-g.play(t, e); err != nil {
		t.Fatal(err)
	}
	if got := g.moves(t, e.ID); len(got) != 6 || !reflect.DeepEqual(got, want) {
		t.Errorf("%d games, other than the %d expected", len(got), len(want))
	}
	if all, err := os.ReadDir(cache); err != nil || len(all) != 1 || !sumPattern.MatchString(all[0].Name()) {
		t.Errorf("the worker keeps %v, %v; want one file", all, err)
	}
}
