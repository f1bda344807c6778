package web

import (
	"context"
	"fmt"
	"net/http"
	"sync"

	"versus2048/internal/server"
	"versus2048/internal/web/archive"
	"versus2048/internal/web/drawing"
	"versus2048/internal/web/welcome"
	"versus2048/internal/web/words"
	"versus2048/results"
	"versus2048/rules"

	lru "github.com/hashicorp/golang-lru/v2"
)

// description is what pages without a description of their own say about themselves to search engines and messengers.
const description = "2048 for two players: one slides the tiles for points, the other places each new tile to stop it. Play against a bot, or watch bots play."

// previews are the pictures by which other sites announce links to pages.
type previews struct {
	arena   *server.Server
	store   *results.Store
	archive *archive.Archive
	find    *finder
	artist  func() (*drawing.Artist, error)
	made    *lru.Cache[string, []byte] // by the contents of the cards
}

// keptPreviews is how many pictures are kept, some 20 kB each: the last ones that were asked for.
const keptPreviews = 64

func newPreviews(arena *server.Server, store *results.Store, all *archive.Archive, find *finder) *previews {
	made, _ := lru.New[string, []byte](keptPreviews) // fails only for a size of 0
	return &previews{arena, store, all, find, sync.OnceValues(drawing.NewArtist), made}
}

// send answers with the picture of a position with some lines of text.
func (v *previews) send(w http.ResponseWriter, r *http.Request, p rules.Position, lines ...string) error {
	key := fmt.Sprintf("%v %q", p, lines)
	card, known := v.made.Get(key)
	if !known {
		turn, err := v.arena.Think(r)
		if err != nil {
			return tooMany(err)
		}
		defer turn.End()
		artist, err := v.artist()
		if err != nil {
			return err
		}
		if card, err = artist.Card(p, lines...); err != nil {
			return err
		}
		v.made.Add(key, card)
		turn.End() // the reader may be slow
	}
	w.Header().Set("Cache-Control", "public, max-age=300")
	return send(w, r, http.StatusOK, "image/png", card)
}

// sendUsual answers with the picture of all pages that have none of their own.
func (v *previews) sendUsual(w http.ResponseWriter, r *http.Request) error {
	games, err := welcome.Games()
	if err != nil {
		return err
	}
	p, err := games[0].Record.Replay()
	if err != nil {
		return err
	}
	return v.send(w, r, p, "versus 2048", "One slides the tiles,", "the other places them.", "The higher score wins.")
}

// sendGame answers with the last position of a game.
func (v *previews) sendGame(w http.ResponseWriter, r *http.Request) error {
	now, _, err := v.find.gameAndPly(r)
	if err != nil {
		return err
	}
	game := &now.Game.Record
	return v.send(w, r, now.Position, words.Count(now.Position.Score(), "point"), game.Defender, "defends against", game.Attacker)
}

// sendEvent answers with the last game of an event, and how the event stands.
func (v *previews) sendEvent(w http.ResponseWriter, r *http.Request) error {
	line, err := lineIn(r, v.archive)
	if err != nil {
		return err
	}
	p, err := v.lastPosition(r.Context(), &line)
	if err != nil {
		return err
	}
	lines := []string{line.Name, words.Count(line.Done, "game") + ", " + words.State(line.State)}
	leaders, err := v.leaders(r.Context(), line.Event)
	if err != nil {
		return err
	}
	return v.send(w, r, p, append(lines, leaders...)...)
}

// lastPosition returns the last position of an event's last finished game, or an empty board.
func (v *previews) lastPosition(ctx context.Context, line *archive.Line) (p rules.Position, err error) {
	set, err := rules.ParseRuleset(line.Rules)
	if err != nil {
		return p, err
	}
	size, err := rules.ParseSize(line.Size)
	if err != nil {
		return p, err
	}
	p = rules.NewPosition(set, size)
	err = v.store.Games(ctx, results.Filter{Event: line.Event, Finished: true, Last: 1}, func(g results.Stored) (err error) {
		p, err = g.Record.Replay()
		return err
	})
	return p, err
}

// mostLeaders is how many bots the picture of an event names.
const mostLeaders = 4

// leaders returns the first places of an event; none while its figures are not known.
func (v *previews) leaders(ctx context.Context, event int64) (lines []string, err error) {
	stats, err := v.archive.Statistics(ctx, event)
	if err != nil || stats == nil || !stats.Standings.Begun() {
		return nil, err
	}
	places := stats.Standings.Places
	for _, place := range places[:min(mostLeaders, len(places))] {
		lines = append(lines, fmt.Sprintf("%d. %s", place.Place, place.Name))
	}
	return lines, nil
}
