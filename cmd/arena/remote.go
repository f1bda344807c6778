package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/cmd/internal/hosting"
	"versus2048/internal/server"
	"versus2048/internal/web/archive"
	"versus2048/results"
	"versus2048/tournament"
	"versus2048/tournament/report"
)

// read returns the value that a command reads from the running arena of --server or from the database of --db.
func read[T any](c *cli.Context, remote func(*server.Client) (T, error), local func(*results.Reader) (T, error)) (value T, err error) {
	elsewhere, err := hosting.Reads(c)
	switch {
	case err != nil:
		return value, err
	case elsewhere:
		return remote(hosting.NewClient(c))
	}
	return recorded(c, local)
}

// runHere returns the command that plays an event on the running arena, or in the database, that the present command
// reads.
func runHere(c *cli.Context) string {
	return "arena event run " + placeOf(c) + " --bot SPEC --bot SPEC"
}

// placeOf returns the flag that names the running arena, or the database, that the present command reads.
func placeOf(c *cli.Context) string {
	if elsewhere, err := hosting.Reads(c); err == nil && elsewhere {
		return "--server " + cmdline.Quote(c.String("server"))
	}
	return "--db " + cmdline.Quote(c.String("db"))
}

// recorded returns the value that a command reads from the database of --db.
func recorded[T any](c *cli.Context, local func(*results.Reader) (T, error)) (value T, err error) {
	store, err := results.OpenReader(c.Context, c.String("db"))
	if err != nil {
		return value, err
	}
	defer store.Close()
	return local(store)
}

// remoteGames returns the games of a running arena that a listing selects, the latest first.
func remoteGames(ctx context.Context, arena *server.Client, l results.Listing) (games []results.Listed, err error) {
	query := url.Values{"bot": {l.Bot}, "ending": {string(l.Ending)}}
	if l.Event != 0 {
		query.Set("event", strconv.FormatInt(l.Event, 10))
	}
	for {
		query.Set("limit", strconv.Itoa(max(0, l.Limit-len(games)))) // 0: the arena's own limit
		var page struct{ Games []results.Listed }
		if err := arena.Read(ctx, "/api/games?"+query.Encode(), &page); err != nil {
			return nil, err
		}
		games = append(games, page.Games...)
		if len(page.Games) == 0 || l.Limit > 0 && len(games) >= l.Limit {
			return games, nil
		}
		query.Set("before", strconv.FormatInt(games[len(games)-1].ID, 10))
	}
}

// remoteEvent returns the number of the event on a running arena for a command: the given number or, for 0, the last
// event with a finished game, or else the newest. If it passes over a newer event, it prints that event's number.
func remoteEvent(c *cli.Context, id int64) (int64, error) {
	if id != 0 {
		return id, nil
	}
	newest, latest := int64(0), int64(0)
	err := eachRemoteEvent(c, func(l *archive.Line) (more bool) {
		newest = max(newest, l.Event)
		if l.Done > 0 {
			latest = l.Event
		}
		return l.Done == 0
	})
	switch {
	case err != nil:
		return 0, err
	case newest == 0:
		return 0, fmt.Errorf("no event has been played on %s yet", c.String("server"))
	case latest == 0:
		return newest, nil
	}
	tellNewer(c, newest, latest)
	return latest, nil
}

// eachRemoteEvent calls do with the events on record of a running arena, the newest first, until do returns false. It
// asks again while the arena is still reading its events.
func eachRemoteEvent(c *cli.Context, do func(l *archive.Line) (more bool)) error {
	for offset, before := 0, int64(math.MaxInt64); ; {
		var page struct {
			Total   int
			Events  []archive.Line
			Reading bool
		}
		if err := hosting.NewClient(c).Read(c.Context, fmt.Sprintf("/api/events/recorded?offset=%d", offset), &page); err != nil {
			return err
		}
		if page.Reading {
			select {
			case <-time.After(time.Second):
				continue
			case <-c.Context.Done():
				return c.Context.Err()
			}
		}
		for _, l := range page.Events {
			if l.Event >= before { // a new event has moved it to this page
				continue
			}
			if before = l.Event; !do(&l) {
				return nil
			}
		}
		if offset += len(page.Events); len(page.Events) == 0 || offset >= page.Total {
			return nil
		}
	}
}

// remoteStatistics returns the statistics of an event of a running arena. The arena cannot compute statistics with an
// anchor or for a plot: then remoteStatistics computes them from the event's games.
func remoteStatistics(c *cli.Context, id int64, anchor *report.Anchor) (found eventStatistics, err error) {
	if id, err = remoteEvent(c, id); err != nil {
		return found, err
	}
	if anchor == nil && c.String("plot") == "" {
		computed, err := hosting.NewClient(c).Statistics(c.Context, id)
		e := tournament.Event{ID: id, Name: computed.Name, Rules: computed.Rules, Size: computed.Size}
		for _, bot := range computed.Crosstable.Standings {
			e.Entries = append(e.Entries, tournament.Entry{Name: bot.Name})
		}
		return eventStatistics{event: e, statistics: computed.Statistics}, err
	}
	copied, err := copyEvent(c, id)
	if err != nil {
		return found, err
	}
	defer copied.close()
	e, err := copied.store.Event(c.Context, copied.event)
	if err != nil {
		return found, err
	}
	found, err = statistics(c.Context, copied.store.Reader, e, anchor)
	found.statistics.Event, found.event.ID = id, id
	return found, err
}

// copiedEvent is an event of a running arena in a temporary database, which close removes.
type copiedEvent struct {
	store  *results.Store
	event  int64 // its number in store
	folder string
}

// copyEvent downloads an event with all its games.
func copyEvent(c *cli.Context, id int64) (copied *copiedEvent, err error) {
	file, err := hosting.NewClient(c).Download(c.Context, id)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	copied = &copiedEvent{}
	if copied.folder, err = os.MkdirTemp("", "versus2048-event-*"); err != nil {
		return nil, err
	}
	if copied.store, err = results.Open(c.Context, filepath.Join(copied.folder, "event.db")); err == nil {
		var t results.Transfer
		t, err = copied.store.Import(c.Context, file, 0)
		copied.event = t.Event
	}
	if err != nil {
		copied.close()
		return nil, fmt.Errorf("downloading event %d from %s: %w", id, c.String("server"), err)
	}
	return copied, nil
}

func (copied *copiedEvent) close() {
	if copied.store != nil {
		_ = copied.store.Close()
	}
	_ = os.RemoveAll(copied.folder) // the system also clears such folders
}

// originalNumbers returns the numbers that the games of an event have on a running arena, by match and leg.
func originalNumbers(c *cli.Context, id int64) (map[[2]int]int64, error) {
	games, err := remoteGames(c.Context, hosting.NewClient(c), results.Listing{Event: id})
	numbers := map[[2]int]int64{}
	for _, g := range games {
		if g.Voided.IsZero() {
			numbers[[2]int{g.Match, g.Leg}] = g.ID
		}
	}
	return numbers, err
}

// numbered replaces the number of a game in a copy by its number on the arena.
func numbered(g *results.Stored, numbers map[[2]int]int64) error {
	if g.ID = numbers[[2]int{g.Match, g.Leg}]; g.ID == 0 {
		return errors.New("its games change while they are read: export it once it is over")
	}
	g.Record.Game = strconv.FormatInt(g.ID, 10)
	return nil
}

// downloadLines writes the file of an event, and checks that it is whole.
func downloadLines(c *cli.Context, w io.Writer, id int64) (t results.Transfer, err error) {
	file, err := hosting.NewClient(c).Download(c.Context, id)
	if err != nil {
		return t, err
	}
	defer file.Close()
	if t, err = results.CheckFile(io.TeeReader(file, w)); err != nil {
		return t, fmt.Errorf("downloading event %d from %s: %w", id, c.String("server"), err)
	}
	t.Event = id
	return t, nil
}
