package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"versus2048/internal/server"
	"versus2048/internal/web/archive"
	"versus2048/internal/web/live"
	"versus2048/results"
)

// home is the first page, and the pages about the arena itself.
type home struct {
	pages   *pages
	arena   *server.Server
	store   *results.Store
	archive *archive.Archive
	find    *finder
	watched *live.Games
}

// showNothing answers requests for unknown addresses.
func showNothing(_ http.ResponseWriter, r *http.Request) error {
	if isForPrograms(r) {
		return notFound("There is no such route", "The document /docs/API.md lists all routes.")
	}
	return notFound("There is no such page", "The links at the top lead to all pages.")
}

// homePage is the first page: one game large and live, and lists of the other games, events and bots.
type homePage struct {
	HTTP     string    // the arena's address
	Featured *gamePage // nil if there is no game at all
	Running  []server.Progress
	Queued   []server.Progress // waiting for their time or for their bots
	Bots     []server.BotInfo
	// Interrupted are the events that can be resumed, Recent the last games.
	Interrupted []archive.Line
	Recent      []results.Stored
}

// mostInterrupted is the number of interrupted events on the first page, the latest ones.
const mostInterrupted = 5

// recentGames is the number of finished games on the first page.
const recentGames = 8

func (h *home) show(w http.ResponseWriter, r *http.Request) error {
	page := homePage{HTTP: origin(r), Bots: h.arena.Bots()}
	for _, p := range h.arena.Events() {
		if p.State.InQueue() {
			page.Queued = append(page.Queued, p)
		} else if !p.State.Final() {
			if detailed, ok := h.arena.Progress(p.Event); ok {
				page.Running = append(page.Running, detailed)
			}
		}
	}
	events, _, err := h.archive.All(r.Context())
	if err != nil {
		return err
	}
	for _, e := range slices.Backward(events) {
		if e.Interrupted() && len(page.Interrupted) < mostInterrupted {
			page.Interrupted = append(page.Interrupted, e)
		}
	}
	err = h.store.Games(r.Context(), results.Filter{Finished: true, Last: recentGames}, func(g results.Stored) error {
		page.Recent = append([]results.Stored{g}, page.Recent...)
		return nil
	})
	if err != nil {
		return err
	}
	if id := h.featured(r.Context(), 0); id > 0 {
		now, err := h.find.snapshot(r.Context(), id, nil)
		if err != nil {
			return err
		}
		if page.Featured, err = newGamePage(now, now.Plies()); err != nil {
			return err
		}
	}
	return h.pages.show(w, r, "home", view{Title: "versus 2048", Section: "home", Modules: []string{"home.js"}, Body: page})
}

// statusPage is the state of the arena, for operators.
type statusPage struct {
	server.Status
	Open, Free string // for how long it has been open, and the bytes that are free on the disk
}

func (h *home) showArena(w http.ResponseWriter, r *http.Request) error {
	now := h.arena.Status(r.Context())
	page := statusPage{
		Status: now, Open: time.Duration(now.Uptime).Round(time.Second).String(),
		Free: fmt.Sprintf("%.1f GiB", float64(now.Database.Free)/(1<<30)),
	}
	w.Header().Set("Cache-Control", "no-store")
	return h.pages.show(w, r, "status", view{Title: "Status", Body: page})
}

// workersPage is the arena's farm.
type workersPage struct {
	Workers      []server.Worker
	Cores, Games int // the cores of all workers that are not set aside, and the matches that they play
}

func (h *home) showWorkers(w http.ResponseWriter, r *http.Request) error {
	page := workersPage{Workers: h.arena.Workers()}
	for _, one := range page.Workers {
		page.Cores += one.Cores
		page.Games += one.Busy
	}
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Refresh", "5")
	return h.pages.show(w, r, "workers", view{Title: "Workers", Body: page})
}

// featured returns the game for the first page: the present one while it is in progress, or else the game in progress
// between the bots with the best places in their event, or else the last finished one. It returns 0 if there is no
// game.
func (h *home) featured(ctx context.Context, shown int64) int64 {
	if _, ok := h.arena.Game(shown); ok {
		return shown
	}
	best, lowest := int64(0), 0
	places := map[int64]map[string]int{}
	for _, g := range h.arena.Playing() {
		if places[g.Event] == nil {
			places[g.Event] = h.places(g.Event)
		}
		sum := places[g.Event][g.Record.Attacker] + places[g.Event][g.Record.Defender]
		if best == 0 || sum < lowest || sum == lowest && g.Since.Before(time.Now()) && g.ID > best {
			best, lowest = g.ID, sum
		}
	}
	if best > 0 || shown > 0 {
		return max(best, 0)
	}
	_ = h.store.Games(ctx, results.Filter{Finished: true, Last: 1}, func(g results.Stored) error {
		best = g.ID
		return nil
	}) // if the database fails, the page has an error elsewhere
	return best
}

// places returns the places of the bots in an event that is being played.
func (h *home) places(event int64) map[string]int {
	places := map[string]int{}
	if p, ok := h.arena.Progress(event); ok && p.Standings != nil {
		for _, place := range p.Standings.Places {
			places[place.Name] = place.Place
		}
	}
	return places
}

// pauseBetween is how long the end of a game is shown on the first page before the next game.
const pauseBetween = 3 * time.Second

// sendTV streams the game on the first page, and when it is over the next one, and tells when the page's lists have
// changed.
func (h *home) sendTV(w http.ResponseWriter, r *http.Request) error {
	to, err := live.NewStream(w, r)
	if err != nil {
		return nil // the watcher is gone
	}
	ctx, end := context.WithCancel(r.Context())
	var telling sync.WaitGroup
	telling.Go(func() {
		defer end()
		h.tellLists(ctx, to)
	})
	defer telling.Wait()
	defer end()
	shown, ply := live.SeenPly(r)
	if shown > 0 && !h.playing(shown) {
		err = h.sendEnd(ctx, to, shown, ply)
	}
	for err == nil {
		changed := h.arena.AnyChanged()
		next := h.featured(ctx, shown)
		if next == 0 || next == shown && !h.playing(next) {
			if err = to.Wait(ctx, changed); err == nil {
				err = to.Rest(ctx, time.Second)
			}
			continue
		}
		if next != shown {
			ply = 0
			if err = h.announce(ctx, to, next); err != nil {
				return nil // the watcher is gone
			}
		}
		err = h.watched.Follow(ctx, to, next, ply, func(now *live.Snapshot) bool { return !now.Live() })
		shown = next
		if err == nil {
			err = to.Rest(ctx, pauseBetween)
		}
	}
	return nil // the watcher is gone
}

// listsInterval is the shortest time between two messages that the lists of the first page have changed.
const listsInterval = 5 * time.Second

// tellLists tells a stream when the lists of the first page have changed, until ctx ends or the watcher is gone. The
// first message comes anyhow: they may have changed since the page was made.
func (h *home) tellLists(ctx context.Context, to *live.Stream) {
	for to.Rest(ctx, listsInterval) == nil {
		changed := h.arena.AnyChanged()
		if to.Send(live.Event("lists", "", nil)) != nil || to.Wait(ctx, changed) != nil {
			return
		}
	}
}

// sendEnd sends the state of a game that is not in progress. The watcher may not know that it is over, since it ended
// before this stream began or while the connection was lost.
func (h *home) sendEnd(ctx context.Context, to *live.Stream, game int64, ply int) error {
	err := h.watched.Follow(ctx, to, game, ply, func(*live.Snapshot) bool { return true })
	if missing := (*results.NotFoundError)(nil); err != nil && !errors.As(err, &missing) {
		return err
	}
	return to.Rest(ctx, pauseBetween)
}

func (h *home) playing(game int64) bool {
	_, ok := h.arena.Game(game)
	return ok
}

// change names the next game on the first page.
type change struct {
	Game     int64  `json:"game"`
	Event    int64  `json:"event"`
	Name     string `json:"name"`
	Attacker string `json:"attacker"`
	Defender string `json:"defender"`
	Rules    string `json:"rules"`
	Size     string `json:"size"`
}

func (h *home) announce(ctx context.Context, to *live.Stream, game int64) error {
	now, err := h.find.snapshot(ctx, game, nil)
	if err != nil {
		return err
	}
	r := &now.Game.Record
	return to.Send(live.Event("game", "", change{
		game, now.Event.ID, now.Event.Name, r.Attacker, r.Defender, r.Start.Rules().String(), r.Start.Size().String(),
	}))
}
