package server_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"versus2048/internal/server"
	"versus2048/internal/server/roster"
	"versus2048/lab/retrograde"
	"versus2048/rules"
	"versus2048/tournament"
)

// refused checks that the arena refuses an operator's request, and gives the reason.
func refused(t *testing.T, err error, why string) {
	t.Helper()
	var request *server.RequestError
	if !errors.As(err, &request) || !strings.Contains(err.Error(), why) {
		t.Errorf("error %v, want one that says %q", err, why)
	}
}

// A user who may start events over HTTP cannot find out which files the host has: the answer is the same for every
// file, whether or not it exists, and no file is opened.
func TestSpecsNameNoFilesOverHTTP(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	exists := filepath.Join(t.TempDir(), "secret.table")
	if err := os.WriteFile(exists, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	link, linkedFolder := linked(t, folder, exists), linked(t, folder, filepath.Dir(exists))
	for name, allowance := range map[string]roster.Allowance{
		"opens no files":                 {},
		"opens only files in the folder": {Folder: folder},
	} {
		c, arena := serveArena(t, newStore(), func(config *server.Config) { config.Allowance = allowance })
		answers := map[string]bool{}
		for _, path := range []string{exists, exists + ".none", "/dev/zero", folder + "x/a.table", folder + "/../a.table", "../a.table", link, linkedFolder + "/secret.table"} {
			for _, change := range []func(e *tournament.Event){
				func(e *tournament.Event) { e.Bots[0] = "perfect:table=" + path },
				func(e *tournament.Event) { e.Bots[0] = "a=perfect:table=" + path },
				func(e *tournament.Event) { e.Entries = []tournament.Entry{{Spec: "perfect:table=" + path}} },
				func(e *tournament.Event) { e.Entries = []tournament.Entry{{Spec: "a=perfect:table=" + path}} },
				func(e *tournament.Event) { e.Entries = []tournament.Entry{{Name: "perfect:table=" + path}} },
				func(e *tournament.Event) {
					e.Entries = []tournament.Entry{{Name: "a", Spec: "perfect:table=" + path}}
				},
			} {
				e := local(1)
				change(&e)
				_, started := c.Start(t.Context(), e)
				refused(t, started, name)
				_, resolved := arena.Resolve(e) // for a preview
				for _, err := range []error{started, resolved} {
					answers[strings.Replace(strings.Replace(fmt.Sprint(err), path, "PATH", 1), "a=perfect", "perfect", 1)] = true
				}
			}
		}
		if len(answers) != 1 {
			t.Errorf("%s: the answers differ: %v", name, answers)
		}
	}
}

// linked makes a link in a folder that leads to a path, and returns the link's path.
func linked(t *testing.T, folder, to string) (link string) {
	t.Helper()
	link = filepath.Join(folder, "link to "+filepath.Base(to))
	if err := os.Symlink(to, link); err != nil {
		t.Fatal(err)
	}
	return link
}

// A spec names the files in the folder of the host, whichever folder the arena runs in.
func TestSpecsNameFilesInTheFolder(t *testing.T) {
	folder := t.TempDir()
	table, err := retrograde.Solve(t.Context(), rules.GPCC2015, rules.Size{Width: 2, Height: 2}, nil)
	if err == nil {
		err = table.WriteFile(filepath.Join(folder, "small.table"), false)
	}
	if err != nil {
		t.Fatal(err)
	}
	store := newStore()
	c := serve(t, store, func(config *server.Config) { config.Allowance.Folder = folder })
	e := local(1)
	e.Size = rules.Size{Width: 2, Height: 2}
	full := filepath.Join(folder, "small.table")
	link := filepath.Base(linked(t, folder, full))
	for _, bot := range []string{"p=perfect:table=" + full, "p=perfect:table=small.table", "perfect:table=./small.table", "p=perfect:table=" + link} {
		e.Bots[0] = bot
		event, err := c.Start(t.Context(), e)
		if err != nil {
			t.Fatal(err)
		}
		if last := ended(t, c, event); last.State != server.Finished {
			t.Errorf("%s: the event is %+v, want it finished", bot, last)
		}
	}
	e.Bots = nil
	e.Entries = []tournament.Entry{{Name: "p", Spec: "perfect:table=small.table"}, {Name: "random"}}
	event, err := c.Start(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	if recorded, err := store.Event(t.Context(), event); err != nil || !strings.HasPrefix(recorded.Entries[0].Spec, "perfect:table="+full+",") {
		t.Errorf("recorded is %+v (%v), want the absolute path", recorded.Entries, err)
	}
	e.Bots, e.Entries = []string{"", "random"}, nil
	e.Bots[0] = "p=perfect:table=" + filepath.Join(folder, "none.table")
	_, err = c.Start(t.Context(), e)
	refused(t, err, "no such file")
	e.Bots[0] = "p=perfect:table=none.table"
	_, err = c.Start(t.Context(), e)
	refused(t, err, "no such file")
}

// Visitors' bots may open the files that operators' bots may open, and none in the arena's working directory.
func TestVisitorsSpecsNameFilesInTheFolder(t *testing.T) {
	folder, working := t.TempDir(), t.TempDir()
	t.Chdir(working)
	size := rules.Size{Width: 2, Height: 2}
	table, err := retrograde.Solve(t.Context(), rules.GPCC2015, size, nil)
	if err == nil {
		err = errors.Join(table.WriteFile(filepath.Join(folder, "open.table"), false), table.WriteFile(filepath.Join(working, "own.table"), false))
	}
	if err != nil {
		t.Fatal(err)
	}
	c, arena := serveArena(t, newStore(), func(config *server.Config) { config.Allowance.Folder = folder })
	if _, err := c.Queue(t.Context()); err != nil { // it is open
		t.Fatal(err)
	}
	request := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", nil)
	asks := map[string]func(bot string) error{
		"a hint": func(bot string) error {
			_, _, err := arena.Hint(request, bot, rules.NewPosition(rules.GPCC2015, size))
			return err
		},
		"a game": func(bot string) error {
			_, err := arena.Challenge(request, server.Challenge{Opponent: bot, Size: size})
			return err
		},
	}
	for what, ask := range asks {
		if err := ask("perfect:table=open.table"); err != nil {
			t.Errorf("%s: %v", what, err)
		}
		refused(t, ask("perfect:table=own.table"), "no such file")
		refused(t, ask("perfect:table="+filepath.Join(working, "own.table")), "only files in the folder")
	}
}

// The memory that the bots of all events may need together stays within the host's limit.
func TestMemoryOfBotsIsLimited(t *testing.T) {
	store := newStore()
	store.hold = true
	c := serve(t, store, func(config *server.Config) { config.Allowance = roster.Allowance{Memory: 1 << 30, Threads: 16} })
	start := func(spec string, games int) (int64, error) {
		e := local(30)
		e.Bots[0], e.Concurrency = spec, games
		return c.Start(t.Context(), e)
	}
	for spec, games := range map[string]int{
		"a=mcts:nodes=100000000,playouts=100000000": 1,
		"a=mcts:nodes=100000000,time=60000":         1,
		"a=mcts:nodes=3000000,reuse=true":           1, // keeps the search before as well
		"a=mctsplus:nodes=1000000,time=1":           4,
		"a=mcts:playouts=1000":                      10_000,
	} {
		_, err := start(spec, games)
		refused(t, err, "more than the 1.0 GiB that this arena allows")
	}
	_, err := start("a=mcts:threads=256", 1)
	refused(t, err, "256 threads: this arena allows 16")

	budget := local(1)
	budget.Bots[0], budget.Settings.Budget.Nodes, budget.Settings.Budget.Playouts = "mcts", 100_000_000, 100_000_000
	_, err = c.Start(t.Context(), budget)
	refused(t, err, "more than the 1.0 GiB")

	// The memory of one event is not free for another until the event has ended.
	half := "a=mcts:nodes=2000000,time=1"
	first, err := start(half, 1)
	if err != nil {
		t.Fatal(err)
	}
	_, err = start(half, 2)
	refused(t, err, "the bots of other events 0.5 GiB")
	if err := c.Stop(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	if second, err := start(half, 2); err != nil {
		t.Error(err)
	} else if err := c.Stop(t.Context(), second); err != nil {
		t.Error(err)
	}
}

// An event on record, as an earlier version may have imported it, is checked before it is resumed.
func TestResumeChecksTheEvent(t *testing.T) {
	t.Parallel()
	for why, change := range map[string]func(*tournament.Event){
		"games at once":         func(e *tournament.Event) { e.Concurrency = 2_000_000_000 },
		"time for a move":       func(e *tournament.Event) { e.Clock.PerMove = 1 << 62 },
		"increment 1281023h53m": func(e *tournament.Event) { e.Clock.Base, e.Clock.Increment = 1, 1<<62 },
		"matches ahead": func(e *tournament.Event) {
			e.Settings.Plan.Kind, e.Settings.Plan.Ahead = "ladder", 2_000_000_000
		},
		"bytes of a bot's name or spec": func(e *tournament.Event) { e.Entries[0].Name = strings.Repeat("x", 1<<20) },
		"openings":                      func(e *tournament.Event) { e.Settings.Openings.Starts = make([]string, 1_000_000) },
		"opens no files":                func(e *tournament.Event) { e.Entries[0].Spec = "perfect:table=/dev/zero" },
		"more than the 1.0 GiB":         func(e *tournament.Event) { e.Entries[0].Spec = "mcts:nodes=100000000,time=1" },
	} {
		store := newStore()
		e := local(1)
		e.Bots, e.Entries = nil, []tournament.Entry{{Name: "a", Spec: "random"}, {Name: "b", Spec: "greedy"}}
		change(&e)
		id, err := store.CreateEvent(t.Context(), e)
		if err != nil {
			t.Fatal(err)
		}
		c := serve(t, store, func(config *server.Config) { config.Allowance.Memory = 1 << 30 })
		refused(t, c.Resume(t.Context(), id), why)
	}
}
