package web

import (
	"fmt"
	"net/http"
	"slices"
	"time"

	"versus2048/internal/server"
	"versus2048/internal/web/analysis"
	"versus2048/internal/web/inbrowser"
	"versus2048/internal/web/welcome"
	"versus2048/players"
	"versus2048/rules"
	"versus2048/rules/record"
)

// play is the page for playing against bots.
type play struct {
	pages  *pages
	arena  *server.Server
	tables analysis.Tables
}

func (p *play) show(w http.ResponseWriter, r *http.Request) error {
	var connected []string
	for _, bot := range p.arena.Bots() {
		connected = append(connected, bot.Name)
	}
	page := welcome.NewPlay(opponents(), connected)
	v := view{Title: "Play", About: "Play 2048 against a bot: slide the tiles, or place them.", Section: "play", Modules: []string{"play.js"}, Body: page}
	if err := welcome.CheckLink(r.URL.Query()); err != nil {
		page.Problem, v.status = fmt.Sprintf("This link has the wrong %v.", err), http.StatusBadRequest
	}
	return p.pages.show(w, r, "play", v)
}

// opponents returns the kinds of bots that a visitor can play against: the kinds that need no file, except chance.
func opponents() []players.Kind {
	return slices.DeleteFunc(askable(), func(k players.Kind) bool { return k.Name == "chance" })
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

// kinds lists all kinds of bots.
func kinds(*http.Request) (list []kindJSON, err error) {
	for _, kind := range players.Kinds() {
		k := kindJSON{kind.Name, kind.Summary, []optionJSON{}}
		for _, o := range kind.Options {
			k.Options = append(k.Options, optionJSON{o.Name, o.Default, o.Meaning, o.Allowed()})
		}
		list = append(list, k)
	}
	return list, nil
}

// challengeJSON is a visitor's request for a game.
type challengeJSON struct {
	server.Challenge
	MoveMS int64 `json:"move_ms"` // for each move, at most 600,000; 0 stands for 600,000
}

// longestMove is the longest time for a move that a visitor can ask for; server.Challenge has the same limit.
const longestMove = 10 * time.Minute

// challenge prepares a game against a bot. It returns the name and the token that the page needs to connect and play.
func (p *play) challenge(r *http.Request) (invitation server.Invitation, err error) {
	var asked challengeJSON
	if err := readJSON(r, &asked); err != nil {
		return invitation, err
	}
	switch {
	case asked.MoveMS < 0 || asked.MoveMS > longestMove.Milliseconds():
		return invitation, wrong("This time for a move is out of range", fmt.Sprintf("Want 0, for the most, to %d ms.", longestMove.Milliseconds()))
	case asked.Rules.Chance() && asked.Role == rules.Attacker:
		return invitation, wrong("Under these rules chance attacks", "Play as the defender.")
	case asked.Recorded && asked.Start != "":
		return invitation, wrong("A game on record starts from the empty board", "Play it without a record.")
	}
	asked.PerMove = time.Duration(asked.MoveMS) * time.Millisecond
	asked.Named = slices.ContainsFunc(welcome.Levels(), func(l welcome.Level) bool { return asked.Opponent == l.Name+"="+l.Spec })
	return p.arena.Challenge(r, asked.Challenge)
}

// hintJSON is a request for a bot's move.
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

// hinted is a hint with the request for it.
type hinted struct {
	hintAnswer
	asked    hintJSON
	position rules.Position
}

// hint reads a request and asks its bot for a move.
func (p *play) hint(r *http.Request) (hint hinted, err error) {
	if err = readJSON(r, &hint.asked); err != nil {
		return hint, err
	}
	return p.answer(r, hint.asked)
}

// answer asks a request's bot for a move.
func (p *play) answer(r *http.Request, asked hintJSON) (hint hinted, err error) {
	hint.asked = asked
	if hint.position, err = analysis.PositionOf(asked.Rules, asked.Position); err != nil {
		return hint, err
	}
	hint.Move, hint.Search, err = p.arena.Hint(r, asked.Bot, hint.position)
	return hint, err
}

// hintOnPage is a request for a hint, or for the page's view of a hint from the visitor's browser.
type hintOnPage struct {
	hintJSON
	Opinion *inbrowser.Opinion `json:"opinion"` // of the visitor's browser; nil to ask the bot
}

// hintView reads a request and returns its hint as the page shows it: the move of the bot, or the opinion of the
// browser.
func (p *play) hintView(r *http.Request) (*analysis.Hint, error) {
	var asked hintOnPage
	if err := readJSON(r, &asked); err != nil {
		return nil, err
	}
	if asked.Opinion != nil {
		said := analysis.Visitors{Rules: asked.Rules, Position: asked.Position, Opinion: *asked.Opinion}
		return said.Hint(p.tables, asked.Bot)
	}
	hint, err := p.answer(r, asked.hintJSON)
	if err != nil {
		return nil, err
	}
	return analysis.NewHint(p.tables, hint.position, hint.asked.Bot, hint.Move, hint.Search), nil
}
