package web

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"

	"versus2048/internal/server"
	"versus2048/internal/web/analysis"
	"versus2048/internal/web/archive"
	"versus2048/internal/web/drawing"
	"versus2048/internal/web/live"
	"versus2048/internal/web/templates"
	"versus2048/internal/web/welcome"
	"versus2048/results"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"

	lru "github.com/hashicorp/golang-lru/v2"
)

// sharing serves parts of games for other sites and programs: a board, pictures, files.
type sharing struct {
	pages  *pages
	arena  *server.Server
	find   *finder
	artist func() (*drawing.Artist, error) // made for the first animation or preview
}

// embedded is the board of a game alone.
type embedded struct {
	*gamePage
	Theme string         // light, dark, or "" for the theme of the visitor's system
	Bar   bool           // whether it has the advantage and the best move
	Scene *welcome.Shown // the plies that it plays, nil for a still board
}

// showEmbedded shows the board of a game alone. It is the only page that other sites may show in a frame: it has
// nothing that a visitor could be tricked into pressing.
func (s *sharing) showEmbedded(w http.ResponseWriter, r *http.Request) error {
	page, err := s.find.gamePage(r)
	if err != nil {
		return err
	}
	shown := embedded{gamePage: page, Theme: r.FormValue("theme")}
	if shown.Theme != "light" && shown.Theme != "dark" {
		shown.Theme = "" // as the visitor's system has it
	}
	if shown.Bar = r.FormValue("bar") != "0"; shown.Bar {
		if err = s.find.addPanels(r, page); err != nil {
			return err
		}
	}
	if r.FormValue("play") == "1" && !page.Live() {
		shown.Scene = s.find.asked(r, page)
	}
	h := w.Header()
	h.Set("Content-Security-Policy", policyFor("*"))
	h.Del("Cross-Origin-Opener-Policy")
	return s.pages.show(w, r, "embed", view{Title: fmt.Sprintf("Game %d", page.Game.ID), About: page.about(), Picture: page.picture(), Modules: []string{"embed.js"}, Body: shown})
}

// asked returns the plies of a game that an address asks for, by its keys from and to. A key that is missing, or names
// no ply of the game, stands for the beginning or the end. A last ply that is not behind the first one stands for the
// end, too.
func (f *finder) asked(r *http.Request, page *gamePage) *welcome.Shown {
	game, last := &page.Game.Record, page.Plies()
	from, _ := analysis.PlyOf(r.Form, "from", last, 0)
	to, _ := analysis.PlyOf(r.Form, "to", last, last)
	if to <= from {
		to = last
	}
	part := &welcome.Shown{Game: page.Game.ID, Advantage: f.values.Part(game, from, to, page.OtherLeg.score())}
	part.Scene = welcome.Scene{Attacker: game.Attacker, Defender: game.Defender, Ply: from, Moves: game.Moves[from:to]}
	part.Start, _ = analysis.At(game, from) // the page has played all moves
	return part
}

// file returns the handler that sends a record with its search reports as a file.
func (s *sharing) file(extension, kind string, write func(*record.Record) ([]byte, error)) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		game, err := s.find.searched(r)
		if err != nil {
			return err
		}
		text, err := write(game)
		if err != nil {
			return err
		}
		w.Header().Set("Content-Disposition", fmt.Sprintf("attachment; filename=game-%s.%s", r.PathValue("game"), extension))
		return send(w, r, http.StatusOK, kind, text)
	}
}

// textOf returns the text form of a record.
func textOf(game *record.Record) ([]byte, error) {
	var text bytes.Buffer
	err := game.WriteText(&text)
	return text.Bytes(), err
}

// jsonOf returns the JSON form of a record.
func jsonOf(game *record.Record) ([]byte, error) { return json.Marshal(game) }

// sendSVG answers with a picture of a position.
func (s *sharing) sendSVG(w http.ResponseWriter, r *http.Request) error {
	p, err := s.find.positionInGame(r)
	if err != nil {
		return err
	}
	return send(w, r, http.StatusOK, "image/svg+xml", drawing.SVG(p))
}

// The length of an animation in plies.
const (
	usualFilm   = 100
	longestFilm = 400 // some 1.5 MB in the usual width
)

// sendGIF answers with an animation of a game. The keys from, to and width set its first ply, its last ply and its
// width; without them it shows the last plies in the usual width.
func (s *sharing) sendGIF(w http.ResponseWriter, r *http.Request) error {
	now, _, err := s.find.gameAndPly(r)
	if err != nil {
		return err
	}
	from, to, err := filmed(r, now.Plies())
	if err != nil {
		return err
	}
	game := &now.Game.Record
	film := drawing.Film{Attacker: game.Attacker, Defender: game.Defender}
	if film.Width, err = widthOf(r); err != nil {
		return err
	}
	if film.Positions, err = analysis.Between(game, from, to); err != nil {
		return err
	}
	turn, err := s.arena.Think(r)
	if err != nil {
		return err
	}
	defer turn.End()
	artist, err := s.artist()
	if err != nil {
		return err
	}
	animation, err := artist.GIF(film)
	if err != nil {
		return err
	}
	turn.End() // the reader may be slow
	if now.Over() {
		w.Header().Set("Cache-Control", "private, max-age=86400")
	}
	return send(w, r, http.StatusOK, "image/gif", animation)
}

// widthOf returns the width of an animation in pixels, from the key width.
func widthOf(r *http.Request) (int, error) {
	width := drawing.UsualFilm
	if text := r.FormValue("width"); text != "" {
		var err error
		if width, err = strconv.Atoi(text); err != nil || width < drawing.LeastFilm || width > drawing.MostFilm {
			return 0, wrong(fmt.Sprintf("There is no animation of the width %.20q", text), fmt.Sprintf("It has %d to %d pixels.", drawing.LeastFilm, drawing.MostFilm))
		}
	}
	return width, nil
}

// filmed returns the first and the last ply of an animation.
func filmed(r *http.Request, last int) (from, to int, err error) {
	if to, err = analysis.PlyOf(r.Form, "to", last, last); err != nil {
		return 0, 0, err
	}
	if from, err = analysis.PlyOf(r.Form, "from", last, max(0, to-usualFilm)); err != nil {
		return 0, 0, err
	}
	if from > to || to-from > longestFilm {
		return 0, 0, wrong(fmt.Sprintf("There is no animation from ply %d to ply %d", from, to),
			fmt.Sprintf("An animation has at most %d plies, the last of them not before the first.", longestFilm))
	}
	return from, to, nil
}

// description describes all pages without a description of their own, for search engines and messengers.
const description = "2048 for two players: one slides the tiles for points, the other places each new tile to stop it. Play against a bot, or watch bots play."

// previews are the pictures that other sites show with links to pages.
type previews struct {
	arena   *server.Server
	store   *results.Store
	archive *archive.Archive
	find    *finder
	artist  func() (*drawing.Artist, error) // the artist of sharing
	made    *lru.Cache[string, []byte]      // by the contents of the cards
}

// keptPreviews is the number of kept pictures, some 20 kB each: the pictures that were asked for last.
const keptPreviews = 64

func newPreviews(s *sharing, store *results.Store, all *archive.Archive) *previews {
	made, _ := lru.New[string, []byte](keptPreviews) // fails only for a size of 0
	return &previews{s.arena, store, all, s.find, s.artist, made}
}

// send answers with the picture of a position with some lines of text.
func (v *previews) send(w http.ResponseWriter, r *http.Request, p rules.Position, lines ...string) error {
	key := fmt.Sprintf("%v %q", p, lines)
	card, known := v.made.Get(key)
	if !known {
		turn, err := v.arena.Think(r)
		if err != nil {
			return err
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
	w.Header().Set("Cache-Control", "private, max-age=300")
	return send(w, r, http.StatusOK, "image/png", card)
}

// sendUsual answers with the picture for all pages without a picture of their own.
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

// sendGame answers with a picture of the last position of a game.
func (v *previews) sendGame(w http.ResponseWriter, r *http.Request) error {
	now, _, err := v.find.gameAndPly(r)
	if err != nil {
		return err
	}
	game := &now.Game.Record
	return v.send(w, r, now.Position, templates.Count(now.Position.Score(), "point"), game.Defender, "defends against", game.Attacker)
}

// mostLeaders is the largest number of bots that the picture of an event names.
const mostLeaders = 4

// sendEvent answers with a picture of the last game of an event, with the event's state and leaders. It names no
// leaders while the statistics are computed for the first time.
func (v *previews) sendEvent(w http.ResponseWriter, r *http.Request) error {
	id, err := numberIn(r, "id", "event")
	if err != nil {
		return err
	}
	x, err := v.archive.Event(r.Context(), id, 0)
	if err != nil {
		return err
	}
	p, err := v.lastPosition(r.Context(), &x.Event)
	if err != nil {
		return err
	}
	lines := []string{x.Event.Name, templates.Count(x.Line.Done, "game") + ", " + live.EventState(x.Line.State)}
	if x.Statistics != nil && x.Statistics.Standings.Begun() {
		places := x.Statistics.Standings.Places
		for _, place := range places[:min(mostLeaders, len(places))] {
			lines = append(lines, fmt.Sprintf("%d. %s", place.Place, place.Name))
		}
	}
	return v.send(w, r, p, lines...)
}

// lastPosition returns the last position of an event's last finished game, or an empty board.
func (v *previews) lastPosition(ctx context.Context, e *tournament.Event) (p rules.Position, err error) {
	p = rules.NewPosition(e.Rules, e.Size)
	err = v.store.Games(ctx, results.Filter{Event: e.ID, Finished: true, Last: 1}, func(g results.Stored) (err error) {
		p, err = g.Record.Replay()
		return err
	})
	return p, err
}
