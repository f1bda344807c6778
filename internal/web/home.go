package web

import (
	"cmp"
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
	"versus2048/internal/web/welcome"
	"versus2048/results"

	lru "github.com/hashicorp/golang-lru/v2"
)

// home is the first page, and the pages about the arena itself.
type home struct {
	pages   *pages
	arena   *server.Server
	store   *results.Store
	archive *archive.Archive
	find    *finder
	watched *live.Games
	scenes  *lru.Cache[markedGame, []welcome.Shown] // of finished games
	own     func() ([]welcome.Shown, error)         // of the games that come with the program, made once
}

// mostScenes is the largest number of games with kept scenes. The games that were shown last keep theirs.
const mostScenes = 64

func newHome(pages *pages, arena *server.Server, store *results.Store, all *archive.Archive, find *finder, watched *live.Games) *home {
	scenes, _ := lru.New[markedGame, []welcome.Shown](mostScenes) // fails only for a size of 0
	own := func() ([]welcome.Shown, error) { return welcome.OwnScenes(find.values) }
	return &home{pages, arena, store, all, find, watched, scenes, sync.OnceValues(own)}
}

// showNothing answers requests for unknown addresses.
func showNothing(_ http.ResponseWriter, r *http.Request) error {
	if isForPrograms(r) {
		return notFound("There is no such route", "The document /docs/API lists all routes.")
	}
	return notFound("There is no such page", "The links at the top lead to all pages.")
}

// homePage is the first page: the game in two sentences, a game to watch, levels to play against, and lists of events,
// bots and games.
type homePage struct {
	HTTP    string // the arena's address
	TV      *welcome.TV
	Scenes  []welcome.Shown // of finished games, played on the page while no game is in progress
	Levels  []welcome.Level
	Running []server.Progress
	Queued  []server.Progress // waiting for their time or for their bots
	Bots    []server.BotInfo
	// Interrupted are events that can be resumed. Recent are the last finished games.
	Interrupted []archive.Line
	Recent      []results.Stored
}

// mostInterrupted is the largest number of interrupted events on the first page.
const mostInterrupted = 5

// recentGames is the number of finished games on the first page.
const recentGames = 8

func (h *home) show(w http.ResponseWriter, r *http.Request) error {
	page := homePage{HTTP: origin(r), Levels: welcome.Levels(), Bots: h.arena.Bots()}
	for _, p := range h.arena.Events() {
		if p.State.InQueue() {
			page.Queued = append(page.Queued, p)
		} else if !p.State.Ended() {
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
	if page.Scenes, err = h.scenesOf(page.Recent); err != nil {
		return err
	}
	if page.TV, err = h.onTV(r.Context(), page.Scenes); err != nil {
		return err
	}
	return h.pages.show(w, r, "home", view{Title: "versus 2048", Section: "home", Modules: []string{"home.js"}, Body: page})
}

// onTV returns the game in progress that the first page shows, or else the first scene.
func (h *home) onTV(ctx context.Context, scenes []welcome.Shown) (*welcome.TV, error) {
	id := h.featured(0)
	if id == 0 {
		return scenes[0].First(), nil
	}
	now, err := h.find.snapshot(ctx, id, nil)
	if err != nil {
		return nil, err
	}
	r := &now.Game.Record
	shown := welcome.NewTV(id, now.Position, r.Moves, r.Attacker, r.Defender, now.Result, now.Away)
	shown.Ply, shown.Live, shown.Advantage = len(r.Moves), now.Live(), now.Advantage
	return shown, nil
}

// scenesOf returns the scenes of the longest recent games, voided games excepted. If these games have no scenes, it
// returns the scenes of the games that come with the program.
func (h *home) scenesOf(recent []results.Stored) ([]welcome.Shown, error) {
	counted := slices.DeleteFunc(slices.Clone(recent), func(g results.Stored) bool { return !g.Voided.IsZero() })
	if scenes := h.bestScenes(counted); len(scenes) > 0 {
		return scenes, nil
	}
	return h.own()
}

// bestScenes returns the scenes of the longest games.
func (h *home) bestScenes(games []results.Stored) (scenes []welcome.Shown) {
	longest := slices.SortedStableFunc(slices.Values(games), func(a, b results.Stored) int { return cmp.Compare(len(b.Record.Moves), len(a.Record.Moves)) })
	for i := range longest[:min(welcome.ScenesGames, len(longest))] {
		scenes = append(scenes, h.keptScenes(&longest[i], games)...)
	}
	return scenes
}

// keptScenes is like scenesIn, but keeps scenes, since scenesIn takes a moment for a long game. It keeps them once the
// winner of the match is known.
func (h *home) keptScenes(g *results.Stored, among []results.Stored) []welcome.Shown {
	key := markedGame{g.ID, g.Finished.UnixNano()}
	if known, ok := h.scenes.Get(key); ok {
		return known
	}
	scenes := h.find.scenesIn(g, among)
	if len(scenes) > 0 && scenes[0].Won != "" {
		h.scenes.Add(key, scenes)
	}
	return scenes
}

// scenesIn returns the scenes of a game, with the winner of the match if the other game of the match is in among.
func (f *finder) scenesIn(g *results.Stored, among []results.Stored) (scenes []welcome.Shown) {
	won := ""
	var score *int // in the other game
	for _, other := range among {
		if other.Event == g.Event && other.Match == g.Match && other.Leg != g.Leg {
			won, score = live.MatchResult(g.Game, other.Game), countedScore(other)
		}
	}
	for _, s := range welcome.NewScenes(&g.Record) {
		scenes = append(scenes, welcome.Shown{Scene: s, Game: g.ID, Won: won, Advantage: f.values.Part(&g.Record, s.Ply, s.Ply+len(s.Moves), score)})
	}
	return scenes
}

// statusPage is the state of the arena, for operators.
type statusPage struct {
	server.Status
	Open, Free string // the time since it opened, and the bytes that are free on the disk
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
	Cores, Games int // the sums of all workers' cores, and of the matches that they play now
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

// featured returns the game for the first page: the game with the number shown as long as it is in progress, or else
// the game in progress with the bots that are best placed in their event. It returns 0 if no game is in progress.
func (h *home) featured(shown int64) int64 {
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
		if best == 0 || sum < lowest || sum == lowest && g.ID > best {
			best, lowest = g.ID, sum
		}
	}
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

// pauseBetween is the time that the end of a game stays on the first page before the next game.
const pauseBetween = 3 * time.Second

// sendTV streams the games on the first page, one after the other, and a message whenever the page's lists have
// changed.
func (h *home) sendTV(w http.ResponseWriter, r *http.Request) error {
	to, err := live.NewStream(w, r)
	if err != nil {
		return nil // the watcher is gone, or wants no body
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
		next := h.featured(shown)
		if next == 0 || next == shown && !h.playing(next) {
			if err = to.Wait(ctx, changed); err == nil {
				err = to.Rest(ctx, time.Second)
			}
			continue
		}
		if next != shown {
			ply = 0
			if err = h.announce(ctx, to, next); err != nil {
				return nil // the watcher is gone, or the game cannot be read
			}
		}
		err = h.watched.Follow(ctx, to, next, ply, func(now *live.Snapshot) bool { return !now.Live() })
		shown = next
		if err == nil {
			err = to.Rest(ctx, pauseBetween)
		}
	}
	return nil // the watcher is gone, or a game cannot be read
}

// listsInterval is the shortest time between two messages that the lists of the first page have changed.
const listsInterval = 5 * time.Second

// tellLists sends a message when the lists of the first page have changed, until ctx ends or the watcher is gone. The
// first message comes in any case: the lists may have changed since the page was made.
func (h *home) tellLists(ctx context.Context, to *live.Stream) {
	for to.Rest(ctx, listsInterval) == nil {
		changed := h.arena.AnyChanged()
		if to.Send(live.Event("lists", "", nil)) != nil || to.Wait(ctx, changed) != nil {
			return
		}
	}
}

// sendEnd sends the state of a game that is not in progress, if there is such a game, and pauses. The watcher may not
// know that the game is over: it may have ended before this stream began, or while the connection was lost.
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
