package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"versus2048/internal/server"
	"versus2048/internal/server/budget"
	"versus2048/internal/web/analysis"
	"versus2048/internal/web/inbrowser"
	"versus2048/internal/web/live"
	"versus2048/players"
	"versus2048/players/exact"
	"versus2048/rules"
)

// positions is the page about one position.
type positions struct {
	pages    *pages
	arena    *server.Server
	find     *finder
	tables   analysis.Tables
	explorer *explorer
}

// ofArena is the part of the page about one position that only an arena can show: the moves played in its games, and
// the bots that can be asked.
type ofArena struct {
	Explorer *explorerView
	Kinds    []players.Kind   // of bots that the arena can start for an opinion
	Asked    []server.BotInfo // connected bots that can be asked
}

// show shows a position with the facts that are known about it. For an impossible position it shows the form with the
// typed text, and the reason. A request with setup gets the form for setting up a position.
func (a *positions) show(w http.ResponseWriter, r *http.Request) error {
	if r.FormValue("setup") != "" {
		return a.pages.show(w, r, "setup", framed(analysis.Setup(r.Form)))
	}
	page, status, err := a.page(r)
	if err != nil {
		return err
	}
	explored := a.explorer.view(r, page.Position)
	if page.Problem != "" {
		explored.Problem = "" // the form has the reason
	}
	page.Arena = &ofArena{explored, askable(), a.arena.Bots()}
	v := framed(page.View())
	v.status = status
	return a.pages.show(w, r, "analysis", v)
}

// page returns the page about the position that a request asks for, and the status of the answer. For an impossible
// position, programs and modules get the reason as an error, not a page.
func (a *positions) page(r *http.Request) (*analysis.Page, int, error) {
	p, err := a.find.position(r)
	var page *analysis.Page
	if err == nil {
		page, err = analysis.NewTriedPage(a.tables, r.Form, p)
	}
	var impossible *analysis.Problem
	switch {
	case errors.As(err, &impossible) && !impossible.Missing && !isForPrograms(r):
		return analysis.NewFaultyPage(a.tables, r.Form, impossible), http.StatusBadRequest, nil
	case err != nil:
		return nil, 0, err
	}
	if r.FormValue("position") == "" {
		page.Game, page.Ply = r.FormValue("game"), r.FormValue("ply")
	}
	return page, http.StatusOK, nil
}

// exact returns the value of a position and of each move.
func (a *positions) exact(r *http.Request) (*exact.Probe, error) {
	p, err := a.find.position(r)
	if err != nil {
		return nil, err
	}
	return a.tables.Probe(p)
}

// Limits of the searches that visitors ask for. Games have the rest of the machine.
const (
	opinionTime   = 20 * time.Second
	opinionMemory = 256 << 20  // bytes of one search
	opinionNodes  = 300_000    // positions of one search: two trees of this size need less than opinionMemory
	firstPlayouts = 250        // of the first search; the number doubles with each search
	mostPlayouts  = 64_000_000 // of one search at most
	firstTime     = 50         // milliseconds of the first search of a bot that has only a limit of time
)

// askable returns the kinds of bots that visitors can ask for an opinion: the kinds that need no file.
func askable() []players.Kind {
	return slices.DeleteFunc(players.Kinds(), players.Kind.NeedsFile)
}

// askedBot returns the bot that a request names. It returns an error if visitors may not ask this bot about p.
func askedBot(r *http.Request, p rules.Position) (players.Spec, error) {
	bot := r.FormValue("bot")
	spec, err := players.ParseClosed(bot)
	name, _, _ := strings.Cut(bot, ":")
	if isKind(name, players.Kind.NeedsFile) || err == nil && len(spec.Files()) > 0 {
		return spec, wrong("This bot reads a file", "Only bots without files can be asked here.")
	}
	if err != nil {
		return spec, wrong("There is no such bot", err.Error())
	}
	need := effort(spec, mostPlayouts).Need()
	switch {
	case need.Threads > 1:
		return spec, wrong("This bot has too many threads", "Want threads=1.")
	case need.Memory > opinionMemory:
		return spec, wrong("This bot needs too much memory", fmt.Sprintf("It may need %d MiB of the %d that a search may have.", need.Memory>>20, opinionMemory>>20))
	case spec.Plays(p.Rules(), p.Size()) != nil:
		return spec, wrong("This bot does not play on such boards", spec.Plays(p.Rules(), p.Size()).Error())
	case p.Over():
		return spec, wrong("The game is over here", "There is no move to choose.")
	}
	return spec, nil
}

// effort returns a bot with a number of playouts and bounded memory, as far as it has such options.
func effort(s players.Spec, playouts int) players.Spec {
	return s.Within(players.Effort{Playouts: uint64(playouts), Nodes: opinionNodes})
}

// stronger returns the bot for the n-th search, counted from 0. Each search has more effort than the search before:
// more playouts, a greater depth, or more time. A bot without such an option has one search. ok is false if there is no
// such search.
func stronger(s players.Spec, n int) (next players.Spec, ok bool) {
	switch {
	case has(s, "playouts"):
		playouts := firstPlayouts << n
		return effort(s, playouts), playouts <= mostPlayouts
	case has(s, "depth"):
		return with(s, "depth", n+1)
	case has(s, "time"):
		return with(s, "time", firstTime<<n)
	}
	return s, n == 0
}

// with returns a bot with another value of an option; ok is false if it cannot have that value.
func with(s players.Spec, option string, value int) (changed players.Spec, ok bool) {
	kind, options, _ := strings.Cut(s.String(), ":")
	all := strings.Split(options, ",")
	for i, o := range all {
		if strings.HasPrefix(o, option+"=") {
			all[i] = fmt.Sprintf("%s=%d", option, value)
		}
	}
	changed, err := players.ParseClosed(kind + ":" + strings.Join(all, ","))
	return changed, err == nil
}

// has reports whether a bot has an option.
func has(s players.Spec, option string) bool {
	return isKind(s.Kind(), func(k players.Kind) bool {
		return slices.ContainsFunc(k.Options, func(o players.Option) bool { return o.Name == option })
	})
}

// isKind reports whether there is a kind of bot with this name that satisfies the predicate is.
func isKind(name string, is func(players.Kind) bool) bool {
	return slices.ContainsFunc(players.Kinds(), func(k players.Kind) bool { return k.Name == name && is(k) })
}

// opinions streams the opinions of bots about positions.
type opinions struct {
	pages *pages
	arena *server.Server
	find  *finder
}

// opinionEncoder returns the message of a stream for an opinion about a position.
type opinionEncoder func(rules.Position, inbrowser.Opinion) (any, error)

// inData is the opinionEncoder for programs: it returns the opinion unchanged.
func inData(_ rules.Position, said inbrowser.Opinion) (any, error) { return said, nil }

// inWords is the opinionEncoder for browsers: it returns the opinion as a part of the page about the position.
func (o *opinions) inWords(p rules.Position, said inbrowser.Opinion) (any, error) {
	return analysis.NewOpinionPart(o.pages.templates, p, said)
}

// visitors returns a part of the page for an opinion that a search in the visitor's browser has found.
func (o *opinions) visitors(r *http.Request) (part analysis.OpinionPart, err error) {
	var sent analysis.Visitors
	if err = readJSON(r, &sent); err != nil {
		return part, err
	}
	return sent.Part(o.pages.templates)
}

// send returns the handler that streams the opinion of a bot about a position: a report after each search, until the
// time is over, the bot has nothing more to find, or the reader is gone.
func (o *opinions) send(encode opinionEncoder) handler {
	return func(w http.ResponseWriter, r *http.Request) error { return o.opine(w, r, encode) }
}

func (o *opinions) opine(w http.ResponseWriter, r *http.Request, encode opinionEncoder) error {
	p, err := o.find.position(r)
	if err != nil {
		return err
	}
	think, free, err := o.thinker(r, p)
	if err != nil {
		return err
	}
	defer free()
	to, err := live.NewStream(w, r)
	if err != nil {
		return nil // the reader is gone, or the method is HEAD
	}
	ctx, end := context.WithTimeout(r.Context(), opinionTime)
	defer end()
	show := func(said inbrowser.Opinion) error {
		encoded, err := encode(p, said)
		if err != nil {
			return err
		}
		return to.Send(live.Event("opinion", "", encoded))
	}
	if err := think(ctx, show); err != nil {
		_ = to.Send(live.Event("problem", "", err.Error()))
		return nil
	}
	_ = to.Send(live.Event("done", "", struct{}{})) // the reader may be gone
	return nil
}

// thinker calls show with each opinion of a bot, until the context ends or there are no more.
type thinker func(ctx context.Context, show func(inbrowser.Opinion) error) error

// thinker returns the thinker for the bot that a request names. A connected bot has only one opinion, so thinker
// already asks for it and waits for the answer. For any other bot, thinker holds a place and memory until free is
// called.
func (o *opinions) thinker(r *http.Request, p rules.Position) (think thinker, free func(), err error) {
	if bot := r.FormValue("bot"); o.arena.CanAsk(bot) {
		move, search, err := o.arena.Hint(r, bot, p)
		said := func(_ context.Context, show func(inbrowser.Opinion) error) error {
			return show(inbrowser.Opinion{Bot: bot, Move: move, Search: search})
		}
		return said, func() {}, err
	}
	spec, err := askedBot(r, p)
	if err != nil {
		return nil, nil, err
	}
	turn, err := o.arena.Think(r)
	if err != nil {
		return nil, nil, err
	}
	release, err := o.arena.Reserve(effort(spec, mostPlayouts).Need().Memory)
	if err != nil {
		turn.End()
		return nil, nil, &problem{status: http.StatusServiceUnavailable, title: "This arena has no memory for another search now", advice: "Try again when fewer games are played here.", err: err}
	}
	search := func(ctx context.Context, show func(inbrowser.Opinion) error) error {
		return deepen(ctx, turn, spec, p, show)
	}
	return search, func() { release(); turn.End() }, nil
}

// deepen lets a bot search a position again and again, with more effort each time, and calls show with each opinion. A
// bot without search reports has one opinion. deepen ends when ctx does. While events are played, it also ends after a
// [budget.Slice]. The end cuts the last search short. That search counts only if it has made more playouts than the
// search before.
func deepen(ctx context.Context, turn *budget.Turn, spec players.Spec, p rules.Position, show func(inbrowser.Opinion) error) error {
	ctx, end := turn.Within(ctx, 0)
	defer end()
	var before int64
	for n := 0; ctx.Err() == nil; n++ {
		bot, ok := stronger(spec, n)
		if !ok {
			return nil
		}
		player := bot.New(players.Game{})
		move, err := player.Choose(ctx, p)
		if err != nil {
			return err
		}
		o := inbrowser.Opinion{Bot: bot.String(), Move: move}
		if searcher, ok := player.(players.Searcher); ok {
			o.Search = searcher.LastSearch()
		}
		if ctx.Err() != nil && (o.Search == nil || o.Search.Playouts <= before) {
			return nil
		}
		if err := show(o); err != nil || o.Search == nil {
			return err
		}
		before = o.Search.Playouts
	}
	return nil
}
