package farm

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/gofrs/flock"
	"github.com/nats-io/nats.go/jetstream"

	"versus2048/internal/testkit"
	"versus2048/rules"
	"versus2048/tournament"
)

// networks returns an event with a bot that has a file.
func (g *ground) networks(t *testing.T, matches int) tournament.Event {
	t.Helper()
	return g.withFile(t, "../../players/neural/testdata/az.safetensors", "az:simulations=8,weights=", tournament.Event{
		Name: "networks", Size: rules.Size{Width: 3, Height: 3}, Rules: rules.GPCC2016, Matches: matches,
	})
}

// withFile returns an event with a bot. The spec of the bot ends with the path of a copy of a file.
func (g *ground) withFile(t *testing.T, file, spec string, e tournament.Event) tournament.Event {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), filepath.Base(file))
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	e.Seed, e.Concurrency = 7, 1
	e.Entries = []tournament.Entry{{Name: "ann", Spec: "random"}, {Name: "net", Spec: spec + path}}
	if e.ID, err = g.store.CreateEvent(t.Context(), e); err != nil {
		t.Fatal(err)
	}
	return e
}

// fileOfEvent returns the path of the file in an event of withFile.
func fileOfEvent(e tournament.Event) string { return filesOf(e.Entries)["net"]["weights"] }

// wantGames fails unless an event has ended with those games.
func (g *ground) wantGames(t *testing.T, e tournament.Event, ended <-chan error, want map[[2]int][]rules.Move) {
	t.Helper()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if got := g.moves(t, e.ID); !reflect.DeepEqual(got, want) {
		t.Errorf("%d games, other than the %d expected", len(got), len(want))
	}
}

// A worker that does not have a bot's file gets it, and plays as the arena does: with the file's content when
// the event began, even if the file changes later.
func TestFilesTravel(t *testing.T) {
	t.Parallel()
	g := newGround(t, 0)
	e := g.networks(t, 3)
	want := g.expected(t, e)
	ended := g.play(t, e)
	g.impostor(t, "first").take() // so the event has begun; it is played elsewhere
	if err := os.Remove(fileOfEvent(e)); err != nil {
		t.Fatal(err)
	}
	cache := t.TempDir()
	g.run(t, &Worker{Card: card("far"), NATS: g.dial(t, "far"), Log: quiet, Cache: Cache{Folder: cache, Most: DefaultCacheSize}})
	g.wantGames(t, e, ended, want)
	if all := contentsOf(t, cache); len(all) != 1 {
		t.Errorf("the worker keeps %d files, want one", len(all))
	}
}

// A match of a bot with a file that plays alike everywhere is checked by another worker, which gets the file, too.
func TestFilesOfCheckedMatches(t *testing.T) {
	t.Parallel()
	g := newGround(t, 1)
	e := tournament.Event{Name: "tuples", Size: rules.Full, Matches: 1}
	e.Settings.Adjudication.MaxTurns = 50
	e = g.withFile(t, "../../players/ntuple/v1.ntuple", "ntuple:weights=", e)
	want := g.expected(t, e)
	ended := g.play(t, e)
	g.work(t, "first")
	g.work(t, "second")
	g.wantGames(t, e, ended, want)
	g.awaitCheck()
	if aside := g.coordinator.Aside(); len(aside) > 0 {
		t.Errorf("set aside are %v", aside)
	}
}

// awaitCheck waits until another worker has played a match alike.
func (g *ground) awaitCheck() {
	checked := func() bool {
		g.coordinator.checks.mu.Lock()
		defer g.coordinator.checks.mu.Unlock()
		return g.coordinator.checks.done > 0
	}
	for !checked() {
		<-time.After(time.Millisecond)
	}
}

// cardOf returns a worker's card, or an empty one if the arena has none.
func (g *ground) cardOf(t *testing.T, worker string) Card {
	t.Helper()
	for _, c := range g.coordinator.Workers() {
		if c.Worker == worker {
			return c
		}
	}
	return Card{}
}

// A worker reads no file that a task names by its path, and only files that the arena has published.
func TestTasksNameNoPaths(t *testing.T) {
	t.Parallel()
	g := newGround(t, 0)
	e := g.networks(t, 1)
	w := &Worker{Name: DefaultName, NATS: g.dial(t, "w"), Log: quiet, Cache: *newCache(t, t.TempDir(), DefaultCacheSize)}
	var err error
	if w.js, err = jetstream.New(w.NATS); err != nil {
		t.Fatal(err)
	}
	release, err := w.provide(t.Context(), &e, nil)
	release()
	if err == nil || !strings.Contains(err.Error(), "does not name its file") {
		t.Errorf("a spec with a path: %v", err)
	}
	release, err = w.provide(t.Context(), &e, stock{"net": {"weights": fileOf("nobody has published this")}})
	release()
	if !errors.Is(err, jetstream.ErrObjectNotFound) {
		t.Errorf("a file that is not published: %v", err)
	}
}

// While a worker fetches a file for long, its match is not given to others.
func TestSlowFetch(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	g := newGround(t, 0)
	e := g.networks(t, 1)
	want := g.expected(t, e)
	cache := t.TempDir()
	changes := flock.New(filepath.Join(cache, changesName)) // somebody else fetches a large file
	if locked, err := changes.TryLock(); err != nil || !locked {
		t.Fatal(locked, err)
	}
	ended := g.play(t, e)
	g.run(t, &Worker{Card: card("slow"), NATS: g.dial(t, "slow"), Log: quiet, Cache: Cache{Folder: cache, Most: DefaultCacheSize}})
	for g.cardOf(t, "slow").Busy == 0 {
		<-time.After(time.Millisecond)
	}
	<-time.After((silence + 2) * time.Second) // of leases
	if err := changes.Close(); err != nil {
		t.Fatal(err)
	}
	g.wantGames(t, e, ended, want)
	games, err := g.store.FinishedGames(t.Context(), e.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, game := range games {
		if from, err := g.store.Origin(t.Context(), game.ID); err != nil || from.Attempt != 1 {
			t.Errorf("game %d was played by attempt %d, want 1: %v", game.ID, from.Attempt, err)
		}
	}
}

// A store that was lost while an event is played is filled again.
func TestLostStore(t *testing.T) {
	t.Parallel()
	g := newGround(t, 0)
	e := g.networks(t, 2)
	want := g.expected(t, e)
	ended := g.play(t, e)
	g.impostor(t, "first").take()
	if err := g.coordinator.js.DeleteObjectStore(t.Context(), Name(DefaultName).files()); err != nil {
		t.Fatal(err)
	}
	g.work(t, "next")
	g.wantGames(t, e, ended, want)
}

// content writes a file of random bytes.
func content(t *testing.T, size int, seed uint64) (path string) {
	t.Helper()
	data, random := make([]byte, size), rand.NewChaCha8([32]byte{byte(seed)})
	_, _ = random.Read(data) // it never fails
	path = filepath.Join(t.TempDir(), "content")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// Files of every length arrive, also files of several parts.
func TestLengths(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	g := newGround(t, 0)
	w := &Worker{Name: DefaultName, NATS: g.dial(t, "w"), Log: quiet}
	var err error
	if w.js, err = jetstream.New(w.NATS); err != nil {
		t.Fatal(err)
	}
	for _, size := range []int{0, 1, chunkSize, chunkSize + 1, partSize, 2*partSize + 3} {
		path := content(t, size, uint64(size))
		f, err := g.coordinator.Publish(t.Context(), path)
		if err != nil || f.Size != int64(size) || f.Name != "content" {
			t.Fatalf("%d bytes: %+v, %v", size, f, err)
		}
		c := newCache(t, t.TempDir(), DefaultCacheSize)
		got, release, err := c.take(t.Context(), f, w.fetchFile)
		if err != nil {
			t.Fatalf("%d bytes: %v", size, err)
		}
		if sum, _, err := sumOf(t.Context(), got); err != nil || sum != f.Sum {
			t.Errorf("%d bytes: %s, %v", size, sum, err)
		}
		release()
	}
}

// The store keeps the files in use, and of the other files the last used ones, up to a bound; the next arena
// begins without files.
func TestStoreIsBounded(t *testing.T) {
	t.Parallel()
	g := newGround(t, 0)
	d := g.coordinator.depot
	d.most = 250
	var files []File
	for i := range 4 {
		path := content(t, 100, uint64(i))
		for range 2 { // the second one finds it there
			f, err := g.coordinator.Publish(t.Context(), path)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files[:i], f)
			if i > 0 {
				g.coordinator.Withdraw(f)
			}
		}
	}
	for i, want := range []bool{true, false, false, true} {
		if got := d.complete(t.Context(), files[i]); got != want {
			t.Errorf("file %d is in the store: %v, want %v", i, got, want)
		}
	}
	if _, err := openDepot(t.Context(), d.conn, DefaultName, quiet); err != nil {
		t.Fatal(err)
	}
	if d.complete(t.Context(), files[0]) {
		t.Error("the next arena's store has a file of the last one")
	}
}

// A file that has changed is published anew, and one that cannot be read is an error at once.
func TestChangedFile(t *testing.T) {
	t.Parallel()
	g := newGround(t, 0)
	path := content(t, 100, 1)
	first, err := g.coordinator.Publish(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("short"), 0o600); err != nil {
		t.Fatal(err)
	}
	next, err := g.coordinator.Publish(t.Context(), path)
	if err != nil || next.Sum == first.Sum || next.Size != 5 {
		t.Errorf("%+v after %+v, %v", next, first, err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if _, err := g.coordinator.Publish(t.Context(), path); !errors.Is(err, errUnreadable) {
		t.Errorf("without a file: %v", err)
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if _, err := g.coordinator.Publish(stopped, content(t, 100, 2)); !errors.Is(err, context.Canceled) {
		t.Errorf("when it is to stop: %v", err)
	}
}

// A worker's user reads the files of its farm, and changes nothing.
func TestWorkersOnlyReadFiles(t *testing.T) {
	t.Parallel()
	g := newGround(t, 0)
	f, err := g.coordinator.Publish(t.Context(), content(t, 100, 1))
	if err != nil {
		t.Fatal(err)
	}
	i := g.impostor(t, "thief")
	store, err := i.js.ObjectStore(t.Context(), Name(DefaultName).files())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := store.GetInfo(t.Context(), f.part(0)); err != nil {
		t.Errorf("it cannot read: %v", err)
	}
	short := func() context.Context {
		ctx, stop := context.WithTimeout(t.Context(), 300*time.Millisecond) // NATS does not answer who may not ask
		t.Cleanup(stop)
		return ctx
	}
	if _, err := store.PutBytes(short(), "mine", []byte("x")); err == nil {
		t.Error("it writes an object")
	}
	if err := store.Delete(short(), f.part(0)); err == nil {
		t.Error("it deletes an object")
	}
	if err := i.js.DeleteObjectStore(short(), Name(DefaultName).files()); err == nil {
		t.Error("it deletes the store")
	}
	if _, err := i.js.CreateConsumer(short(), "OBJ_"+Name(DefaultName).files(), jetstream.ConsumerConfig{}); err == nil {
		t.Error("it makes a consumer")
	}
	if !g.coordinator.depot.complete(t.Context(), f) {
		t.Error("the file is gone")
	}
}
