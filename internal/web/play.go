package web

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"versus2048/internal/server"
	"versus2048/players"
	"versus2048/rules"
	"versus2048/rules/record"
)

func (s *Site) playRoutes() []server.Route {
	return []server.Route{
		s.page("/play", s.showPlay),
		s.look("/api/kinds", s.sendKinds),
		// Every visitor who may look may play: server.Challenge limits the games that visitors start.
		s.route("POST /api/play", server.LookRight, s.challenge),
		s.route("POST /api/hint", server.LookRight, s.sendHint),
		s.route("POST /parts/hint", server.LookRight, s.showHint),
	}
}

// playPage is the form of a game and, with JavaScript, the game itself.
type playPage struct {
	Kinds     []players.Kind
	Connected []server.BotInfo
	Sizes     []rules.Size
	Rules     []rules.Ruleset
	Board     boardView
}

func (s *Site) showPlay(w http.ResponseWriter, r *http.Request) error {
	page := playPage{Kinds: opponents(), Connected: s.arena.Bots(), Rules: rules.Rulesets(), Sizes: rules.Sizes()}
	slices.Reverse(page.Sizes) // the usual one first
	page.Board = newBoardView(rules.NewPosition(rules.GPCC2015, rules.Full), nil)
	return s.show(w, r, "play", view{Title: "Play", Section: "play", Modules: []string{"play.js"}, Body: page})
}

// opponents returns the kinds of bots that play without a file.
func opponents() (kinds []players.Kind) {
	for _, kind := range players.Kinds() {
		if _, err := players.ParseClosed(kind.Name); err == nil && kind.Name != "chance" {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}

// kindJSON is a kind of bot that the arena can start.
type kindJSON struct {
	Name    string       `json:"name"`
	Summary string       `json:"summary"`
	Options []optionJSON `json:"options"`
}

type optionJSON struct {
	Name    string `json:"name"`
	Default string `json:"default"`
	Meaning string `json:"meaning"`
	Allowed string `json:"allowed"`
}

func (s *Site) sendKinds(w http.ResponseWriter, r *http.Request) error {
	return sendJSON(w, r, s.kinds())
}

// newKindsJSON lists all kinds of bots.
func newKindsJSON() (kinds []kindJSON) {
	for _, kind := range players.Kinds() {
		k := kindJSON{kind.Name, kind.Summary, []optionJSON{}}
		for _, o := range kind.Options {
			k.Options = append(k.Options, optionJSON{o.Name, o.Default, o.Meaning, o.Allowed()})
		}
		kinds = append(kinds, k)
	}
	return kinds
}

// challengeJSON is a game that a visitor asks for.
type challengeJSON struct {
	Name     string        `json:"name"`
	Opponent string        `json:"opponent"`
	Role     rules.Side    `json:"role"`
	Rules    rules.Ruleset `json:"rules"`
	Size     rules.Size    `json:"size"`
	MoveMS   int64         `json:"move_ms"`
	Start    string        `json:"start"`
	Recorded bool          `json:"recorded"`
}

// longestMove is the longest time for a move that a visitor can ask for; server.Challenge has the same limit.
const longestMove = 10 * time.Minute

// challenge prepares a game against a bot. It answers with the name and the token that the page needs to connect and
// play.
func (s *Site) challenge(w http.ResponseWriter, r *http.Request) error {
	var asked challengeJSON
	if err := readJSON(r, &asked); err != nil {
		return err
	}
	c := server.Challenge{
		Name: asked.Name, Opponent: asked.Opponent, Role: asked.Role, Rules: asked.Rules, Size: asked.Size,
		PerMove: time.Duration(asked.MoveMS) * time.Millisecond, Start: asked.Start, Recorded: asked.Recorded,
	}
	switch {
	case asked.MoveMS < 0 || asked.MoveMS > longestMove.Milliseconds():
		return wrong("This time for a move is out of range", fmt.Sprintf("Want 0, for the most, to %d ms.", longestMove.Milliseconds()))
	case c.Rules.Chance() && c.Role == rules.Attacker:
		return wrong("Under these rules chance attacks", "Play as the defender.")
	case c.Recorded && c.Start != "":
		return wrong("A game on record starts from the empty board", "Play it without a record.")
	}
	invitation, err := s.arena.Challenge(r, c)
	if err != nil {
		return tooMany(err)
	}
	return sendJSON(w, r, invitation)
}

// tooMany replaces server.ErrTooMany by an error in words for visitors, and leaves other errors as they are.
func tooMany(err error) error {
	if errors.Is(err, server.ErrTooMany) {
		return &problem{status: http.StatusTooManyRequests, title: "The arena is busy", advice: err.Error(), err: err}
	}
	return err
}

// hintJSON asks a bot for its move.
type hintJSON struct {
	Bot      string        `json:"bot"`
	Rules    rules.Ruleset `json:"rules"`
	Position string        `json:"position"`
}

// hintAnswer is the bot's move.
type hintAnswer struct {
	Move   rules.Move           `json:"move"`
	Search *record.SearchReport `json:"search,omitempty"`
}

// sendHint answers with the move that a bot would play.
func (s *Site) sendHint(w http.ResponseWriter, r *http.Request) error {
	_, _, hint, err := s.hint(r)
	if err != nil {
		return err
	}
	return sendJSON(w, r, hint)
}

// hint asks the bot that a request names for its move.
func (s *Site) hint(r *http.Request) (asked hintJSON, p rules.Position, hint hintAnswer, err error) {
	if err = readJSON(r, &asked); err != nil {
		return asked, p, hint, err
	}
	if p, err = rules.ParsePosition(asked.Rules, asked.Position); err != nil {
		return asked, p, hint, wrong("This is no position", err.Error())
	}
	hint.Move, hint.Search, err = s.arena.Hint(r, asked.Bot, p)
	return asked, p, hint, tooMany(err)
}

// hintView is a hint on the page.
type hintView struct {
	Bot    string
	Move   rules.Move
	Search *searchView
	Exact  *exactView  // nil if no table has the position
	Best   []legalMove // under perfect play
}

// hintRows is how many moves of a search a hint shows.
const hintRows = 6

// showHint answers with the part of the page that shows a hint.
func (s *Site) showHint(w http.ResponseWriter, r *http.Request) error {
	asked, p, hint, err := s.hint(r)
	if err != nil {
		return err
	}
	view := hintView{Bot: asked.Bot, Move: hint.Move, Search: newSearchView(p, hint.Search)}
	if view.Search != nil {
		view.Search.Moves = view.Search.Moves[:min(hintRows, len(view.Search.Moves))]
	}
	if probe, err := s.probe(p); err == nil {
		view.Exact = newExactView(p, probe)
		for _, m := range legalMoves(p, view.Exact) {
			if m.Exact.Best {
				view.Best = append(view.Best, m)
			}
		}
	}
	return s.showPart(w, r, "play", "hint", view)
}
